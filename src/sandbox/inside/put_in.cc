// Files that came with the request of a run, made by init: the launcher need not be woken for them.
// Init is in no memory cgroup of the run, so their pages are not charged to the program.
#include "sandbox/inside/state.h"
#include "sandbox/inside/unpack.h"

namespace assay::sandbox::inside {
namespace {

alignas(64) char buffer[16 * 1024];

bool fail(std::uint32_t index, PutInStage stage, long error) noexcept {
  Ended& ended = state.now.ended;
  ended.step = Step::PutIn;
  ended.index = index;
  ended.status = static_cast<std::int32_t>(stage);
  ended.error = static_cast<std::int32_t>(-error);
  return false;
}

long write_all(int fd, const char* from, unsigned long size) noexcept {
  while (size > 0) {
    const long wrote = call(__NR_write, fd, address(from), static_cast<long>(size));
    if (wrote == -EINTR) continue;
    if (wrote < 0) return wrote;
    from += wrote;
    size -= static_cast<unsigned long>(wrote);
  }
  return 0;
}

// sendfile does not take every kind of file; plain reading and writing does.
long copy_by_hand(int from, int to) noexcept {
  for (;;) {
    const long got = call(__NR_read, from, address(buffer), sizeof buffer);
    if (got == -EINTR) continue;
    if (got <= 0) return got;
    const long wrote = write_all(to, buffer, static_cast<unsigned long>(got));
    if (wrote < 0) return wrote;
  }
}

long copy(int from, int to) noexcept {
  for (;;) {
    const long sent = call(__NR_sendfile, to, from, 0, 1L << 30);
    if (sent > 0 || sent == -EINTR) continue;
    return sent == -EINVAL || sent == -ENOSYS ? copy_by_hand(from, to) : sent;
  }
}

Order order_of(PutIn::Kind kind) noexcept {
  switch (kind) {
    case PutIn::Kind::Directory:
      return Order::MakeDirectory;
    case PutIn::Kind::Link:
      return Order::MakeLink;
    default:
      return Order::Create;
  }
}

}  // namespace

// Whoever owns a file can leave signs on it for the next who runs it: its mode, its times. Nobody
// does where programs have ids of their own.
bool runs_from_descriptor(const RunRequest& request) noexcept {
  return request.program != 0 && state.plan->isolation == Isolation::Full &&
         state.plan->single_id == 0;
}

// Else it is a file as any other, under the name that it is called by.
bool put_program_in(const RunRequest& request) noexcept {
  if (request.program == 0 || runs_from_descriptor(request)) return true;
  if (request.candidates == 0) return fail(kTheProgram, PutInStage::Make, -ENOENT);
  const int program = program_descriptor(request);
  const int work = open_directory(text_at(state.plan->work_dir));
  const long made = make_at(work, Order::Create, 0755, state.now.candidates[0], nullptr);
  close_fd(work);
  if (made < 0) return fail(kTheProgram, PutInStage::Make, made);
  call(__NR_lseek, program, 0, 0 /* SEEK_SET */);
  const long filled = copy(program, static_cast<int>(made));
  close_fd(static_cast<int>(made));
  return filled >= 0 || fail(kTheProgram, PutInStage::Fill, filled);
}

// False: it is written down what could not be made.
bool put_in(const RunRequest& request, const char* list, const char* end) noexcept {
  if (request.put_ins == 0) return true;
  const int root = state.plan->isolation == Isolation::Full ? open_directory("/") : -1;
  const int work = open_directory(text_at(state.plan->work_dir));
  int copied = static_cast<int>(request.descriptors);
  bool done = true;
  for (std::uint32_t i = 0; i < request.put_ins && done; ++i) {
    PutInPart part;
    if (!take_put_in(list, end, part)) return fail(i, PutInStage::Make, -EBADMSG);
    const PutIn& what = part.what;
    const char* name = part.name;
    const char* content = part.content;
    const int base = name[0] == '/' && root >= 0 ? root : work;
    const long made = make_at(base, order_of(what.kind), what.mode,
                              base == root ? below_root(name) : name, content);
    if (made < 0) done = fail(i, PutInStage::Make, made);
    const int file = static_cast<int>(made);
    long filled = 0;
    if (done && what.kind == PutIn::Kind::File) filled = write_all(file, content, what.content);
    if (done && what.kind == PutIn::Kind::Copy) filled = copy(copied++, file);
    if (filled < 0) done = fail(i, PutInStage::Fill, filled);
    const bool opened = what.kind == PutIn::Kind::File || what.kind == PutIn::Kind::Copy;
    if (made >= 0 && opened) close_fd(file);
  }
  if (root >= 0) close_fd(root);
  close_fd(work);
  return done;
}

}  // namespace assay::sandbox::inside
