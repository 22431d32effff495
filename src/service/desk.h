// The desk: who waits, who runs, who is told what. Shared by the service, its threads and the jobs
// that clients hold, so that a late cancel finds something to talk to.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "service/places.h"
#include "service/service.h"

namespace assay::service {

class Desk;

enum class Stage { New, Waiting, Running, Over };

// One request on its way. `stage` and `place` belong to the desk's lock.
class Ticket final : public Job, public std::enable_shared_from_this<Ticket> {
 public:
  Ticket(std::shared_ptr<Desk> desk, Submission submission)
      : submission_(std::move(submission)), desk_(std::move(desk)) {}

  void cancel() override;
  sandbox::Control& control() override { return control_; }
  void tell(Results results);  // done, once

 private:
  friend class Desk;
  Submission submission_;
  sandbox::Control control_;
  std::shared_ptr<Desk> desk_;
  Stage stage_ = Stage::New;
  Bytes memory_{};
  bool cancelled_ = false;
  bool is_lease_ = false;        // somebody waits for a place, to run something there itself
  std::size_t wanted_ = 1;       // so many places
  std::vector<Place> places_{};  // none for those that skip the queue
};

using TicketPtr = std::shared_ptr<Ticket>;

class Desk {
 public:
  Desk(std::unique_ptr<Engine> engine, const Options& options, Observer observer);

  enum class Fate { RunHere, RunApart, Wait, Refused };
  Fate admit(const TicketPtr& ticket);                     // Refused: it was told already
  void run(const TicketPtr& ticket);                       // on this thread; the ticket is Running
  void fail(const TicketPtr& ticket, const Error& error);  // instead of run()
  void cancel(const TicketPtr& ticket);                    // whatever its stage
  void work();                                             // a worker's life

  // A place for somebody's own work, in line with the requests; also while the desk closes, because
  // what has begun may end. Null: given up. `look_again` makes those who wait ask.
  TicketPtr borrow(int priority, const judge::CoreWish& wish,
                   const std::function<bool()>& given_up);
  [[nodiscard]] static std::vector<std::vector<unsigned>> cores_of(const Ticket& lease);
  void give_back(const TicketPtr& ticket);
  void look_again();

  // Those in line whose clients have hung up: told, and counted as cancelled.
  void dismiss_the_gone();

  void close();                                         // takes nothing more
  void finish_all(std::chrono::milliseconds patience);  // after close()
  void dismiss_workers();                               // after finish_all()

  [[nodiscard]] Snapshot snapshot();
  [[nodiscard]] std::size_t places();

 private:
  [[nodiscard]] std::optional<Error> objection(const Ticket& ticket) const;
  [[nodiscard]] bool may_run_here(const Ticket& ticket) const;
  [[nodiscard]] bool finds_queue_full(const Ticket& ticket) const;
  Fate turn_away(const TicketPtr& ticket, Error why);
  Fate accept(const TicketPtr& ticket);
  void start(const TicketPtr& ticket);
  void refuse(const TicketPtr& ticket, Error why);
  void release(const TicketPtr& ticket);
  void close_ticket(std::unique_lock<std::mutex>& held);
  [[nodiscard]] bool head_can_start() const;
  void serve_head();
  TicketPtr take_head();
  void remove_waiting(const TicketPtr& ticket);
  std::vector<TicketPtr> take_waiting(std::move_only_function<bool(const Ticket&)> leaves);
  std::vector<TicketPtr> take_the_gone();
  void refuse_all(const std::vector<TicketPtr>& tickets, const char* why);
  void note_cancelled(Ticket& ticket);
  Results run_engine(Ticket& ticket);
  void finish(const TicketPtr& ticket, Results results);

  const std::unique_ptr<Engine> engine_;
  const Options options_;
  const Observer observer_;

  std::mutex lock_;
  std::condition_variable work_to_do_;
  std::condition_variable something_ended_;
  std::condition_variable lease_granted_;
  Places places_;
  std::map<int, std::deque<TicketPtr>, std::greater<>> waiting_;  // by priority, highest first
  std::vector<TicketPtr> running_;
  unsigned streams_ = 0;    // of those running, how many skipped the queue
  std::uint64_t open_ = 0;  // accepted, and `done` has not returned yet
  bool dismissed_ = false;
  Snapshot counts_;
};

}  // namespace assay::service
