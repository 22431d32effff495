#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>

#include "sandbox/live.h"

namespace assay::sandbox {

// Guarded by `lock`. Orders are left here and the watcher is woken; usage() waits for the watcher's
// answer, because only the watcher's thread may touch a box.
struct Control::Shared {
  std::mutex lock;
  std::condition_variable answered;
  os::OwnedFd wake_up{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  CutOff cancel = CutOff::None;
  std::vector<std::pair<std::size_t, CutOff>> cut_offs;
  Ended ended;
  std::function<bool()> all_wait;
  int line = -1;
  bool paused = false;
  bool running = false;
  bool section_ends = false;
  unsigned asked = 0;
  unsigned told = 0;
  std::vector<Usage> usage;

  void knock() const {
    const std::uint64_t one = 1;
    (void)!::write(wake_up.get(), &one, sizeof one);
  }
  void hear_knocks() const {
    std::uint64_t knocks = 0;
    (void)!::read(wake_up.get(), &knocks, sizeof knocks);
  }
  void answer(std::vector<Usage> so_far) {
    usage = std::move(so_far);
    section_ends = false;
    told = asked;
    answered.notify_all();
  }
};

Control::Control() : shared_(std::make_unique<Shared>()) {}
Control::~Control() = default;

void Control::cancel(CutOff why) {
  const std::lock_guard guard(shared_->lock);
  if (shared_->cancel == CutOff::None) shared_->cancel = why;
  shared_->knock();
}

void Control::cut_off(std::size_t program, CutOff why) {
  const std::lock_guard guard(shared_->lock);
  shared_->cut_offs.emplace_back(program, why);
  shared_->knock();
}

void Control::when_ended(Ended told) {
  const std::lock_guard guard(shared_->lock);
  shared_->ended = std::move(told);
}

void Control::when_all_wait(std::function<bool()> asked) {
  const std::lock_guard guard(shared_->lock);
  shared_->all_wait = std::move(asked);
}

void Control::watch_hangup(int socket) {
  const std::lock_guard guard(shared_->lock);
  shared_->line = socket;
}

void Control::pause() {
  const std::lock_guard guard(shared_->lock);
  shared_->paused = true;
  shared_->knock();
}

void Control::resume() {
  const std::lock_guard guard(shared_->lock);
  shared_->paused = false;
  shared_->knock();
}

std::vector<Usage> Control::usage(Section section) {
  std::unique_lock guard(shared_->lock);
  if (!shared_->running) return {};
  const unsigned ticket = ++shared_->asked;
  shared_->section_ends |= section == Section::Begins;
  shared_->knock();
  shared_->answered.wait(guard, [&] { return shared_->told >= ticket || !shared_->running; });
  return shared_->running ? shared_->usage : std::vector<Usage>{};
}

Status LiveRun::check(const Control* control) {
  if (control == nullptr || control->shared_->wake_up.is_open()) return {};
  return system_error(EMFILE, "make an event by which a run can be ended");
}

LiveRun::LiveRun(Control* control, std::span<Watched> programs) : control_(control) {
  obey(programs, Clock::now());
}

Underway::Underway(Control* control) : control_(control) {
  if (control_ == nullptr) return;
  const std::lock_guard guard(control_->shared_->lock);
  control_->shared_->running = true;
}

Underway::~Underway() {
  if (control_ == nullptr) return;
  const std::lock_guard guard(control_->shared_->lock);
  control_->shared_->running = false;
  control_->shared_->answered.notify_all();
}

// To freeze what runs already would come too late on a busy machine: what is paused from the
// beginning does not begin.
void Underway::await_leave(std::size_t programs) {
  if (control_ == nullptr) return;
  Control::Shared& shared = *control_->shared_;
  for (;;) {
    pollfd news[] = {{shared.wake_up.get(), POLLIN, 0}, {-1, POLLRDHUP, 0}};
    {
      const std::lock_guard guard(shared.lock);
      if (!shared.paused || shared.cancel != CutOff::None) return;
      shared.answer(std::vector<Usage>(programs, Usage{.paused = true}));
      news[1].fd = shared.line;
    }
    (void)::poll(news, 2, -1);
    if (news[1].revents != 0) control_->cancel();
    shared.hear_knocks();
  }
}

int LiveRun::wake_up() const {
  return control_ == nullptr ? -1 : control_->shared_->wake_up.get();
}

int LiveRun::line() const {
  if (control_ == nullptr) return -1;
  const std::lock_guard guard(control_->shared_->lock);
  return control_->shared_->cancel == CutOff::None ? control_->shared_->line : -1;
}

// Before obeying: who knocks after this is heard the next time.
void LiveRun::hear_knocks() {
  control_->shared_->hear_knocks();
}

void LiveRun::hung_up() {
  control_->cancel();
}

bool LiveRun::has_something_on_its_way() const {
  return control_ != nullptr && control_->shared_->all_wait && control_->shared_->all_wait();
}

// Without the lock: whoever is told may give orders.
void LiveRun::tell_end(std::size_t index, const Watched& program) {
  if (control_ == nullptr) return;
  if (const Control::Ended& told = control_->shared_->ended)
    told(index, program.end(), program.cut_off_by());
}

void LiveRun::obey(std::span<Watched> programs, Clock::time_point now) {
  if (control_ == nullptr) return;
  Control::Shared& shared = *control_->shared_;
  const std::lock_guard guard(shared.lock);
  // One that has not started yet is met later.
  std::erase_if(shared.cut_offs, [&](const auto& order) {
    if (order.first < programs.size()) programs[order.first].cut_off(order.second);
    return order.first < programs.size();
  });
  for (Watched& program : programs) {
    if (shared.cancel != CutOff::None) program.cut_off(shared.cancel);
    program.pause(shared.paused, now);
  }
  if (shared.told == shared.asked) return;
  std::vector<Usage> usage;
  for (Watched& program : programs)
    usage.push_back(program.usage(now));
  if (shared.section_ends)
    for (Watched& program : programs)
      program.begin_section();
  shared.answer(std::move(usage));
}

}  // namespace assay::sandbox
