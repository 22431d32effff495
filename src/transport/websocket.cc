#include "transport/websocket.h"

#include <sys/socket.h>

#include <deque>
#include <vector>

#include "transport/beast.h"

namespace assay::transport {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using Strand = asio::strand<asio::io_context::executor_type>;
using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, Strand>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kReadStep = 65536;

class BeastSocket final : public WebSocket, public std::enable_shared_from_this<BeastSocket> {
 public:
  BeastSocket(Context& context, std::unique_ptr<Visit> visit)
      : limits_(context.options.limits),
        visit_(std::move(visit)),
        strand_(asio::make_strand(context.io)),
        stream_(Socket(strand_)),
        clock_(strand_),
        budget_(context.budget),
        lease_(std::in_place, context.budget) {}

  void open(const Head& handshake, WebSocketStart start);
  void send(Kind kind, std::string bytes, std::function<void()> sent) override;
  void close(std::uint16_t code, std::string reason) override;
  void pause() override { paused_ = true; }
  void resume() override;
  void post(std::move_only_function<void()> work) override {
    asio::post(strand_, [self = shared_from_this(), work = std::move(work)]() mutable { work(); });
  }
  asio::any_io_executor executor() override { return strand_; }
  [[nodiscard]] int socket() const override { return visit_->socket(); }

 private:
  struct Outgoing {
    Kind kind{};
    std::string bytes{};
    std::function<void()> sent{};
  };

  void accepted(error_code problem, const WebSocketStart& start);
  void read();
  void received(error_code problem);
  void deliver();
  void write();
  void written(error_code problem);
  void say_goodbye();
  void watch();
  void tick();
  void break_off() const { ::shutdown(visit_->socket(), SHUT_RDWR); }
  void finish(error_code why);

