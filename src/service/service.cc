#include "service/service.h"

#include <list>
#include <mutex>

#include "os/thread.h"
#include "service/desk.h"

namespace assay::service {

// Threads for live streams: one each, because a stream may last for hours and must not keep a
// worker from the queue.
class StreamThreads {
 public:
  ~StreamThreads() {
    {
      std::unique_lock held(lock_);
      one_ended_.wait(held, [&] { return threads_.empty(); });
    }
    join_ended();
  }

  Status start(std::function<void()> work) {
    join_ended();
    const std::lock_guard guard(lock_);
    const auto self = threads_.emplace(threads_.end());
    auto started = os::start_thread([this, self, work = std::move(work)] {
      work();
      const std::lock_guard inner(lock_);
      ended_.splice(ended_.end(), threads_, self);
      one_ended_.notify_all();
    });
    if (!started) {
      threads_.erase(self);
      return std::unexpected(started.error());
    }
    *self = *std::move(started);
    return {};
  }

 private:
  void join_ended() {
    std::list<std::thread> ended;
    {
      const std::lock_guard guard(lock_);
      ended.swap(ended_);
    }
    for (std::thread& thread : ended)
      thread.join();
  }

  std::mutex lock_;
  std::condition_variable one_ended_;
  std::list<std::thread> threads_;
  std::list<std::thread> ended_;
};

struct Service::Inside {
  store::Store& store;
  std::shared_ptr<Desk> desk;
  std::vector<std::thread> workers;
  StreamThreads streams;
};

Service::Service(std::unique_ptr<Engine> engine, store::Store& store, Options options,
                 Observer observer)
    : inside_(std::make_unique<Inside>(
          store, std::make_shared<Desk>(std::move(engine), options, std::move(observer)),
          std::vector<std::thread>{})) {
  inside_->workers =
      os::start_threads(inside_->desk->places(), [desk = inside_->desk] { desk->work(); });
}

Service::~Service() {
  drain(std::chrono::milliseconds(0));
  inside_->desk->dismiss_workers();
  for (std::thread& worker : inside_->workers)
    worker.join();
}

std::shared_ptr<Job> Service::submit(Submission submission) {
  auto ticket = std::make_shared<Ticket>(inside_->desk, std::move(submission));
  switch (inside_->desk->admit(ticket)) {
    case Desk::Fate::RunHere:
      inside_->desk->run(ticket);
      return nullptr;
    case Desk::Fate::RunApart:
      if (const Status started =
              inside_->streams.start([desk = inside_->desk, ticket] { desk->run(ticket); });
          !started)
        inside_->desk->fail(ticket, started.error());
      return ticket;
    case Desk::Fate::Wait:
      return ticket;
    case Desk::Fate::Refused:
      break;
  }
  return nullptr;
}

void Service::dismiss_the_gone() {
  inside_->desk->dismiss_the_gone();
}

namespace {

class LentCores final : public judge::Cores {
 public:
  LentCores(std::shared_ptr<Desk> desk, int priority)
      : desk_(std::move(desk)), priority_(priority) {}

  std::unique_ptr<Lease> borrow(const judge::CoreWish& wish,
                                const std::function<bool()>& given_up) override {
    TicketPtr ticket = desk_->borrow(priority_, wish, given_up);
    if (ticket == nullptr) return nullptr;
    return std::make_unique<Lent>(desk_, std::move(ticket));
  }
  void look_again() override { desk_->look_again(); }

 private:
  struct Lent final : Lease {
    Lent(std::shared_ptr<Desk> lender, TicketPtr place)
        : desk(std::move(lender)), ticket(std::move(place)) {
      places = Desk::cores_of(*ticket);
    }
    ~Lent() override { desk->give_back(ticket); }
    std::shared_ptr<Desk> desk;
    TicketPtr ticket;
  };

  std::shared_ptr<Desk> desk_;
  int priority_;
};

}  // namespace

std::unique_ptr<judge::Cores> Service::cores(int priority) const {
  return std::make_unique<LentCores>(inside_->desk, priority);
}

store::Store& Service::store() {
  return inside_->store;
}

Snapshot Service::snapshot() const {
  return inside_->desk->snapshot();
}

void Service::drain(std::chrono::milliseconds patience) {
  inside_->desk->close();
  inside_->desk->finish_all(patience);
}

}  // namespace assay::service
