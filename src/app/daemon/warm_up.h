// Makes ready in the background what compilations of some languages want (precompiled headers), so
// that the first submission does not wait for it. Last in line for a core, one language at a time.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/daemon/log.h"
#include "config/catalogue.h"
#include "judge/compilers.h"
#include "service/service.h"

namespace assay::daemon {

class WarmUp {
 public:
  struct Parts {  // the references are borrowed
    judge::Compilers& compilers;
    const service::Service& service;
    config::Catalogue::Snapshot set;
    std::vector<std::string> languages;  // ids or aliases
    const Log& log;
  };
  // An unknown language is an InvalidRequest.
  static Result<std::unique_ptr<WarmUp>> start(Parts parts);
  WarmUp(const WarmUp&) = delete;
  WarmUp& operator=(const WarmUp&) = delete;
  ~WarmUp();  // ends what is under way
  void stop() { cancellation_.cancel(); }

 private:
  explicit WarmUp(Parts parts);
  void work();

  Parts parts_;
  std::unique_ptr<judge::Cores> cores_;
  judge::Cancellation cancellation_;
  std::thread thread_;
};

}  // namespace assay::daemon
