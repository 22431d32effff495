// Everything that judging adds to the daemon: the catalogue, the problems, the judgings, and what
// the transports need to know of them.
#pragma once

#include <memory>

#include "app/daemon/host_file.h"
#include "app/daemon/log.h"
#include "app/daemon/startup.h"
#include "app/daemon/webhooks.h"
#include "config/catalogue.h"
#include "judge/compilers.h"
#include "sandbox/sandbox.h"
#include "service/judgings.h"
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

class Courthouse {
 public:
  struct Parts {  // borrowed, but for the books and the compilers
    LawBooks books;
    std::unique_ptr<judge::Compilers> compilers;
    sandbox::Sandbox& engine;
    service::Service& service;
    HostFiles& host_files;
    bool serves_host_files = false;
    std::shared_ptr<transport::Metrics> metrics;  // may be null
    std::unique_ptr<Webhooks> webhooks;           // null: nobody is called
    const Log& log;
  };
  explicit Courthouse(Parts parts);
  Courthouse(const Courthouse&) = delete;
  Courthouse& operator=(const Courthouse&) = delete;
  ~Courthouse();

  [[nodiscard]] std::shared_ptr<transport::JudgingDoors> doors();
  void drain(std::chrono::milliseconds patience);  // of the judgings, then of what is to be sent

 private:
  service::StoredContents::OpenHostFile opener();
  void note(const service::Judging& judging, const judge::JudgeResult& result);

  Parts parts_;
  transport::JudgingMetrics counts_;
  service::Problems problems_;
  service::StoredContents contents_;
  service::Judgings judgings_;
};

}  // namespace assay::daemon
