// Processes that clients hold: started, asked and fed between their steps, terminated, all by id.
// One that nobody has asked about for a while is terminated, so that a client that goes leaves
// nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "held/process.h"
#include "service/service.h"

namespace assay::service {

struct ProcessOptions {
  unsigned most = 64;                       // at a time
  std::chrono::milliseconds idle{300'000};  // at most; an order may ask for less
  std::chrono::milliseconds grace{50};
};

struct ProcessOrder {
  exec::Command command{};  // its files 0 and 1 become live streams
  std::optional<std::chrono::milliseconds> idle{};
  bool core = false;  // in line for a core of its own, which it keeps; else where there is room
  std::shared_ptr<void> kept{};  // until it is over: so long its request is kept
};

class LiveProcess {
 public:
  using Clock = std::chrono::steady_clock;

  LiveProcess(std::string id, std::chrono::milliseconds idle);

  [[nodiscard]] const std::string& id() const { return id_; }
  held::Process& process() { return process_; }

  // Without waiting. Busy: it waits for a core and has no streams yet.
  struct Got {
    std::string bytes{};
    bool end = false;           // there will never be more
    bool first_to_see = false;  // the end
  };
  Result<Got> read(std::size_t most);
  // How many it took; nothing, once it reads no more.
  Result<std::optional<std::size_t>> write(std::string_view bytes);
  Status end_input();
  // Of its output or its input: a copy to wait on.
  enum class Side { Input, Output };
  Result<os::OwnedFd> descriptor(Side side);

  held::Reading terminate(std::chrono::milliseconds grace);

 private:
  friend class Processes;
  void attach(std::vector<exec::LiveStream> streams);
  void over(Results results);
  void bind(std::shared_ptr<Job> job);
  void touch();
  [[nodiscard]] held::Remote remote();
  void cancel_job(std::unique_lock<std::mutex>& guard);
  void discard_output();

  const std::string id_;
  const std::chrono::milliseconds idle_;
  Clock::time_point due_{};  // guarded by the lock of Processes

  std::mutex lock_;  // of what is below
  std::condition_variable changed_;
  std::shared_ptr<Job> job_;
  std::optional<sandbox::CutOff> cancelled_;  // why, also before there is a job
  bool attached_ = false;
  bool is_over_ = false;
  os::OwnedFd input_, output_;
  held::Process process_;
};

class Processes {
 public:
  using Ptr = std::shared_ptr<LiveProcess>;

  Processes(Service& service, ProcessOptions options);
  ~Processes();  // ends them all
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  // An Error is about the order or the moment; whatever becomes of the program is a process.
  Result<Ptr> start(ProcessOrder order);
  Result<Ptr> find(const std::string& id);  // puts its expiry off
  std::vector<Ptr> list();
  Result<held::Reading> terminate(const std::string& id);  // and forgets it
  void stop();                                             // takes no more, ends all

 private:
  void sweep();
  Result<Ptr> admit(std::chrono::milliseconds idle);
  Ptr take(const std::string& id);

  Service& service_;
  const ProcessOptions options_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::map<std::string, Ptr> processes_;
  bool stopped_ = false;
  std::thread sweeper_;
};

}  // namespace assay::service
