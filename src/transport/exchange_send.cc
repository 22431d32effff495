// How an answer leaves, and what is noted of it.
#include <fmt/format.h>

#include "transport/exchange.h"
#include "wire/json.h"

namespace assay::transport {
namespace {

constexpr std::uint64_t kSkippable = 262144;  // of an unwanted body, to save the connection

// What may stand in a header, a log and a label, whoever sent it.
std::string_view known_method(std::string_view method) {
  for (const std::string_view known :
       {"GET", "POST", "DELETE", "HEAD", "PUT", "OPTIONS", "PATCH"}) {
    if (method == known) return known;
  }
  return "OTHER";
}

bool is_plain_id(std::string_view id) {
  if (id.empty() || id.size() > 128) return false;
  for (const char letter : id) {
    if (letter <= 0x20 || letter >= 0x7f) return false;
  }
  return true;
}

}  // namespace

Answer Exchange::answer_to_trouble(int status) {
  Answer answer;
  switch (status) {
    case 413:
      answer = json_answer(413, wire::encode_string(fmt::format("the body is larger than {} bytes",
                                                                limits_.body.count)));
      break;
    case 503:
      answer = json_answer(503, wire::encode_string(service::kTooManyBytes));
      answer.fields.emplace_back("Retry-After", "1");
      break;
    case 408:
      answer = text_answer(408, "408 Request Timeout");
      break;
    case 417:
      answer = text_answer(417, "417 Expectation Failed");
      break;
    case 431:
      answer = text_answer(431, "431 Request Header Fields Too Large");
      break;
    default:
      answer = text_answer(400, "400 Bad Request");
  }
  answer.close = true;
  return answer;
}

// A client that does not read has us keep its answer for as long as it takes a byte a minute.
Answer Exchange::affordable(Answer answer) {
  if (answer.body.size() <= kSmallAnswer || answer_lease_.cover(answer.body.size())) return answer;
  return answer_to_trouble(503);
}

// A body that nobody wanted: a small one is read, so that the connection stays usable.
Task<bool> Exchange::skip_body(Answer& answer) {
  if (answer.close || !parser_.header_is_done() || parser_.is_done()) co_return true;
  if (continue_due_ || parser_.head().content_length.value_or(kSkippable + 1) > kSkippable) {
    answer.close = true;
    co_return true;
  }
  parser_.body_to(nullptr);
  const int trouble = co_await read_body();
  if (trouble != kFine) answer.close = true;
  co_return trouble != kGone;
}

Task<bool> Exchange::send(Answer answer) {
  const bool somebody = co_await skip_body(answer);
  if (!somebody) co_return false;
  const Head& head = parser_.head();
  Manner manner{.version = head.version == 10 ? 10U : 11U,
                .keep_alive = head.keep_alive && !answer.close && !context_.registry.is_draining()};
  manner.asked_to_keep_alive = manner.version == 10 && manner.keep_alive;
  if (const std::string_view id = head.field("X-Request-Id"); is_plain_id(id))
    answer.fields.emplace_back("X-Request-Id", id);
  const std::string text = render_head(answer, manner);
  const bool bodiless = head.method == "HEAD" || answer.status == 304;
  line_.visit().expect(Phase::Writing, limits_.write);
  bool sent = false;
  if (answer.file && !bodiless) {
    sent = co_await line_.send(text, {}, answer.file->size > 0);
    if (sent) sent = co_await line_.send_file(*answer.file);
  } else {
    sent = co_await line_.send(text, bodiless ? std::string_view{} : answer.body, false);
  }
  line_.visit().be_busy();
  note(answer);
  if (sent && manner.keep_alive) co_return true;
  if (sent) co_await line_.linger();
  co_return false;
}

void Exchange::note(const Answer& answer) const {
  const Options& options = context_.options;
  if (options.metrics == nullptr && options.access_log == nullptr) return;
  const Head& head = const_cast<Parser&>(parser_).head();
  const ExchangeFacts facts{
      .status = answer.status,
      .method = known_method(head.method),
      .pattern = matched_.pattern,
      .duration = std::chrono::steady_clock::now() - began_,
      .request = Bytes{received_ - unread_.size()},
      .response = Bytes{answer.file ? answer.file->size : answer.body.size()}};
  if (options.metrics != nullptr) options.metrics->exchange_ended(facts);
  if (options.access_log == nullptr) return;
  const std::string_view id = head.field("X-Request-Id");
  options.access_log(fmt::format(
      R"({{"method":"{}","route":"{}","status":{},"microseconds":{},"received":{},"sent":{}{}}})",
      facts.method, facts.pattern, facts.status, facts.duration.count() / 1000, facts.request.count,
      facts.response.count,
      is_plain_id(id) ? R"(,"requestId":)" + wire::encode_string(id) : std::string{}));
}

}  // namespace assay::transport
