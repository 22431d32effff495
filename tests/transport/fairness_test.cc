// Peers that never have the server wait: they are not to keep its threads, or the workers, from
// others.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <thread>

#include "tests/transport/fixture.h"

namespace assay::transport {
namespace {

constexpr int kPeers = 16;  // more than there are threads for a parallelism of 2

std::string repeated(std::string_view text, std::size_t size) {
  std::string all;
  while (all.size() < size)
    all += text;
  return all;
}

// Connections that say `first` once, then send the same bytes for as long as it lives, and take
// what comes.
class Flood {
 public:
  Flood(unsigned port, int count, std::string first, std::string endless)
      : first_(std::move(first)), endless_(std::move(endless)) {
    for (int i = 0; i < count; ++i)
      peers_.push_back({.socket = reach(port)});
    thread_ = std::jthread([this](const std::stop_token& stop) { pump(stop); });
  }
  void await_answers(std::uint64_t bytes) const { await(taken_, bytes); }
  void await_sent(std::uint64_t bytes) const { await(sent_, bytes); }

 private:
  struct Peer {
    os::OwnedFd socket{};
    std::size_t at = 0;  // in `first` and then `endless`, again and again
  };

  static void await(const std::atomic<std::uint64_t>& counter, std::uint64_t more) {
    for (const std::uint64_t before = counter; counter < before + more;)
      std::this_thread::yield();  // the test's time limit is the judge of this
  }
  static os::OwnedFd reach(unsigned port) {
    os::OwnedFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::fcntl(socket.get(), F_SETFL, O_NONBLOCK), 0);
    return socket;
  }

  void pump(const std::stop_token& stop) {
    std::vector<pollfd> ready;
    for (const Peer& peer : peers_)
      ready.push_back({.fd = peer.socket.get(), .events = POLLIN | POLLOUT, .revents = 0});
    std::array<char, 65536> nowhere{};
    while (!stop.stop_requested()) {
      (void)::poll(ready.data(), ready.size(), 10);
      for (std::size_t i = 0; i < peers_.size(); ++i) {
        const ssize_t got = ::recv(ready[i].fd, nowhere.data(), nowhere.size(), 0);
        if (got > 0) taken_ += static_cast<std::uint64_t>(got);
        send_some(peers_[i]);
      }
    }
  }
  void send_some(Peer& peer) {
    const std::string_view rest = peer.at < first_.size()
                                      ? std::string_view(first_).substr(peer.at)
                                      : std::string_view(endless_).substr(peer.at - first_.size());
    const ssize_t sent = ::send(peer.socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent > 0)
      peer.at += static_cast<std::size_t>(sent), sent_ += static_cast<std::uint64_t>(sent);
    if (peer.at == first_.size() + endless_.size()) peer.at = first_.size();
  }

  std::string first_, endless_;
  std::vector<Peer> peers_;
  std::atomic<std::uint64_t> taken_ = 0, sent_ = 0;
  std::jthread thread_;  // the last: it uses all others
};

const std::string kHealth = "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n";

class Fairness : public Served {
 protected:
  ~Fairness() override { stop(); }
};

// Each waits ten seconds at most for its answer.
TEST_F(Fairness, StrangersWhoAskWithoutEndDoNotKeepOthersOut) {
  start();
  const Flood flood(server_->port(), kPeers, "", repeated(kHealth, 1 << 18));
  flood.await_answers(1 << 20);
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(connect().ask("GET", "/version").status, 200);
  flood.await_answers(1 << 20);  // it was there all the time
}

TEST_F(Fairness, UploadsThatNeverEndDoNotKeepOthersOut) {
  Options options;
  options.limits.body = Bytes{std::uint64_t{1} << 50U};
  start(std::move(options));
  const std::string head = "POST /file HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n";
  // What comes before the first part of a form is kept nowhere.
  const Flood flood(server_->port(), kPeers, head + kFormField + "\r\n",
                    repeated("1000\r\n" + std::string(0x1000, 'x') + "\r\n", 1 << 18));
  flood.await_sent(64 << 20);
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(connect().ask("GET", "/version").status, 200);
  flood.await_sent(64 << 20);
}

// What had to wait for a worker is answered by that worker. What its client asks next is not the
// worker's.
TEST_F(Fairness, AWorkerGoesOnWithOneAnswerAndNoMore) {
  start({}, {.parallelism = 1});
  Client first = connect();
  first.send(post_run(R"("hold","a")"));
  ASSERT_TRUE(engine_->await_started(1));
  const Flood flood(server_->port(), 4, post_run(R"("echo","b")"), repeated(kHealth, 1 << 18));
  while (service_->snapshot().queued < 4)
    std::this_thread::yield();
  engine_->release("a");
  EXPECT_EQ(first.receive().status, 200);
  flood.await_answers(1 << 20);
  for (int i = 0; i < 20; ++i) {
    Client client = connect();
    client.send(post_run(R"("echo","c")"));
    ASSERT_EQ(client.receive().status, 200);
  }
  flood.await_answers(1 << 20);
}

}  // namespace
}  // namespace assay::transport
