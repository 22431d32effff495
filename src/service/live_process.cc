#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "os/pipe_writing.h"
#include "service/processes.h"

namespace assay::service {
namespace {

using namespace std::chrono_literals;

held::Ended ended_of(exec::CommandResult result) {
  if (result.facts) return {.facts = std::move(result.facts)};
  const std::string why = result.error.empty() ? std::string(name_of(result.status)) : result.error;
  return {.no_start = why};
}

Error not_yet() {
  return {Fault::Busy, 0, "the process still waits for a core"};
}

}  // namespace

LiveProcess::LiveProcess(std::string id, std::chrono::milliseconds idle)
    : id_(std::move(id)), idle_(idle), process_(remote(), 0ns) {}

// The job is told to whoever asks; before there is one, nothing runs that could answer. But it is
// about to: who ends it then, ends it when it comes.
held::Remote LiveProcess::remote() {
  return {.usage = [this](sandbox::Section section) -> std::vector<sandbox::Usage> {
            std::unique_lock guard(lock_);
            const auto job = job_;
            guard.unlock();
            return job ? job->control().usage(section) : std::vector<sandbox::Usage>{};
          },
          .cancel =
              [this](sandbox::CutOff why) {
                std::unique_lock guard(lock_);
                if (!cancelled_) cancelled_ = why;
                cancel_job(guard);
              }};
}

void LiveProcess::bind(std::shared_ptr<Job> job) {
  std::unique_lock guard(lock_);
  job_ = std::move(job);
  if (cancelled_) cancel_job(guard);
}

// Without the lock: the job may be over at once, on this thread, and that comes back to over().
void LiveProcess::cancel_job(std::unique_lock<std::mutex>& guard) {
  const auto job = job_;
  const sandbox::CutOff why = *cancelled_;
  guard.unlock();
  if (!job) return;
  job->control().cancel(why);  // the first cause counts
  job->cancel();               // if it still waits
}

void LiveProcess::attach(std::vector<exec::LiveStream> streams) {
  const std::lock_guard guard(lock_);
  for (exec::LiveStream& stream : streams)
    (stream.input ? input_ : output_) = std::move(stream.end);
  attached_ = true;
  changed_.notify_all();
}

void LiveProcess::over(Results results) {
  if (!results)
    process_.ended(std::unexpected(results.error()));
  else
    process_.ended(ended_of(std::move(results->front())));
  const std::lock_guard guard(lock_);
  is_over_ = true;
  changed_.notify_all();
}

// A process without streams is one that never ran: its output is at its end.
Result<LiveProcess::Got> LiveProcess::read(std::size_t most) {
  const std::lock_guard guard(lock_);
  if (!attached_ && !is_over_) return std::unexpected(not_yet());
  Got got{.bytes = std::string(most, '\0'), .end = !output_.is_open()};
  ssize_t size = 0;
  if (!got.end) do
      size = ::read(output_.get(), got.bytes.data(), most);
    while (size < 0 && errno == EINTR);
  got.bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  got.end = got.end || size == 0 || (size < 0 && errno != EAGAIN);
  got.first_to_see = got.end && output_.is_open();
  if (got.end) output_.reset();
  return got;
}

Result<std::optional<std::size_t>> LiveProcess::write(std::string_view bytes) {
  const std::lock_guard guard(lock_);
  if (!attached_ && !is_over_) return std::unexpected(not_yet());
  if (!input_.is_open()) return std::nullopt;
  ssize_t wrote = 0;
  do
    wrote = ::write(input_.get(), bytes.data(), bytes.size());
  while (wrote < 0 && errno == EINTR);
  if (wrote >= 0) return static_cast<std::size_t>(wrote);
  if (os::takes_later(errno)) return 0U;
  input_.reset();  // it reads no more: that is nothing a client has done wrong
  return std::nullopt;
}

Status LiveProcess::end_input() {
  const std::lock_guard guard(lock_);
  if (!attached_ && !is_over_) return std::unexpected(not_yet());
  input_.reset();
  return {};
}

Result<os::OwnedFd> LiveProcess::descriptor(Side side) {
  const std::lock_guard guard(lock_);
  const os::OwnedFd& end = side == Side::Input ? input_ : output_;
  if (!end.is_open()) return system_error(EPIPE, "wait for a process");
  return os::duplicate(end.get());
}

void LiveProcess::discard_output() {
  constexpr std::size_t kPortion = 65536;
  for (auto got = read(kPortion); got && !got->bytes.empty(); got = read(kPortion)) {
  }
}

// Nobody wants more of its output: who waits for a reader can then end by itself.
held::Reading LiveProcess::terminate(std::chrono::milliseconds grace) {
  constexpr Nanoseconds kLook = 2ms;
  for (const auto until = Clock::now() + grace; Clock::now() < until;) {
    if (process_.await_end(kLook)) break;
    discard_output();
  }
  return process_.terminate();
}

}  // namespace assay::service
