// Everything that judging adds to the daemon: the catalogue, the problems, the judgings, and what
// the transports need to know of them.
#pragma once

#include <memory>
#include <optional>

#include "app/daemon/host_file.h"
#include "app/daemon/log.h"
#include "app/daemon/noj.h"
#include "app/daemon/startup.h"
#include "app/daemon/warm_up.h"
#include "app/daemon/webhooks.h"
#include "config/catalogue.h"
#include "journal/journal.h"
#include "judge/compilers.h"
#include "sandbox/sandbox.h"
#include "service/judgings.h"
#include "service/ledger.h"
#include "service/packages.h"
#include "service/problems.h"
#include "service/stored_contents.h"
#include "transport/judging_doors.h"
#include "transport/judging_metrics.h"
#include "transport/metrics.h"

namespace assay::daemon {

// What is read with the rights of whoever starts us: the files need not be readable for the daemon
// later.
struct LawBooks {
  std::unique_ptr<config::Catalogue> catalogue;
  judge::Unpacker unpacker;
  judge::ProfileStamps stamps;
};
// Tells the engine every profile that a language names, and the unpacker's.
Result<LawBooks> open_books(const Startup& startup, sandbox::Sandbox& engine, const Log& log);

// With the rights of the daemon.
Result<std::unique_ptr<judge::Compilers>> open_compilers(const Startup& startup,
                                                         sandbox::Sandbox& engine,
                                                         const LawBooks& books);

// Null: there is none, and a word about it in the log.
Result<std::unique_ptr<journal::Journal>> open_journal(const Startup& startup, const Log& log);

class Courthouse {
 public:
  struct Parts {  // the references are borrowed
    LawBooks books;
    std::unique_ptr<judge::Compilers> compilers;
    std::unique_ptr<journal::Journal> journal;  // may be null
    sandbox::Sandbox& engine;
    service::Service& service;
    HostFiles& host_files;
    bool serves_host_files = false;
    std::shared_ptr<transport::Metrics> metrics;  // may be null
    std::unique_ptr<Webhooks> webhooks;           // null: nobody is called
    std::unique_ptr<NojOffice> noj;               // null: no back end of Normal-OJ
    const Log& log;
  };
  explicit Courthouse(Parts parts);
  Courthouse(const Courthouse&) = delete;
  Courthouse& operator=(const Courthouse&) = delete;
  ~Courthouse();

  // What an earlier life left: problems, submissions that are not judged, results that were not
  // sent. Before anybody is let in.
  Status resume();
  Status warm_up(std::vector<std::string> languages);  // in the background
  [[nodiscard]] std::shared_ptr<transport::JudgingDoors> doors();
  [[nodiscard]] std::shared_ptr<transport::NojDoors> noj_doors();  // null: there are none
  void stop_packages() { packages_.stop(); }                       // whoever sent one is told so
  void drain(std::chrono::milliseconds patience);  // of the judgings, then of what is to be sent

 private:
  service::StoredContents::OpenHostFile opener();
  service::Ledger* ledger() { return ledger_ ? &*ledger_ : nullptr; }
  Status resend();
  void note(const service::Judging& judging, const judge::JudgeResult& result);

  Parts parts_;
  transport::JudgingMetrics counts_;
  service::StoredContents contents_;
  std::optional<service::Ledger> ledger_;  // none without a journal
  service::Problems problems_;
  service::Packages packages_;
  service::Judgings judgings_;
  std::unique_ptr<WarmUp> warm_up_;  // null: nobody asked for it
};

}  // namespace assay::daemon
