// What the routes of our own interface do.
#include <fmt/format.h>
#include <poll.h>

#include <charconv>

#include "store/digest.h"
#include "transport/exchange.h"
#include "transport/failure.h"
#include "transport/judging_doors.h"
#include "transport/judging_feed.h"
#include "transport/judging_order.h"
#include "transport/judging_wait.h"
#include "transport/submission_form.h"
#include "wire/judging.h"

namespace assay::transport {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookForClient = 500ms;
constexpr auto kHeartbeat = 15'000ms;

bool has_hung_up(int socket) {
  pollfd line{.fd = socket, .events = POLLRDHUP, .revents = 0};
  return ::poll(&line, 1, 0) > 0 && (line.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

// "Last-Event-ID: 7" or "?after=7": what a client that comes back has seen.
std::uint64_t seen_by(const Head& head) {
  std::string text = query_field(head.query, "after");
  if (text.empty()) text = head.field("Last-Event-ID");
  std::uint64_t seen = 0;
  std::from_chars(text.data(), text.data() + text.size(), seen);
  return seen;
}

// Those that are new, or a comment that keeps the connection from looking dead. Some at a time: a
// judging may have a hundred thousand of them.
std::string events_text(const service::Judging& judging, std::uint64_t& seen, bool& ended) {
  std::string text;
  // Before the events: whatever is told in between is told again, never lost.
  ended = judging.is_settled();
  constexpr std::size_t kEnough = 64 << 10;
  while (const auto event = judging.event_after(seen)) {
    const std::string next =
        fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event->number, wire::name_of(event->step),
                    wire::encode_event(*event, judging));
    // A large one comes alone: there may be no room for it, and there was for those before.
    if (!text.empty() && text.size() + next.size() > kEnough) {
      ended = false;  // or not yet for this listener
      break;
    }
    text += next;
    seen = event->number;
  }
  return text.empty() && !ended ? ": still here\n\n" : text;
}

}  // namespace

Result<wire::SubmissionRequest> Exchange::decode_form(const std::string& body, std::string boundary,
                                                      service::Supply& supply) const {
  SubmissionForm form(std::move(boundary));
  form.put(body);
  SubmissionForm::Parts parts = TRY(form.finish());
  if (parts.has_archive) {
    parts.files.archive_digest = store::digest_of(parts.archive);
    parts.files.archive = TRY(supply.contents().text(std::move(parts.archive)));
  }
  return wire::decode_submission(parts.request, supply, std::move(parts.files));
}

Result<wire::SubmissionRequest> Exchange::decode_order(const std::string& body,
                                                       Budget::Lease& lease) {
  const JudgingDoors& doors = *context_.options.judging;
  std::string boundary = boundary_of(parser_.head().field("Content-Type"));
  const std::uint64_t kept = boundary.empty() ? body.size() : 2 * body.size();  // parts are copies
  if (!lease.cover(kept)) return std::unexpected(Error{Fault::Busy, 0, service::kTooManyBytes});
  service::Supply supply(doors.contents,
                         [&](std::uint64_t sources) { return lease.cover(kept + sources); });
  wire::SubmissionRequest request =
      TRY(boundary.empty() ? wire::decode_submission(body, supply)
                           : decode_form(body, std::move(boundary), supply));
  request.order.size = {body.size() + supply.sources().count};
  TRY_STATUS(complete(request.order, doors, {.webhook = "$.webhook", .problem_id = "$.problemId"}));
  return request;
}

Task<Answer> Exchange::submit_judging() {
  Budget::Lease lease(context_.budget);
  std::string body;
  const int trouble = co_await read_text(body, lease);
  if (trouble != kFine) co_return answer_to_trouble(trouble);
  auto request = decode_order(body, lease);
  body = {};
  if (!request) co_return failure_answer(request.error());
  const bool is_ours = request->order.submission.id.empty();
  request->order.waits = request->wait;
  service::Judgings& judgings = context_.options.judging->judgings;
  auto taken = judgings.submit(std::move(request->order));
  if (!taken) co_return failure_answer(taken.error());
  service::Judging& judging = *taken->judging;
  bool is_removed = false;
  while (request->wait && !judging.is_settled()) {
    co_await JudgingWait(context_.io, judging, service::Judging::kEnd, kLookForClient);
    if (is_removed || !has_hung_up(line_.visit().socket())) continue;
    if (!is_ours) break;
    // Nobody knows its name: nobody can ask for it later. Who only says nothing more, and still
    // listens, is told that it was cancelled.
    (void)judgings.remove(judging.id());
    is_removed = true;
  }
  const bool over = judging.view().result != nullptr;
  Answer answer = json_answer(over ? 200 : 202, wire::encode_judging(judging));
  if (!is_removed) answer.fields.emplace_back("Location", "/v1/submissions/" + judging.id());
  co_return answer;
}

Answer Exchange::get_judging() {
  auto judging = context_.options.judging->judgings.find(matched_.parameter);
  if (!judging) return failure_answer(judging.error());
  return json_answer(200, wire::encode_judging(**judging));
}

Answer Exchange::delete_judging() {
  const Status removed = context_.options.judging->judgings.remove(matched_.parameter);
  return removed ? empty_answer(204) : failure_answer(removed.error());
}

// Server-sent events: what has happened so far, and what happens, until the result.
Task<Answer> Exchange::tell_judging() {
  auto found = context_.options.judging->judgings.find(matched_.parameter);
  if (!found) co_return failure_answer(found.error());
  const std::shared_ptr<service::Judging> judging = *found;
  const Head& head = parser_.head();
  if (head.has_token("Upgrade", "websocket")) co_return upgrade_to_feed(judging);
  std::uint64_t seen = seen_by(head);
  Answer answer{.fields = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
                .close = true,
                .without_length = true};
  const std::string start = render_head(answer, {.version = head.version, .keep_alive = false});
  streamed_ = true;
  line_.visit().expect(Phase::Writing, limits_.write);
  bool alive = co_await line_.send(start, {}, false);
  for (bool ended = false; alive && !ended;) {
    const std::string text = events_text(*judging, seen, ended);
    // The result is one event, of any size. Whoever is sent away knows how far he was told.
    if (text.size() > kSmallAnswer && !answer_lease_.cover(text.size())) break;
    line_.visit().expect(Phase::Writing, limits_.write);
    if (!text.empty()) alive = co_await line_.send(text, {}, false);
    answer_lease_.shrink(0);
    line_.visit().be_busy();
    if (alive && !ended) co_await JudgingWait(context_.io, *judging, seen, kHeartbeat);
  }
  if (alive) co_await line_.linger();
  note(answer);
  co_return Answer{};
}

Answer Exchange::upgrade_to_feed(std::shared_ptr<service::Judging> judging) {
  if (!is_websocket_handshake()) return bad_handshake();
  upgraded_ = true;
  const Head& head = parser_.head();
  serve_feed(context_, line_.release(), head, std::move(judging), seen_by(head));
  return {};
}

Task<Answer> Exchange::respond_to_judging(Route route) {
  const JudgingDoors& doors = *context_.options.judging;
  switch (route) {
    case Route::Submit:
      co_return co_await submit_judging();
    case Route::Submission:
      co_return get_judging();
    case Route::SubmissionDelete:
      co_return delete_judging();
    case Route::SubmissionEvents:
      co_return co_await tell_judging();
    case Route::Languages:
      co_return json_answer(200, doors.languages_json());
    case Route::ProblemList:
      co_return json_answer(200, wire::encode_problems(doors.problems.list()));
    case Route::ProblemPut:
      co_return co_await put_problem();
    case Route::Problem:
      co_return get_problem();
    case Route::ProblemDelete:
      co_return delete_problem();
    default:
      break;
  }
  co_return not_found();
}

}  // namespace assay::transport
