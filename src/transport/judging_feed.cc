#include "transport/judging_feed.h"

#include "transport/websocket.h"
#include "wire/judging.h"

namespace assay::transport {
namespace {

// Everything on the socket's strand. The next event is taken when the last one was sent, so that a
// slow client costs the memory of one. The result is one, of any size: it counts.
class Feed : public std::enable_shared_from_this<Feed> {
 public:
  Feed(Budget& budget, std::shared_ptr<WebSocket> socket, std::shared_ptr<service::Judging> judging,
       std::uint64_t seen)
      : socket_(std::move(socket)), lease_(budget), judging_(std::move(judging)), seen_(seen) {}

  void go_on() {
    listener_.reset();
    if (closed_) return;
    // Before the events: what ends in between has one more.
    const bool over = judging_->is_settled();
    const auto event = judging_->event_after(seen_);
    if (!event) return over ? finish() : wait();
    seen_ = event->number;
    const bool last = event->step == service::JudgingStep::Ended;
    std::string text = wire::encode_event(*event, *judging_);
    if (text.size() > kSmallAnswer && !lease_.cover(text.size()))
      return socket_->close(WebSocket::kTryAgainLater, service::kTooManyBytes);
    socket_->send(WebSocket::Kind::Text, std::move(text), [self = shared_from_this(), last] {
      self->lease_.shrink(0);
      last ? self->finish() : self->go_on();
    });
  }

  void close() {
    closed_ = true;
    listener_.reset();
  }
  void part() { socket_->close(WebSocket::kGoingAway, "the server is stopping"); }

 private:
  void finish() { socket_->close(WebSocket::kNormal, ""); }
  void wait() {
    listener_ = judging_->listen(seen_, [weak = weak_from_this(), socket = socket_] {
      socket->post([weak] {
        if (const auto self = weak.lock()) self->go_on();
      });
    });
  }

  std::shared_ptr<WebSocket> socket_;
  Budget::Lease lease_;  // of the event on its way
  std::shared_ptr<service::Judging> judging_;
  std::uint64_t seen_;
  std::unique_ptr<service::Judging::Listener> listener_;
  bool closed_ = false;
};

}  // namespace

void serve_feed(Context& context, std::unique_ptr<Visit> visit, const Head& handshake,
                std::shared_ptr<service::Judging> judging, std::uint64_t seen) {
  open_websocket(context, std::move(visit), handshake,
                 [&context, judging = std::move(judging), seen](std::shared_ptr<WebSocket> socket) {
                   auto feed = std::make_shared<Feed>(context.budget, socket, judging, seen);
                   socket->post([feed] { feed->go_on(); });
                   return WebSocket::Events{.message = [](std::string_view) {},
                                            .closed = [feed] { feed->close(); },
                                            .parting =
                                                [feed] {
                                                  feed->part();
                                                }};
                 });
}

}  // namespace assay::transport
