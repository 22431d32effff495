// Waiting for a package to become a problem, as a step of a coroutine.
#pragma once

#include <coroutine>
#include <memory>
#include <optional>

#include "transport/asio.h"
#include "transport/judging_doors.h"
#include "transport/task.h"

namespace assay::transport {

class PackageWait {
 public:
  PackageWait(boost::asio::io_context& io, const LoadPackage& load, judge::Content archive)
      : io_(io), load_(load), archive_(std::move(archive)) {}

  static bool await_ready() { return false; }
  // Goes on in a thread of the server: the one that tells has other packages to unpack.
  bool await_suspend(std::coroutine_handle<> waiting) {
    load_(std::move(archive_), [this, waiting](Result<judge::Problem> problem) {
      problem_.emplace(std::move(problem));
      if (meeting_.is_second()) boost::asio::post(io_, [waiting] { waiting.resume(); });
    });
    return !meeting_.is_second();
  }
  Result<judge::Problem> await_resume() { return *std::move(problem_); }

 private:
  boost::asio::io_context& io_;
  const LoadPackage& load_;
  judge::Content archive_;
  std::optional<Result<judge::Problem>> problem_;
  Meeting meeting_;
};

}  // namespace assay::transport
