// The messages of one gRPC stream, in their order: what StreamCall::take does with them.
#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <future>
#include <map>
#include <set>

#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "transport/grpc_module/convert.h"
#include "transport/grpc_module/live_ends.h"

namespace assay::fuzz {
namespace {

using transport::module::LiveEnds;

constexpr std::size_t kMostPipes = 8;
constexpr int kPipe = 4096;  // bytes: a small one fills
constexpr std::string_view kProgramSays = "said by the program";

class FedStream {
 public:
  explicit FedStream(transport::module::Loop& loop) : loop_(loop) {}

  void hear(pb::StreamRequest& message) {
    const auto kind = message.request_case();
    if (kind == pb::StreamRequest::kExecRequest && !ends_) return begin(message.execrequest());
    if (!ends_) return;
    if (kind == pb::StreamRequest::kExecInput) return input(*message.mutable_execinput());
    if (kind == pb::StreamRequest::kExecResize) return resize(message.execresize());
    if (kind == pb::StreamRequest::kExecCancel) attach();  // stands for: the program starts
  }

  void end() {
    if (!ends_) return;
    attach();
    std::size_t read = 0;
    for (const Program& program : programs_)
      read += check_input(program);
    CHECK(read + ends_->waiting() == sent_);
    ends_->end_inputs();
    ends_->finish();
    CHECK(ends_->waiting() == 0);
    while (const auto output = ends_->next_output())
      CHECK(said_.erase({output->index, output->fd}) == 1 && output->bytes == kProgramSays);
    CHECK(said_.empty() && ends_->drained());
  }

 private:
  using Place = std::pair<int, int>;  // index and fd
  struct Program {
    Place place{};
    os::OwnedFd input{};  // its end
  };

  void begin(const pb::Request& message) {
    auto request = transport::module::to_request(message, true);
    if (!request) {
      CHECK(is_explained(request, message.ByteSizeLong()));
      return;
    }
    request_ = *std::move(request);
    ends_ = std::make_unique<LiveEnds>(loop_, request_, [] {});
  }

  [[nodiscard]] const exec::Command* command(unsigned index) const {
    return index < request_.commands.size() ? &request_.commands[index] : nullptr;
  }

  void input(pb::StreamRequest::Input& input) {
    const exec::Command* to = command(input.index());
    const bool known = to != nullptr && input.fd() < to->files.size() &&
                       std::holds_alternative<exec::StreamIn>(to->files[input.fd()]);
    const Place place{static_cast<int>(input.index()), static_cast<int>(input.fd())};
    const std::string bytes = input.content();
    const Status taken =
        ends_->input(input.index(), input.fd(), std::move(*input.mutable_content()));
    CHECK(taken.has_value() == known);
    if (!known) return;
    sent_ += bytes.size();
    inputs_[place] += bytes;
  }

  void resize(const pb::StreamRequest::Resize& resize) {
    const exec::Command* of = command(resize.index());
    CHECK(ends_->resize(resize.index(), {}).has_value() == (of != nullptr && of->tty));
  }

  void attach() {
    if (std::exchange(attached_, true)) return;
    std::vector<exec::LiveStream> streams;
    for (std::size_t i = 0; i < request_.commands.size(); ++i)
      for (std::size_t fd = 0; fd < request_.commands[i].files.size(); ++fd)
        if (streams.size() < kMostPipes) join({static_cast<int>(i), static_cast<int>(fd)}, streams);
    ends_->attach(std::move(streams));
  }

  void join(Place place, std::vector<exec::LiveStream>& streams) {
    const auto& [index, fd] = place;
    const exec::File& file =
        request_.commands[static_cast<std::size_t>(index)].files[static_cast<std::size_t>(fd)];
    const bool input = std::holds_alternative<exec::StreamIn>(file);
    if (!input && !std::holds_alternative<exec::StreamOut>(file)) return;
    std::array<int, 2> fds{};
    CHECK(::pipe2(fds.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    os::OwnedFd reading(fds[0]);
    os::OwnedFd writing(fds[1]);
    if (input) {
      ::fcntl(writing.get(), F_SETPIPE_SZ, kPipe);
      programs_.push_back({place, std::move(reading)});
    } else {
      CHECK(::write(writing.get(), kProgramSays.data(), kProgramSays.size()) > 0);
      said_.insert(place);
    }
    streams.push_back({.index = index,
                       .fd = fd,
                       .input = input,
                       .end = input ? std::move(writing) : std::move(reading)});
  }

  // What is in the pipe is the beginning of what was sent there.
  std::size_t check_input(const Program& program) {
    std::string got(2UL * kPipe, '\0');
    const ssize_t count = ::read(program.input.get(), got.data(), got.size());
    got.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    const std::string& sent = inputs_[program.place];
    CHECK(sent.starts_with(got));
    CHECK(got.size() == sent.size() || got.size() >= kPipe / 2);
    return got.size();
  }

  transport::module::Loop& loop_;
  exec::Request request_{};
  std::unique_ptr<LiveEnds> ends_{};
  std::map<Place, std::string> inputs_{};
  std::size_t sent_ = 0;
  std::vector<Program> programs_{};
  std::set<Place> said_{};
  bool attached_ = false;
};

// Each message behind its size, in two bytes.
void feed_stream(transport::module::Loop& loop, std::string_view bytes) {
  Slices in(bytes);
  FedStream stream(loop);
  while (!in.is_empty()) {
    const std::size_t low = in.byte();
    const std::string_view written = in.take(low + 256UL * in.byte());
    pb::StreamRequest message;
    if (!message.ParseFromArray(written.data(), static_cast<int>(written.size()))) break;
    stream.hear(message);
  }
  stream.end();
}

// The loop blocks them on its thread, and nobody would learn what it died of.
void hear_of_faults() {
  sigset_t faults;
  ::sigemptyset(&faults);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    ::sigaddset(&faults, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
}

}  // namespace

void grpc_stream(std::string_view bytes) {
  static const auto before = google::protobuf::SetLogHandler(nullptr);
  (void)before;
  static const auto loop = *transport::module::Loop::start();
  std::promise<void> done;
  loop->post([&] {
    hear_of_faults();
    feed_stream(*loop, bytes);
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace assay::fuzz
