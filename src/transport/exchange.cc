#include "transport/exchange.h"

#include "wire/json.h"
#include "wire/openapi.h"

namespace assay::transport {
namespace {

constexpr std::size_t kSmallRead = 4096;
constexpr std::size_t kLargeRead = 65536;

}  // namespace

Exchange::Exchange(Context& context, Line& line, std::string& unread, Door door)
    : context_(context),
      limits_(context.options.limits),
      line_(line),
      unread_(unread),
      door_(door),
      parser_(limits_.header, limits_.body),
      answer_lease_(context.budget) {}

Task<Exchange::Next> Exchange::run(Phase before) {
  const int trouble = co_await read_head(before);
  if (trouble == kGone) co_return Next::Close;
  Answer answer;
  if (trouble != kFine)
    answer = answer_to_trouble(trouble);
  else
    answer = co_await respond();
  if (upgraded_) {
    note({.status = 101});
    co_return Next::Upgraded;
  }
  if (streamed_) co_return Next::Close;
  const bool goes_on = co_await send(affordable(std::move(answer)));
  if (unread_.capacity() > 4 * kSmallRead) unread_.shrink_to_fit();
  co_return goes_on ? Next::Again : Next::Close;
}

Task<int> Exchange::receive_more(std::size_t most) {
  const std::size_t before = unread_.size();
  unread_.resize(before + most);
  const ssize_t got = co_await line_.receive(unread_.data() + before, most);
  unread_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  received_ += unread_.size() - before;
  if (got > 0) co_return kFine;
  co_return line_.visit().timed_out() && received_ > 0 ? 408 : kGone;
}

int Exchange::status_of_trouble() const {
  switch (parser_.trouble()) {
    case Parser::Trouble::None:
      return kFine;
    case Parser::Trouble::HeaderTooLarge:
      return 431;
    case Parser::Trouble::BodyTooLarge:
      return 413;
    case Parser::Trouble::SinkRefused:
      return 503;
    case Parser::Trouble::Malformed:
      break;
  }
  return 400;
}

Task<int> Exchange::read_head(Phase before) {
  line_.visit().expect(unread_.empty() ? before : Phase::Reading, limits_.idle);
  received_ = unread_.size();
  while (true) {
    if (!unread_.empty()) {
      if (began_ == std::chrono::steady_clock::time_point{}) {
        began_ = std::chrono::steady_clock::now();
        line_.visit().expect(Phase::Reading, limits_.idle);
        if (line_.visit().leaves()) co_return kGone;
      }
      unread_.erase(0, parser_.put(unread_));
      if (const int status = status_of_trouble(); status != kFine) co_return status;
      if (parser_.header_is_done()) co_return kFine;
    }
    const int trouble = co_await receive_more(kSmallRead);
    if (trouble != kFine) co_return trouble;
  }
}

std::chrono::milliseconds Exchange::patience_for_body() const {
  using std::chrono::milliseconds;
  if (body_due_ == std::chrono::steady_clock::time_point::max()) return limits_.body_progress;
  const auto left = body_due_ - std::chrono::steady_clock::now();
  return std::clamp(std::chrono::duration_cast<milliseconds>(left), milliseconds(1),
                    milliseconds(limits_.body_progress));
}

Task<int> Exchange::read_body() {
  if (continue_due_) {
    continue_due_ = false;
    line_.visit().expect(Phase::Writing, limits_.write);
    const bool sent = co_await line_.send("HTTP/1.1 100 Continue\r\n\r\n", {}, false);
    if (!sent) co_return kGone;
  }
  while (true) {
    if (!unread_.empty()) unread_.erase(0, parser_.put(unread_));
    if (const int status = status_of_trouble(); status != kFine) co_return status;
    if (parser_.is_done()) break;
    // A chunk's header or a trailer that does not end: nobody else counts those bytes.
    if (unread_.size() > limits_.header.count) co_return 431;
    line_.visit().expect(Phase::Reading, patience_for_body());
    const int trouble = co_await receive_more(kLargeRead);
    if (trouble != kFine) co_return trouble;
  }
  line_.visit().be_busy();
  co_return kFine;
}

bool Exchange::is_allowed() const {
  const std::string& token = context_.options.auth_token;
  return !matched_.needs_token || token.empty() ||
         is_authorized(const_cast<Parser&>(parser_).head().field("Authorization"), token);
}

Task<Answer> Exchange::respond() {
  Head& head = parser_.head();
  line_.visit().be_busy();
  if (!split_target(head)) co_return answer_to_trouble(400);
  if (head.version == 11 && head.field("Host").empty()) co_return answer_to_trouble(400);
  matched_ = match(door_, head.method, head.path);
  const bool is_noj = matched_.route == Route::NojSubmit || matched_.route == Route::NojStatus;
  if (is_noj && context_.options.noj == nullptr) matched_ = Matched{};
  const std::string_view expect = head.field("Expect");
  continue_due_ = head.has_body && same_word(expect, "100-continue") && unread_.empty();
  if (!expect.empty() && !same_word(expect, "100-continue")) co_return answer_to_trouble(417);
  if (!is_allowed()) co_return empty_answer(401);
  co_return co_await respond_to(matched_.route);
}

Task<Answer> Exchange::respond_to(Route route) {
  switch (route) {
    case Route::Run:
      co_return co_await run_request();
    case Route::FileAdd:
      co_return co_await add_file();
    case Route::FileList:
      co_return json_answer(200, wire::encode_files(context_.service.store().list()));
    case Route::FileGet:
      co_return get_file();
    case Route::FileDelete:
      co_return delete_file();
    case Route::Version:
      co_return json_answer(200, context_.options.version_json);
    case Route::Config:
      co_return json_answer(200, context_.options.config_json);
    case Route::Socket:
    case Route::Stream:
      co_return upgrade();
    case Route::Health:
      co_return text_answer(200, "ok\n");
    case Route::Ready:
      co_return ready();
    case Route::OpenApi:
      co_return json_answer(200, std::string(wire::openapi_json()));
    case Route::Metrics:
      if (context_.options.metrics == nullptr) break;
      co_return Answer{.fields = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
                       .body = context_.options.metrics->text()};
    case Route::None:
      break;
    case Route::ProcessStart:
    case Route::ProcessList:
    case Route::Process:
    case Route::ProcessWait:
    case Route::ProcessInput:
    case Route::ProcessOutput:
    case Route::ProcessEnd:
      if (context_.options.processes == nullptr) break;
      co_return co_await respond_to_process(route);
    case Route::NojSubmit:
    case Route::NojStatus:
      co_return co_await respond_to_noj(route);
    default:
      if (context_.options.judging != nullptr) co_return co_await respond_to_judging(route);
  }
  co_return not_found();
}

}  // namespace assay::transport
