#include "transport/grpc_module/live_ends.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>

#include "os/pipe_writing.h"

namespace assay::transport::module {

namespace {

constexpr std::size_t kChunk = 32 << 10;  // what go-judge sends at most

std::optional<int> output_fd_of(const exec::Command& command) {
  for (std::size_t fd = 0; fd < command.files.size(); ++fd)
    if (std::holds_alternative<exec::StreamOut>(command.files[fd])) return static_cast<int>(fd);
  return std::nullopt;
}

std::string text_of(unsigned index, unsigned fd) {
  return "index " + std::to_string(index) + ", fd " + std::to_string(fd);
}

}  // namespace

LiveEnds::LiveEnds(Loop& loop, const exec::Request& request, std::function<void()> on_change)
    : loop_(loop), on_change_(std::move(on_change)) {
  for (std::size_t i = 0; i < request.commands.size(); ++i) {
    const auto& command = request.commands[i];
    const auto index = static_cast<int>(i);
    if (command.tty) terminals_[index] = output_fd_of(command);
    for (std::size_t fd = 0; fd < command.files.size(); ++fd)
      if (std::holds_alternative<exec::StreamIn>(command.files[fd]))
        inputs_[{index, static_cast<int>(fd)}] = {};
  }
}

LiveEnds::~LiveEnds() {
  for (auto& end : ends_)
    close(*end);
}

void LiveEnds::attach(std::vector<exec::LiveStream> streams) {
  for (auto& stream : streams)
    attach_one(std::move(stream));
  for (auto& [place, input] : inputs_)
    flush(input);
  on_change_();
}

void LiveEnds::attach_one(exec::LiveStream stream) {
  const bool known = stream.terminal && std::ranges::any_of(ends_, [&](const auto& end) {
                       return end->live.terminal && end->live.index == stream.index;
                     });
  if (known) return;  // another name of the same terminal
  auto& end = *ends_.emplace_back(std::make_unique<End>(End{.live = std::move(stream)}));
  const auto& live = end.live;
  // What is printed on a terminal that nobody watches is a collector's.
  if (live.terminal)
    end.output_fd = terminals_[live.index];
  else if (!live.input)
    end.output_fd = live.fd;
  for (auto& [place, input] : inputs_)
    if (place.first == live.index && (live.terminal || (live.input && place.second == live.fd)))
      input.end = &end;
  if (const auto size = sizes_.find(live.index); live.terminal && size != sizes_.end())
    ioctl(live.end.get(), TIOCSWINSZ, &size->second);
  auto watch = loop_.watch(live.end.get(), [this, &end](auto events) { changed(end, events); });
  if (watch)
    end.watch = *watch;
  else
    close(end);  // the program meets a closed stream, as if the client had gone
}

Status LiveEnds::input(unsigned index, unsigned fd, std::string bytes) {
  const auto found = inputs_.find({static_cast<int>(index), static_cast<int>(fd)});
  if (found == inputs_.end()) return invalid("execInput: no streamIn at " + text_of(index, fd));
  if (bytes.empty() || finished_) return {};
  waiting_ += bytes.size();
  found->second.queue.push_back(std::move(bytes));
  flush(found->second);
  return {};
}

Status LiveEnds::resize(unsigned index, const winsize& size) {
  const auto command = static_cast<int>(index);
  if (!terminals_.contains(command))
    return invalid("execResize: the command at index " + std::to_string(index) + " has no tty");
  sizes_[command] = size;
  for (auto& end : ends_)
    if (end->live.terminal && end->live.index == command && end->live.end.is_open())
      ioctl(end->live.end.get(), TIOCSWINSZ, &size);
  return {};
}

void LiveEnds::end_inputs() {
  for (auto& [place, input] : inputs_) {
    input.ending = true;
    flush(input);
  }
}

void LiveEnds::finish() {
  finished_ = true;
  for (auto& [place, input] : inputs_)
    drop(input);
  for (auto& end : ends_) {
    if (!end->output_fd) close(*end);
    end->readable = true;
  }
}

void LiveEnds::changed(End& end, std::uint32_t events) {
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP)) end.readable = true;
  for (auto& [place, input] : inputs_)
    if (input.end == &end) flush(input);
  on_change_();
}

void LiveEnds::flush(Input& input) {
  if (!input.end) return;
  while (!input.queue.empty())
    if (!write_some(input)) return;
  if (input.ending) end_input(input);
}

// False when the program has to read first.
bool LiveEnds::write_some(Input& input) {
  const auto& bytes = input.queue.front();
  const int fd = input.end->live.end.get();
  const auto rest = bytes.size() - input.offset;
  const auto count = fd < 0 ? -1 : ::write(fd, bytes.data() + input.offset, rest);
  if (count < 0 && fd >= 0 && errno == EINTR) return true;
  if (count < 0 && fd >= 0 && os::takes_later(errno)) return false;
  if (count < 0) {  // nobody reads it any more
    drop(input);
    return true;
  }
  input.last = bytes[input.offset + static_cast<std::size_t>(count) - 1];
  input.offset += static_cast<std::size_t>(count);
  waiting_ -= static_cast<std::size_t>(count);
  if (input.offset == bytes.size()) {
    input.queue.pop_front();
    input.offset = 0;
  }
  return true;
}

// A terminal has no end but the character that says so; after a line that is not complete it takes
// two.
void LiveEnds::end_input(Input& input) {
  input.ending = false;
  if (!input.end->live.terminal) return close(*input.end);
  input.queue.push_back(input.last == '\n' ? "\x04" : "\x04\x04");
  waiting_ += input.queue.back().size();
  flush(input);
}

void LiveEnds::drop(Input& input) {
  for (const auto& bytes : input.queue)
    waiting_ -= bytes.size();
  waiting_ += input.offset;
  input.offset = 0;
  input.queue.clear();
}

void LiveEnds::close(End& end) {
  if (!end.live.end.is_open()) return;
  loop_.forget(end.watch);
  end.live.end.reset();
}

std::optional<LiveEnds::Output> LiveEnds::next_output() {
  for (std::size_t tried = 0; tried < ends_.size(); ++tried) {
    auto& end = *ends_[next_];
    next_ = (next_ + 1) % ends_.size();
    if (!end.readable || !end.output_fd) continue;
    if (std::string bytes; read_some(end, bytes))
      return Output{.index = end.live.index, .fd = *end.output_fd, .bytes = std::move(bytes)};
  }
  return std::nullopt;
}

bool LiveEnds::read_some(End& end, std::string& bytes) {
  if (!end.live.end.is_open()) return false;
  bytes.resize(kChunk);
  ssize_t count;
  do
    count = ::read(end.live.end.get(), bytes.data(), bytes.size());
  while (count < 0 && errno == EINTR);
  const bool nothing_yet = count < 0 && errno == EAGAIN;
  end.readable = !nothing_yet;
  if (count <= 0 && (!nothing_yet || finished_)) close(end);  // a terminal ends with EIO
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return count > 0;
}

bool LiveEnds::drained() const {
  return std::ranges::none_of(
      ends_, [](const auto& end) { return end->live.end.is_open() && end->output_fd; });
}

}  // namespace assay::transport::module
