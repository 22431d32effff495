// The module with libcurl, against a receiver on this machine.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <thread>

#include "os/fd.h"
#include "transport/webhook.h"

namespace assay::transport {
namespace {

using namespace std::chrono_literals;

// Takes one connection after the other and says the same to each; an empty text: never anything.
class Receiver {
 public:
  explicit Receiver(std::string answer)
      : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_.get(), 8), 0);
    ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ::ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  ~Receiver() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }

  [[nodiscard]] std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::vector<std::string> heard() {
    const std::lock_guard guard(lock_);
    return heard_;
  }

 private:
  void serve() {
    for (;;) {
      const os::OwnedFd visitor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!visitor.is_open()) return;
      std::string text = read_request(visitor.get());
      {
        const std::lock_guard guard(lock_);
        heard_.push_back(std::move(text));
      }
      (void)!::send(visitor.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL);
      char rest = 0;
      while (answer_.empty() && ::read(visitor.get(), &rest, 1) > 0) {
      }
    }
  }
  // Bodies of these tests end with "}".
  static std::string read_request(int fd) {
    std::string text;
    char bytes[4096];
    while (!text.ends_with('}')) {
      const auto got = ::read(fd, bytes, sizeof bytes);
      if (got <= 0) break;
      text.append(bytes, static_cast<std::size_t>(got));
    }
    return text;
  }

  std::string answer_;
  os::OwnedFd listener_;
  int port_ = 0;
  std::mutex lock_;
  std::vector<std::string> heard_;
  std::thread thread_;
};

class Posting : public testing::Test {
 protected:
  Posting() {
    auto loaded = load_webhook(ASSAY_BIN_DIR "/libassay-webhook.so");
    EXPECT_TRUE(loaded) << describe(loaded.error());
    if (loaded) poster_ = *std::move(loaded);
  }
  WebhookAnswer post(const std::string& url, std::chrono::milliseconds patience = 10s) {
    const std::vector<std::string> fields{"Content-Type: application/json", "X-Assay-Signature: s"};
    return poster_->post({.url = url, .fields = fields, .body = "{\"a\":1}", .patience = patience},
                         abort_);
  }

  std::unique_ptr<WebhookPoster> poster_;
  std::atomic<bool> abort_ = false;
};

TEST_F(Posting, SendsTheBodyWithItsFields) {
  Receiver receiver("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(post(receiver.url("/hook?x=1")).status, 204);
  const auto heard = receiver.heard();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_TRUE(heard[0].starts_with("POST /hook?x=1 HTTP/1.1\r\n")) << heard[0];
  EXPECT_NE(heard[0].find("\r\nX-Assay-Signature: s\r\n"), std::string::npos) << heard[0];
  EXPECT_NE(heard[0].find("\r\nContent-Type: application/json\r\n"), std::string::npos);
  EXPECT_NE(heard[0].find("\r\nContent-Length: 7\r\n"), std::string::npos);
  EXPECT_TRUE(heard[0].ends_with("\r\n\r\n{\"a\":1}"));
}

TEST_F(Posting, FollowsNoRedirect) {
  Receiver elsewhere("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  Receiver receiver("HTTP/1.1 307 Temporary Redirect\r\nLocation: " + elsewhere.url("/") +
                    "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(post(receiver.url("/")).status, 307);
  EXPECT_TRUE(elsewhere.heard().empty());
}

TEST_F(Posting, ReadsNoMoreOfAnAnswerThanItMust) {
  Receiver receiver("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + std::string(500'000, 'x'));
  EXPECT_EQ(post(receiver.url("/")).status, 200);
}

TEST_F(Posting, WhatIsNoHttpIsNoAnswer) {
  Receiver receiver("hello\r\n\r\n");
  const auto answer = post(receiver.url("/"));
  EXPECT_EQ(answer.status, 0);
  EXPECT_FALSE(answer.trouble.empty());
}

TEST_F(Posting, SaysThatNobodyListens) {
  std::string url;
  {
    Receiver gone("");
    url = gone.url("/");
  }
  const auto answer = post(url);
  EXPECT_EQ(answer.status, 0);
  EXPECT_FALSE(answer.trouble.empty());
}

TEST_F(Posting, AReceiverThatNeverAnswersCostsThePatienceOnly) {
  Receiver receiver("");
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(post(receiver.url("/"), 200ms).status, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - before, 5s);
}

TEST_F(Posting, EndsSoonWhenItIsToldTo) {
  Receiver receiver("");
  std::thread impatient([&] {
    while (receiver.heard().empty())
      std::this_thread::yield();
    abort_ = true;
  });
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(post(receiver.url("/"), 60s).status, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - before, 10s);
  impatient.join();
}

TEST_F(Posting, ObeysNoProxyOfTheEnvironment) {
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  Receiver receiver("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(post(receiver.url("/")).status, 200);
  ::unsetenv("http_proxy");
}

TEST_F(Posting, SpeaksHttpOnly) {
  EXPECT_EQ(post("file:///etc/passwd").status, 0);
  EXPECT_EQ(post("gopher://127.0.0.1:1/").status, 0);
}

TEST(LoadWebhook, SaysThatTheModuleIsMissingOrAnother) {
  EXPECT_EQ(describe(load_webhook("/nowhere/libassay-webhook.so").error()),
            "webhook was asked for, but '/nowhere/libassay-webhook.so' does not exist: it belongs "
            "to the installation of assayd");
  EXPECT_EQ(describe(load_webhook("/lib/x86_64-linux-gnu/libz.so.1").error()),
            "webhook was asked for, but '/lib/x86_64-linux-gnu/libz.so.1' is not the webhook "
            "module of assayd");
}

}  // namespace
}  // namespace assay::transport
