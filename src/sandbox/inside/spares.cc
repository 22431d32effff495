// The files that are streams of a program, such as its output: the next run most often has the same
// ones, so they are made behind the last run's back and go out with Ready. That spares a run the
// way to the launcher and back, which wakes it.
#include <fcntl.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {

// Right in the work directory, or not at all: a directory made on the way would stay when the spare
// is dropped.
void note_shared(const ControlRequest& request, bool in_work, const char* name) noexcept {
  bool fits = in_work && state.shared_count < kMaxSpares && length(name) < kMaxSpareName;
  for (const char* c = name; *c != '\0'; ++c)
    fits = fits && *c != '/';
  if (!fits) {
    state.shared_count = kMaxSpares + 1;
    return;
  }
  memcpy(state.shared_name[state.shared_count], name, length(name) + 1);
  state.shared_mode[state.shared_count++] = request.mode;
}

unsigned make_spares(int* fds) noexcept {
  if (state.shared_count > kMaxSpares || state.odd) state.shared_count = 0;
  if (state.shared_count == 0) return 0;
  const int base = open_directory(text_at(state.plan->work_dir));
  for (unsigned i = 0; i < state.shared_count; ++i) {
    const long made = base < 0 ? base
                               : make_at(base, Order::CreateShared, state.shared_mode[i],
                                         state.shared_name[i], nullptr);
    fds[i] = static_cast<int>(made);
    if (made < 0) state.odd = true;
  }
  if (base >= 0) close_fd(base);
  return state.shared_count;
}

// The next run has other files, or none.
void drop_spares() noexcept {
  const int base = open_directory(text_at(state.plan->work_dir));
  ControlReply reply{};
  for (unsigned i = 0; i < state.shared_count && i < kMaxSpares; ++i) {
    const long gone = call(__NR_unlinkat, base, address(state.shared_name[i]), 0);
    if (gone < 0) reply = {.answer = Answer::Failed, .error = static_cast<std::int32_t>(-gone)};
  }
  close_fd(base);
  state.shared_count = 0;
  tell(state.control, &reply, sizeof reply, nullptr, 0);
}

}  // namespace assay::sandbox::inside
