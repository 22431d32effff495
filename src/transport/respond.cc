// What the routes do.
#include <fmt/format.h>

#include "transport/exchange.h"
#include "transport/files.h"
#include "transport/running.h"
#include "transport/socket.h"
#include "transport/upload.h"
#include "wire/json.h"

namespace assay::transport {

// A length that somebody only says is not reserved, but where the body grows large it is grown
// once: by halves it would be there twice while it is copied.
Task<int> Exchange::read_text(std::string& body, Budget::Lease& lease) {
  const std::uint64_t length = parser_.head().content_length.value_or(0);
  body.reserve(std::min<std::uint64_t>(length, 1U << 20U));
  parser_.body_to([&](std::string_view bytes) {
    if (!lease.cover(body.size() + bytes.size())) return false;
    if (body.size() + bytes.size() > body.capacity() && length > body.capacity())
      body.reserve(length);
    body.append(bytes);
    return true;
  });
  co_return co_await read_body();
}

Task<Answer> Exchange::run_request() {
  Budget::Lease lease(context_.budget);
  std::string body;
  const int trouble = co_await read_text(body, lease);
  if (trouble != kFine) co_return answer_to_trouble(trouble);
  auto request = wire::decode_request(body);
  body = {};  // what it said is in the request now
  if (!request) co_return error_answer(request.error());
  if (request->commands.empty()) co_return json_answer(400, wire::encode_string("no cmd provided"));
  const exec::Request manner{.encoding = request->encoding, .wants_facts = request->wants_facts};
  Running running(
      context_.service,
      {.request = *std::move(request), .hangup = line_.visit().socket(), .run_here = true});
  const service::Results results = co_await running;
  if (!results) co_return error_answer(results.error());
  Answer answer = affordable(json_answer(200, wire::encode_results(*results, manner)));
  if (answer.status != 200) forget_files(context_.service.store(), *results);
  co_return answer;
}

Task<Answer> Exchange::add_file() {
  Upload upload(context_.service.store(), parser_.head().field("Content-Type"));
  parser_.body_to([&](std::string_view bytes) { return upload.put(bytes); });
  const int trouble = co_await read_body();
  const bool refused = parser_.trouble() == Parser::Trouble::SinkRefused;
  if (trouble != kFine && !refused) co_return answer_to_trouble(trouble);
  auto kept = upload.finish();
  if (!kept) {
    Answer answer = empty_answer(kept.error().fault == Fault::InvalidRequest ? 400 : 500);
    answer.close = refused;
    co_return answer;
  }
  co_return json_answer(200, wire::encode_string(*kept));
}

Answer Exchange::get_file() {
  auto file = context_.service.store().get(matched_.parameter);
  if (!file) return empty_answer(file.error().fault == Fault::System ? 500 : 404);
  return file_answer(*std::move(file), parser_.head());
}

Answer Exchange::delete_file() {
  const Status removed = context_.service.store().remove(matched_.parameter);
  if (removed) return empty_answer(200);
  return empty_answer(removed.error().fault == Fault::System ? 500 : 404);
}

Answer Exchange::ready() const {
  const service::Snapshot now = context_.service.snapshot();
  const bool draining = now.draining || context_.registry.is_draining();
  return json_answer(draining ? 503 : 200,
                     fmt::format(R"({{"ready":{},"queued":{},"running":{},"workers":{}}})",
                                 !draining, now.queued, now.running, now.workers));
}

// Bytes behind the handshake would be a client that talks before it was let in.
bool Exchange::is_websocket_handshake() {
  const Head& head = parser_.head();
  return head.has_token("Connection", "upgrade") && head.has_token("Upgrade", "websocket") &&
         !head.has_body && !head.field("Sec-WebSocket-Key").empty() &&
         head.field("Sec-WebSocket-Version") == "13" && unread_.empty();
}

Answer Exchange::bad_handshake() {
  Answer answer = text_answer(400, "Bad Request\n");
  answer.fields.emplace_back("Sec-WebSocket-Version", "13");
  return answer;
}

Answer Exchange::upgrade() {
  if (!is_websocket_handshake()) return bad_handshake();
  upgraded_ = true;
  const auto serve = matched_.route == Route::Socket ? serve_requests : serve_stream;
  serve(context_, line_.release(), parser_.head());
  return {};
}

}  // namespace assay::transport
