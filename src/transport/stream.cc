// /stream: one execution per connection, its streams as binary frames.
//   client → 1 request · 2 resize · 3 id bytes · 4 cancel · 5 id (end of input; ours)
//   server → 2 id bytes · 5 id (end of output; only to those who ask with ?eof=1) · 1 answer, last
// An id is one byte: index of the command << 4 | its descriptor.
#include <map>
#include <set>

#include "transport/live_end.h"
#include "transport/socket.h"
#include "transport/stream_frame.h"
#include "transport/websocket.h"
#include "wire/json.h"

namespace assay::transport {
namespace {

constexpr std::size_t kPieceToClient = 32768;
constexpr std::size_t kMostWaiting = 262144;  // of input: then the client has to wait

enum ToClient : char { kAnswer = 1, kOutput = 2, kOutputEnd = 5 };

using Id = StreamId;

class Execution : public std::enable_shared_from_this<Execution> {
 public:
  Execution(Context& context, std::shared_ptr<WebSocket> socket, bool tells_ends)
      : service_(context.service),
        socket_(std::move(socket)),
        request_lease_(context.budget),
        lease_(context.budget),
        tells_ends_(tells_ends) {}

  void hear(std::string_view message);
  void closed();

 private:
  void start(std::string_view json);
  void attach(std::vector<exec::LiveStream> streams);
  void attach_one(exec::LiveStream stream);
  void resize(std::string_view json);
  void input(Id id, std::string_view bytes);
  std::shared_ptr<LiveEnd> input_end(Id id);
  void read_output(Id id);
  void send_output(Id id, std::string_view bytes, std::function<void()> sent);
  void output_ended(Id id);
  void ended(service::Results results);
  void answer_when_all_is_said();
  void refuse(const char* why) { socket_->close(WebSocket::kProtocol, why); }

