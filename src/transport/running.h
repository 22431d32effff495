// Waiting for the service, as a step of a coroutine.
#pragma once

#include <coroutine>

#include "service/service.h"
#include "transport/task.h"

namespace assay::transport {

// When the calling thread ran the request itself there is no pause at all; else the coroutine goes
// on in the worker that did.
class Running {
 public:
  Running(service::Service& service, service::Submission submission)
      : service_(service), submission_(std::move(submission)) {}

  static bool await_ready() { return false; }
  bool await_suspend(std::coroutine_handle<> waiting) {
    submission_.done = [this, waiting](service::Results results) {
      results_.emplace(std::move(results));
      if (meeting_.is_second()) waiting.resume();
    };
    service_.submit(std::move(submission_));
    return !meeting_.is_second();
  }
  service::Results await_resume() { return *std::move(results_); }

 private:
  service::Service& service_;
  service::Submission submission_;
  std::optional<service::Results> results_;
  Meeting meeting_;
};

}  // namespace assay::transport
