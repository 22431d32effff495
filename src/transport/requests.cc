// /ws: requests with ids, many at a time, answered as they end.
#include <fmt/format.h>

#include <map>

#include "transport/files.h"
#include "transport/socket.h"
#include "transport/websocket.h"
#include "wire/json.h"

namespace assay::transport {
namespace {

constexpr std::size_t kMostWaiting = 1 << 20;  // of answers: then nothing more is heard

class Requests : public std::enable_shared_from_this<Requests> {
 public:
  Requests(Context& context, std::shared_ptr<WebSocket> socket)
      : service_(context.service), budget_(context.budget), socket_(std::move(socket)) {}

  void hear(std::string_view message);
  void closed();
  void part() { socket_->close(WebSocket::kGoingAway, "the server is stopping"); }

 private:
  void start(exec::Request request, std::size_t size);
  void cancel(const std::string& id);
  void ended(const exec::Request& manner, const service::Results& results);
  void answer(const wire::Answer& answer, const exec::Request& manner);
  void sent(std::size_t size);

  service::Service& service_;
  Budget& budget_;
  std::shared_ptr<WebSocket> socket_;
  Budget::Lease answers_{budget_};
  std::size_t waiting_ = 0;  // bytes of answers that the client did not take yet
  std::map<std::string, std::shared_ptr<service::Job>> jobs_;  // null: not submitted yet
};

void Requests::hear(std::string_view message) {
  auto decoded = wire::decode_socket_message(message);
  if (!decoded) return socket_->close(WebSocket::kBadPayload, describe(decoded.error()));
  if (const auto* order = std::get_if<wire::Cancel>(&*decoded)) return cancel(order->request_id);
  auto& request = std::get<exec::Request>(*decoded);
  if (request.id.size() > kLongestRequestId)
    return socket_->close(WebSocket::kBadPayload, kRequestIdTooLong);
  start(std::move(request), message.size());
}

// A client that asks and does not read has to wait, and what it does not read counts.
void Requests::answer(const wire::Answer& answer, const exec::Request& manner) {
  std::string text = wire::encode_answer(answer, manner);
  if (!answers_.cover(waiting_ + text.size())) {
    if (answer.results != nullptr) forget_files(service_.store(), *answer.results);
    return socket_->close(WebSocket::kTryAgainLater, service::kTooManyBytes);
  }
  const std::size_t size = text.size();
  waiting_ += size;
  if (waiting_ > kMostWaiting) socket_->pause();
  socket_->send(WebSocket::Kind::Text, std::move(text),
                [self = shared_from_this(), size] { self->sent(size); });
}

void Requests::sent(std::size_t size) {
  waiting_ -= size;
  answers_.shrink(waiting_);
  if (waiting_ <= kMostWaiting / 2) socket_->resume();
}

void Requests::cancel(const std::string& id) {
  const auto found = jobs_.find(id);
  if (found != jobs_.end() && found->second != nullptr) found->second->cancel();
}

void Requests::start(exec::Request request, std::size_t size) {
  const exec::Request manner{
      .id = request.id, .encoding = request.encoding, .wants_facts = request.wants_facts};
  if (request.id.empty()) return answer({.error = "empty request id"}, manner);
  if (jobs_.contains(request.id))
    return answer({.request_id = request.id,
                   .error = fmt::format("duplicated request id: \"{}\"", request.id)},
                  manner);
  if (request.commands.empty()) {
    const std::vector<exec::CommandResult> none;
    return answer({.request_id = request.id, .results = &none}, manner);
  }
  auto lease = std::make_shared<Budget::Lease>(budget_);
  if (!lease->cover(size))
    return answer({.request_id = request.id, .error = service::kTooManyBytes}, manner);
  jobs_[manner.id] = nullptr;
  auto job = service_.submit(
      {.request = std::move(request),
       .done = [self = shared_from_this(), manner, lease](service::Results results) {
         self->socket_->post(
             [self, manner, results = std::move(results)] { self->ended(manner, results); });
       }});
  jobs_[manner.id] = std::move(job);
}

void Requests::ended(const exec::Request& manner, const service::Results& results) {
  jobs_.erase(manner.id);
  if (results) return answer({.request_id = manner.id, .results = &*results}, manner);
  const std::vector<exec::CommandResult> none;
  std::string why = describe(results.error());
  if (results.error().context == service::kCancelled) why = "request " + why;
  answer({.request_id = manner.id, .results = &none, .error = std::move(why)}, manner);
}

void Requests::closed() {
  for (const auto& [id, job] : jobs_) {
    if (job != nullptr) job->cancel();
  }
}

}  // namespace

void serve_requests(Context& context, std::unique_ptr<Visit> visit, const Head& handshake) {
  open_websocket(context, std::move(visit), handshake,
                 [&context](std::shared_ptr<WebSocket> socket) -> WebSocket::Events {
                   auto requests = std::make_shared<Requests>(context, std::move(socket));
                   return {.message = [requests](std::string_view text) { requests->hear(text); },
                           .closed = [requests] { requests->closed(); },
                           .parting =
                               [requests] {
                                 requests->part();
                               }};
                 });
}

}  // namespace assay::transport
