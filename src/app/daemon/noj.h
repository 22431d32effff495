// The daemon as a sandbox of Normal-OJ: submissions of its back end become judgings, and their
// results are put back to it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "app/daemon/config/settings.h"
#include "app/daemon/log.h"
#include "app/daemon/noj_problems.h"
#include "config/catalogue.h"
#include "service/contents.h"
#include "service/judgings.h"
#include "transport/noj_doors.h"
#include "transport/webhook_sender.h"

namespace assay::daemon {

class NojOffice {
 public:
  // Null: no back end comes here. The log is borrowed.
  static Result<std::unique_ptr<NojOffice>> open(const Settings& settings, const Log& log);

  struct House {  // borrowed
    service::Judgings& judgings;
    service::Contents& contents;
    config::Catalogue& catalogue;
    std::uint64_t workers = 1;
  };
  [[nodiscard]] std::shared_ptr<transport::NojDoors> doors(const House& house);
  // Of an earlier life, if it came through this door. Before it is judged.
  void remember(const service::JudgeOrder& order);
  void over(const service::Judging& judging, const judge::JudgeResult& result);  // does not wait
  void stop(std::chrono::milliseconds patience);

 private:
  NojOffice(const Settings& settings, NojProblems problems);
  Status submit(const House& house, const std::string& id, const wire::NojSubmission& what,
                std::string archive);
  Result<std::uint64_t> reserve(const std::string& id);
  Result<service::JudgeOrder> order(const House& house, const std::string& id,
                                    const wire::NojSubmission& what, std::string archive);
  [[nodiscard]] wire::NojQueue queue(const House& house) const;

  const NojProblems problems_;
  const std::string backend_, token_;
  const std::size_t most_;                            // in work
  std::unique_ptr<transport::WebhookSender> sender_;  // null: nobody is told
  mutable std::mutex lock_;
  struct Work {
    std::uint64_t number = 0;  // no other has the same
    std::shared_ptr<const judge::Problem> problem{};
    bool is_trial = false;
  };
  std::map<std::string, Work> in_work_;  // by submission: from its coming in to its result
  // The last number. Those of an earlier life are smaller: the journal has some of them.
  std::uint64_t count_ = static_cast<std::uint64_t>(
      std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
};

}  // namespace assay::daemon
