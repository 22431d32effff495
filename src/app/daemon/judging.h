// Everything that judging adds to the daemon: the catalogue, the problems, the judgings, and what
// the transports need to know of them.
#pragma once

#include <memory>

#include "app/daemon/host_file.h"
#include "app/daemon/log.h"
#include "app/daemon/startup.h"
#include "config/catalogue.h"
#include "sandbox/sandbox.h"
#include "service/judgings.h"
#include "service/problems.h"
#include "service/stored_contents.h"
#include "transport/judging_doors.h"
#include "transport/judging_metrics.h"
#include "transport/metrics.h"

namespace assay::daemon {

// With the rights of whoever starts us: the files need not be readable for the daemon later. Tells
// the engine every profile that a language names, and the unpacker's.
Result<std::unique_ptr<config::Catalogue>> open_catalogue(const Startup& startup,
                                                          sandbox::Sandbox& engine, const Log& log);

class Courthouse {
 public:
  // All but the catalogue are borrowed.
  struct Parts {
    std::unique_ptr<config::Catalogue> catalogue;
    sandbox::Sandbox& engine;
    const judge::Unpacker* unpacker = nullptr;
    service::Service& service;
    HostFiles& host_files;
    bool serves_host_files = false;
    std::shared_ptr<transport::Metrics> metrics;  // may be null
    const Log& log;
  };
  explicit Courthouse(Parts parts);
  Courthouse(const Courthouse&) = delete;
  Courthouse& operator=(const Courthouse&) = delete;
  ~Courthouse();

  [[nodiscard]] std::shared_ptr<transport::JudgingDoors> doors();
  void drain(std::chrono::milliseconds patience) { judgings_.drain(patience); }

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