  const Limits& limits_;
  std::unique_ptr<Visit> visit_;  // the stream has a duplicate: it closes its own at its own time
  Strand strand_;
  websocket::stream<Socket, false> stream_;
  asio::steady_timer clock_;
  Events events_;
  beast::flat_buffer incoming_;
  Budget& budget_;
  std::optional<Budget::Lease> lease_;
  std::deque<Outgoing> outgoing_;
  std::optional<websocket::close_reason> goodbye_;
  Clock::time_point last_sign_, last_ping_, write_began_;
  bool reading_ = false, paused_ = false, writing_ = false, finished_ = false, closing_ = false;
};

http::request<http::empty_body> request_of(const Head& head) {
  http::request<http::empty_body> request(http::verb::get, head.target, head.version);
  for (const auto& [name, value] : head.fields)
    request.insert(name, value);
  return request;
}

void BeastSocket::open(const Head& handshake, WebSocketStart start) {
  const int copy = ::fcntl(visit_->socket(), F_DUPFD_CLOEXEC, 0);
  error_code problem;
  if (copy < 0) return;
  beast::get_lowest_layer(stream_).assign(asio::generic::stream_protocol(AF_INET, 0), copy,
                                          problem);
  if (problem) return;
  stream_.set_option(websocket::stream_base::timeout{.handshake_timeout = std::chrono::seconds(10),
                                                     .idle_timeout = websocket::stream_base::none(),
                                                     .keep_alive_pings = false});
  stream_.read_message_max(limits_.socket_message.count);
  stream_.auto_fragment(false);
  stream_.control_callback(
      [this](websocket::frame_type, beast::string_view) { last_sign_ = Clock::now(); });
  auto request = std::make_shared<http::request<http::empty_body>>(request_of(handshake));
  asio::post(strand_, [self = shared_from_this(), request, start = std::move(start)]() mutable {
    self->stream_.async_accept(*request,
                               [self, request, start = std::move(start)](error_code refused) {
                                 self->accepted(refused, start);
                               });
  });
}

void BeastSocket::accepted(error_code problem, const WebSocketStart& start) {
  if (problem) return;
  last_sign_ = last_ping_ = Clock::now();
  events_ = start(shared_from_this());
  visit_->when_parting([weak = weak_from_this()] {
    // Through the strand, behind the results that the service has told us.
    auto self = weak.lock();
    if (self == nullptr) return;
    const Strand strand = self->strand_;
    asio::post(strand, [self = std::move(self)] {  // which must not end here: the lock is held
      if (const auto parting = self->events_.parting) parting();
    });
  });
  watch();
  read();
}

void BeastSocket::read() {
  if (reading_ || paused_ || finished_) return;
  reading_ = true;
  stream_.async_read_some(
      incoming_, kReadStep,
      [self = shared_from_this()](error_code problem, std::size_t) { self->received(problem); });
}

void BeastSocket::received(error_code problem) {
  if (problem) return finish(problem);
  last_sign_ = Clock::now();
  const bool affordable = lease_->cover(incoming_.size());
  if (affordable && stream_.is_message_done()) deliver();
  if (closing_) incoming_.clear();  // only the client's own goodbye is of interest
  reading_ = false;                 // not before: nobody may read into what is being delivered
  if (affordable || closing_) return read();
  close(kTryAgainLater, service::kTooManyBytes);
}

void BeastSocket::deliver() {
  const auto bytes = incoming_.cdata();
  const auto hear = events_.message;  // it may end us
  if (hear && !closing_) hear({static_cast<const char*>(bytes.data()), bytes.size()});
  incoming_.consume(incoming_.size());
  if (incoming_.capacity() <= 2 * kReadStep) return;
  incoming_.shrink_to_fit();
  lease_.emplace(budget_);
}

void BeastSocket::resume() {
  if (!paused_) return;
  paused_ = false;
  last_sign_ = Clock::now();
  // From a fresh stack: this may be a call from within deliver().
  post([this] { read(); });
}

void BeastSocket::send(Kind kind, std::string bytes, std::function<void()> sent) {
  if (finished_ || closing_) return;
  outgoing_.push_back({kind, std::move(bytes), std::move(sent)});
  write();
}

void BeastSocket::write() {
  if (writing_ || finished_) return;
  if (outgoing_.empty()) return say_goodbye();
  writing_ = true;
  write_began_ = Clock::now();
  stream_.text(outgoing_.front().kind == Kind::Text);
  stream_.async_write(
      asio::buffer(outgoing_.front().bytes),
      [self = shared_from_this()](error_code problem, std::size_t) { self->written(problem); });
}

void BeastSocket::written(error_code problem) {
  writing_ = false;
  const std::function<void()> sent = std::move(outgoing_.front().sent);
  outgoing_.pop_front();
  if (problem) return finish(problem);
  if (sent) sent();
  write();
}

void BeastSocket::close(std::uint16_t code, std::string reason) {
  if (finished_ || closing_) return;
  closing_ = true;
  reason.resize(std::min<std::size_t>(reason.size(), 120));
  goodbye_.emplace(static_cast<websocket::close_code>(code), reason);
  paused_ = false;
  write();
  read();  // the client's own goodbye
}

void BeastSocket::say_goodbye() {
  if (!goodbye_) return;
  const websocket::close_reason reason = *std::exchange(goodbye_, std::nullopt);
  writing_ = true;
  write_began_ = Clock::now();
  stream_.async_close(reason,
                      [self = shared_from_this()](error_code problem) { self->finish(problem); });
}

void BeastSocket::watch() {
  const auto shortest = std::min({limits_.ping, limits_.pong, limits_.socket_write});
  clock_.expires_after(std::min<std::chrono::milliseconds>(
      std::chrono::seconds(1), std::max(shortest / 4, std::chrono::milliseconds(1))));
  clock_.async_wait([self = shared_from_this()](error_code problem) {
    if (problem || self->finished_) return;
    self->tick();
    self->watch();
  });
}

void BeastSocket::tick() {
  const auto now = Clock::now();
  if (writing_ && now - write_began_ > limits_.socket_write) return break_off();
  if (!paused_ && now - last_sign_ > limits_.pong) return break_off();
  if (now - last_ping_ < limits_.ping || closing_) return;
  last_ping_ = now;
  stream_.async_ping({}, [self = shared_from_this()](error_code problem) {
    if (problem) self->finish(problem);
  });
}

void BeastSocket::finish(error_code why) {
  if (std::exchange(finished_, true)) return;
  // Ended without goodbyes: a reset, because a client in the middle of sending would otherwise
  // wait for room that never comes.
  const bool rude = why && why.category() != make_error_code(websocket::error::closed).category();
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  if (rude) ::setsockopt(visit_->socket(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  clock_.cancel();
  break_off();
  // Who waits to hear that his message was sent owns us as a rule, and no more are sent. The bytes
  // stay: the first ones may be in the kernel's hands until written() is called.
  std::vector<std::function<void()>> owners;
  for (Outgoing& message : outgoing_)
    owners.push_back(std::exchange(message.sent, nullptr));
  const Events events = std::exchange(events_, {});
  if (events.closed) events.closed();
}

}  // namespace

void open_websocket(Context& context, std::unique_ptr<Visit> visit, const Head& handshake,
                    WebSocketStart start) {
  visit->be_busy();
  std::make_shared<BeastSocket>(context, std::move(visit))->open(handshake, std::move(start));
}

}  // namespace assay::transport