  service::Service& service_;
  std::shared_ptr<WebSocket> socket_;
  Budget::Lease request_lease_;  // until it is over: so long the service keeps it
  Budget::Lease lease_;          // of the input that waits, and of the answer
  bool tells_ends_;
  bool started_ = false;
  exec::Request manner_;
  std::shared_ptr<service::Job> job_;
  std::map<Id, bool> ids_;  // of the request's streams; true: input
  std::map<Id, std::shared_ptr<LiveEnd>> ends_;
  std::map<Id, std::shared_ptr<LiveEnd>> outputs_;  // still open
  std::set<int> terminals_;                         // commands whose terminal is read
  std::size_t waiting_ = 0;                         // bytes of input that no program took yet
  std::optional<service::Results> results_;
};

void Execution::hear(std::string_view message) {
  using Kind = StreamFrame::Kind;
  const StreamFrame frame = read_stream_frame(message, started_);
  switch (frame.kind) {
    case Kind::Request:
      return start(frame.rest);
    case Kind::Resize:
      return resize(frame.rest);
    case Kind::Input:
      return input(frame.stream, frame.rest);
    case Kind::Cancel:
      if (job_ != nullptr) job_->cancel();
      return;
    case Kind::End:
      if (const auto end = input_end(frame.stream)) end->write_end();
      return;
    case Kind::Refused:
      refuse(frame.refusal);
  }
}

void Execution::start(std::string_view json) {
  started_ = true;
  if (!request_lease_.cover(json.size()))
    return socket_->close(WebSocket::kTryAgainLater, service::kTooManyBytes);
  auto request = wire::decode_request(json);
  if (!request) return socket_->close(WebSocket::kBadPayload, describe(request.error()));
  if (request->id.size() > kLongestRequestId)
    return socket_->close(WebSocket::kBadPayload, kRequestIdTooLong);
  manner_ = {.id = request->id, .encoding = request->encoding, .wants_facts = request->wants_facts};
  auto ids = stream_ids(*request);
  if (!ids) return ended(std::unexpected(ids.error()));
  ids_ = *std::move(ids);
  if (!ids_.empty()) socket_->pause();  // until there is something to write to
  auto self = shared_from_this();
  job_ = service_.submit({.request = *std::move(request),
                          .done =
                              [self](service::Results results) {
                                self->socket_->post([self, results = std::move(results)]() mutable {
                                  self->ended(std::move(results));
                                });
                              },
                          .on_streams =
                              [self](std::vector<exec::LiveStream> streams) {
                                self->socket_->post([self, streams = std::move(streams)]() mutable {
                                  self->attach(std::move(streams));
                                });
                              },
                          .hangup = socket_->socket(),
                          .skip_queue = true});
}

void Execution::attach(std::vector<exec::LiveStream> streams) {
  for (exec::LiveStream& stream : streams)
    attach_one(std::move(stream));
  socket_->resume();
}

void Execution::attach_one(exec::LiveStream stream) {
  const Id id = stream_id(stream.index, stream.fd);
  auto end = std::make_shared<LiveEnd>(socket_->executor(), std::move(stream.end), stream.terminal);
  ends_[id] = end;
  if (stream.input) return;
  // All ends of a terminal give the same bytes: the first one gets them all, or they would be
  // scattered.
  if (stream.terminal && !terminals_.insert(stream.index).second) return;
  outputs_[id] = end;
  read_output(id);
}

std::shared_ptr<LiveEnd> Execution::input_end(Id id) {
  const auto named = ids_.find(id);
  if (named == ids_.end() || !named->second) {
    refuse("no such input stream");
    return nullptr;
  }
  const auto found = ends_.find(id);
  return found == ends_.end() ? nullptr : found->second;  // null: it is over
}

void Execution::resize(std::string_view json) {
  const auto size = wire::decode_resize(json);
  if (!size) return socket_->close(WebSocket::kBadPayload, describe(size.error()));
  if (size->index > kMostInStreamId || size->fd > kMostInStreamId)
    return refuse("no such input stream");
  const auto end = input_end(stream_id(size->index, size->fd));
  if (end == nullptr) return;
  if (!end->is_terminal()) return refuse("a resize of what is no terminal");
  end->resize(size->rows, size->columns, size->x, size->y);
}

void Execution::input(Id id, std::string_view bytes) {
  const auto end = input_end(id);
  if (end == nullptr || bytes.empty()) return;
  // A copy: what the socket has counted it gives back when this returns.
  if (!lease_.cover(waiting_ + bytes.size()))
    return socket_->close(WebSocket::kTryAgainLater, service::kTooManyBytes);
  waiting_ += bytes.size();
  const std::weak_ptr<Execution> weak = weak_from_this();
  end->write(std::string(bytes), [weak](std::size_t taken) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->waiting_ -= taken;
    self->lease_.shrink(self->waiting_);
    if (self->waiting_ <= kMostWaiting / 2) self->socket_->resume();
  });
  if (waiting_ > kMostWaiting) socket_->pause();
}

void Execution::read_output(Id id) {
  const auto found = outputs_.find(id);
  if (found == outputs_.end()) return;
  if (results_) return output_ended(id);
  found->second->read([self = shared_from_this(), id](std::string_view bytes) {
    if (bytes.empty()) return self->output_ended(id);
    self->send_output(id, bytes, [self, id] { self->read_output(id); });
  });
}

void Execution::send_output(Id id, std::string_view bytes, std::function<void()> sent) {
  std::string frame{static_cast<char>(kOutput), static_cast<char>(id)};
  frame.append(bytes);
  socket_->send(WebSocket::Kind::Binary, std::move(frame), std::move(sent));
}

// The program closed it, or the run is over: what is left in the pipe is all there will ever be.
void Execution::output_ended(Id id) {
  const auto found = outputs_.find(id);
  if (found == outputs_.end()) return;
  const std::string rest = found->second->read_rest();
  for (std::size_t at = 0; at < rest.size(); at += kPieceToClient)
    send_output(id, std::string_view(rest).substr(at, kPieceToClient), nullptr);
  if (tells_ends_)
    socket_->send(WebSocket::Kind::Binary, {static_cast<char>(kOutputEnd), static_cast<char>(id)},
                  nullptr);
  outputs_.erase(found);
  answer_when_all_is_said();
}

void Execution::ended(service::Results results) {
  results_.emplace(std::move(results));
  request_lease_.shrink(0);
  socket_->resume();
  // A pending read ends with nothing, and then takes what is left; one that waits for the client
  // does so when the client has taken its frame.
  for (const auto& [id, end] : outputs_)
    end->stop_reading();
  answer_when_all_is_said();
}

void Execution::answer_when_all_is_said() {
  if (!results_ || !outputs_.empty()) return;
  for (const auto& [id, end] : ends_)
    end->close();
  ends_.clear();
  const std::vector<exec::CommandResult> none;
  wire::Answer answer{.request_id = manner_.id, .results = &none};
  if (*results_)
    answer.results = &**results_;
  else
    answer.error = describe(results_->error());
  std::string frame(1, static_cast<char>(kAnswer));
  frame += wire::encode_answer(answer, manner_);
  if (!lease_.cover(waiting_ + frame.size()))
    return socket_->close(WebSocket::kTryAgainLater, service::kTooManyBytes);
  socket_->send(WebSocket::Kind::Binary, std::move(frame), nullptr);
  socket_->close(WebSocket::kNormal, "");
}

void Execution::closed() {
  if (job_ != nullptr) job_->cancel();
  outputs_.clear();
  for (const auto& [id, end] : ends_)
    end->close();
  ends_.clear();
}

}  // namespace

void serve_stream(Context& context, std::unique_ptr<Visit> visit, const Head& handshake) {
  const bool tells_ends = ("&" + handshake.query + "&").contains("&eof=1&");
  open_websocket(context, std::move(visit), handshake,
                 [&context, tells_ends](std::shared_ptr<WebSocket> socket) -> WebSocket::Events {
                   auto run = std::make_shared<Execution>(context, std::move(socket), tells_ends);
                   return {.message = [run](std::string_view bytes) { run->hear(bytes); },
                           .closed =
                               [run] {
                                 run->closed();
                               }};
                 });
}

}  // namespace assay::transport
