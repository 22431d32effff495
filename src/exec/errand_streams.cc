// The descriptors of a command.
#include <fcntl.h>

#include <algorithm>

#include "exec/errand.h"
#include "os/file.h"

namespace assay::exec {

Status Errand::prepare_streams() {
  if (command_.tty) terminal_ = TRY(make_terminal());
  const std::size_t count = descriptor_count(around_.request, index_);
  std::vector<sandbox::Stream> streams(std::max<std::size_t>(count, 3), sandbox::Closed{});
  const File from_pipe = FromPipe{};  // collectors point into the command: no copy of a file
  for (std::size_t fd = 0; fd < count && !refusal_; ++fd) {
    const File* file = fd < command_.files.size() ? &command_.files[fd] : &from_pipe;
    streams[fd] = TRY(stream_for(fd, *file));
  }
  spec_.input = streams[0];
  spec_.output = streams[1];
  spec_.errors = streams[2];
  spec_.more_streams.assign(streams.begin() + 3, streams.end());
  spec_.terminal = terminal_fd_ == 0U;
  return {};
}

Result<sandbox::Stream> Errand::stream_for(std::size_t fd, const File& file) {
  if (std::holds_alternative<FromPipe>(file) && around_.request.commands.size() == 1) {
    refuse(RunStatus::InternalError,
           "bad file descriptor: files[" + std::to_string(fd) + "] is null, and no pipe fills it");
    return sandbox::Nothing{};
  }
  if (std::holds_alternative<FromPipe>(file))
    return around_.joints.at(static_cast<int>(index_), static_cast<int>(fd));
  const bool read_from_host =
      std::holds_alternative<HostFile>(file) || std::holds_alternative<Stored>(file);
  if (terminal_ && !read_from_host) return terminal_stream(fd, file);
  if (const auto* wish = std::get_if<Collector>(&file)) return collected_stream(fd, *wish);
  if (std::holds_alternative<StreamIn>(file)) return live_stream(fd, true);
  if (std::holds_alternative<StreamOut>(file)) return live_stream(fd, false);
  // The most common input of all: nothing is made for it.
  if (const auto* content = std::get_if<Content>(&file);
      content != nullptr && content->bytes.empty())
    return sandbox::Nothing{};
  const std::string name = "files[" + std::to_string(fd) + "]";
  Source source;
  if (const auto* host = std::get_if<HostFile>(&file)) source = *host;
  if (const auto* content = std::get_if<Content>(&file)) source = *content;
  if (const auto* stored = std::get_if<Stored>(&file)) source = *stored;
  const auto opened = TRY(open_source(source, name));
  if (!opened) return sandbox::Nothing{};
  return sandbox::Descriptor{*opened};
}

// Over the limit the program goes on, as under go-judge; one byte more than the limit shows that it
// was.
Result<sandbox::Stream> Errand::collected_stream(std::size_t fd, const Collector& wish) {
  for (const Collected& earlier : collected_)
    if (earlier.wish->name == wish.name)
      return sandbox::Same{static_cast<unsigned>(earlier.descriptor)};
  Collected& mine = collected_.emplace_back(Collected{.wish = &wish, .descriptor = fd});
  if (!wish.pipe) {
    std::string inside = in_box(wish.name);
    if (!can_be_made(inside, wish.name, FileErrorType::CopyInCreateFile)) return sandbox::Nothing{};
    return sandbox::BoxFile{std::move(inside), &mine.file};
  }
  return sandbox::Collect{
      .text = &mine.text, .limit = Bytes{wish.max.count + 1}, .discard_rest = true};
}

Result<sandbox::Stream> Errand::live_stream(std::size_t fd, bool input) {
  os::Pipe pipe = TRY(os::make_open_pipe());
  os::OwnedFd& ours = input ? pipe.write_end : pipe.read_end;
  if (::fcntl(ours.get(), F_SETFL, O_NONBLOCK) < 0) return system_error("set up a live stream");
  live_.push_back({.index = static_cast<int>(index_),
                   .fd = static_cast<int>(fd),
                   .input = input,
                   .end = std::move(ours)});
  open_.push_back(std::move(input ? pipe.read_end : pipe.write_end));
  return sandbox::Handed{&open_.back()};
}

// All of them are the one terminal. Live ends share its other side; contents are typed there; the
// first collector gets what is printed when nobody watches live.
Result<sandbox::Stream> Errand::terminal_stream(std::size_t fd, const File& file) {
  const bool input = std::holds_alternative<StreamIn>(file);
  if (input || std::holds_alternative<StreamOut>(file)) {
    os::OwnedFd end = TRY(os::duplicate(terminal_->master.get()));
    if (::fcntl(end.get(), F_SETFL, O_RDWR | O_NONBLOCK) < 0)
      return system_error("set up a terminal");
    live_.push_back({.index = static_cast<int>(index_),
                     .fd = static_cast<int>(fd),
                     .input = input,
                     .terminal = true,
                     .end = std::move(end)});
  }
  if (const auto* content = std::get_if<Content>(&file)) typed_ += content->bytes;
  if (const auto* wish = std::get_if<Collector>(&file); wish != nullptr && collected_.empty())
    collected_.push_back({.wish = wish, .descriptor = fd});
  if (terminal_fd_) return sandbox::Same{static_cast<unsigned>(*terminal_fd_)};
  terminal_fd_ = fd;
  return sandbox::Handed{&terminal_->slave};
}

// As a person types: at the pace at which the program reads, and no end of file follows. It is over
// when all is said or the program's side of the terminal is closed, read or not.
Status Errand::start_typing() {
  os::OwnedFd text = TRY(os::sealed_memory("input", typed_));
  os::OwnedFd keyboard = TRY(os::duplicate(terminal_->master.get()));
  typing_ = TRY(Relay::start({.source = std::move(text),
                              .sink = std::move(keyboard),
                              .reader_gone = Relay::ReaderGone::Break}));
  return {};
}

Status Errand::start_relays() {
  if (!terminal_) return {};
  if (!typed_.empty()) TRY_STATUS(start_typing());
  const bool watched = std::ranges::any_of(
      live_, [](const LiveStream& stream) { return stream.terminal && !stream.input; });
  if (watched) return {};  // somebody reads it live; else we must, or the program waits for ever
  const Bytes keep{collected_.empty() ? 0 : collected_.front().wish->max.count + 1};
  terminal_relay_ = TRY(Relay::start({.source = std::move(terminal_->master), .keep = keep}));
  return {};
}

}  // namespace assay::exec
