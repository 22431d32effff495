#include "service/processes.h"

#include <signal.h>

#include <algorithm>

#include "store/id.h"

namespace assay::service {
namespace {

using namespace std::chrono_literals;

constexpr Bytes kErrorsKept = 64_KiB;
constexpr auto kStartPatience = 10s;  // for a thread of the service to take it up

exec::Request request_of(exec::Command command) {
  if (command.files.size() < 3)
    command.files.resize(3, exec::Collector{.name = "stderr", .max = kErrorsKept, .pipe = true});
  command.files[0] = exec::StreamIn{};
  command.files[1] = exec::StreamOut{};
  exec::Request request;
  request.commands.push_back(std::move(command));
  return request;
}

}  // namespace

Processes::Processes(Service& service, ProcessOptions options)
    : service_(service), options_(options), sweeper_([this] { sweep(); }) {}

Processes::~Processes() {
  stop();
  sweeper_.join();
}

Result<Processes::Ptr> Processes::admit(std::chrono::milliseconds idle) {
  std::string id = TRY(store::make_id());
  const std::lock_guard guard(lock_);
  if (stopped_) return std::unexpected(Error{Fault::Busy, 0, kShuttingDown});
  if (processes_.size() >= options_.most)
    return std::unexpected(
        Error{Fault::Busy, 0, "there are " + std::to_string(options_.most) + " processes already"});
  auto process = std::make_shared<LiveProcess>(id, idle);
  process->due_ = LiveProcess::Clock::now() + idle;
  processes_[id] = process;
  changed_.notify_all();
  return process;
}

Processes::Ptr Processes::take(const std::string& id) {
  const std::lock_guard guard(lock_);
  const auto found = processes_.find(id);
  if (found == processes_.end()) return nullptr;
  Ptr process = std::move(found->second);
  processes_.erase(found);
  return process;
}

Result<Processes::Ptr> Processes::start(ProcessOrder order) {
  const Ptr process = TRY(admit(std::min(order.idle.value_or(options_.idle), options_.idle)));
  process->bind(
      service_.submit({.request = request_of(std::move(order.command)),
                       .done = [process, kept = std::move(order.kept)](
                                   Results results) { process->over(std::move(results)); },
                       .on_streams =
                           [process](std::vector<exec::LiveStream> streams) {
                             process->attach(std::move(streams));
                           },
                       .skip_queue = !order.core}));
  {
    std::unique_lock guard(process->lock_);
    process->changed_.wait_for(guard, order.core ? 0s : kStartPatience,
                               [&] { return process->attached_ || process->is_over_; });
  }
  // What was refused before anything ran is no process.
  if (auto failure = process->process().failure()) {
    (void)take(process->id());
    return std::unexpected(*std::move(failure));
  }
  return process;
}

Result<Processes::Ptr> Processes::find(const std::string& id) {
  const std::lock_guard guard(lock_);
  const auto found = processes_.find(id);
  if (found == processes_.end())
    return std::unexpected(Error{Fault::NotFound, 0, "no process has the id '" + id + "'"});
  found->second->due_ = LiveProcess::Clock::now() + found->second->idle_;
  return found->second;
}

std::vector<Processes::Ptr> Processes::list() {
  const std::lock_guard guard(lock_);
  std::vector<Ptr> all;
  for (const auto& [id, process] : processes_)
    all.push_back(process);
  return all;
}

Result<held::Reading> Processes::terminate(const std::string& id) {
  const Ptr process = take(id);
  if (!process)
    return std::unexpected(Error{Fault::NotFound, 0, "no process has the id '" + id + "'"});
  return process->terminate(options_.grace);
}

void Processes::stop() {
  std::vector<Ptr> all;
  {
    const std::lock_guard guard(lock_);
    stopped_ = true;
    for (auto& [id, process] : processes_)
      all.push_back(std::move(process));
    processes_.clear();
    changed_.notify_all();
  }
  for (const Ptr& process : all)
    process->process().cancel(sandbox::CutOff::Shutdown);
  for (const Ptr& process : all)
    (void)process->terminate(0ms);
}

// Those whose client has gone. They end in their own time: nobody waits for it.
void Processes::sweep() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock guard(lock_);
  while (!stopped_) {
    const auto now = LiveProcess::Clock::now();
    auto next = now + 1h;
    std::erase_if(processes_, [&](const auto& entry) {
      const Ptr& process = entry.second;
      const bool is_due = process->due_ <= now;
      if (is_due)
        process->process().cancel(sandbox::CutOff::Terminated);
      else
        next = std::min(next, process->due_);
      return is_due;
    });
    changed_.wait_until(guard, next);
  }
}

}  // namespace assay::service
