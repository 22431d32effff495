// What the routes of Normal-OJ's sandbox do, with its words: its back end reads them.
#include <fmt/format.h>

#include "transport/exchange.h"
#include "transport/multipart.h"
#include "transport/noj_doors.h"

namespace assay::transport {
namespace {

// Its token is in the body: whoever has none is read that far. More than an archive may be, and
// little else.
constexpr Bytes kLargestForm = 17_MiB;
constexpr std::size_t kMostFields = 32;
constexpr std::size_t kLongestField = 4096;

// Compared as all tokens are: as long for a wrong one as for the right one.
bool is_token(std::string_view given, const std::string& token) {
  return is_authorized("Bearer " + std::string(given), token);
}

// Its back end takes 500 as "come again", and 400 as "never".
Answer refusal(const Error& error) {
  if (error.fault == Fault::InvalidRequest) return text_answer(400, error.context);
  return json_answer(error.fault == Fault::Conflict ? 409 : 500,
                     wire::encode_noj_error(describe(error)));
}

Answer too_large() {
  return text_answer(400, fmt::format("a submission has at most {} bytes", kLargestForm.count));
}

// Too many bytes of others: as good as a full queue.
Answer too_busy() {
  return json_answer(500, wire::encode_noj_error(service::kTooManyBytes));
}

}  // namespace

Result<NojForm> read_noj_form(std::string_view body, std::string boundary) {
  if (boundary.empty()) return invalid("the body must be multipart/form-data");
  NojForm form;
  std::string* current = nullptr;
  std::size_t most = 0, fields = 0;
  const auto begin = [&](const FormReader::Part& part) {
    const bool is_archive = part.name == wire::kNojArchive;
    // All of them: one name a hundred thousand times would be one field.
    if (is_archive ? form.has_archive : fields++ == kMostFields) return FormReader::Wish::Stop;
    form.has_archive = form.has_archive || is_archive;
    current = is_archive ? &form.archive : &form.fields[part.name];
    current->clear();
    most = is_archive ? body.size() : kLongestField;
    return FormReader::Wish::Take;
  };
  const auto write = [&](std::string_view bytes) {
    current->append(bytes);
    return current->size() <= most;
  };
  FormReader reader(std::move(boundary), {.begin = begin, .write = write});
  if (!reader.put(body) || !reader.is_complete()) return invalid("not a whole form");
  return form;
}

// Anybody may send a form, as far as can be told before it is here: what it takes is not taken from
// those who showed a token, and it takes it for a while only.
Task<Answer> Exchange::noj_submit() {
  Budget::Lease lease(context_.strangers);
  body_due_ = std::chrono::steady_clock::now() + limits_.form;
  std::string body;
  bool fits = true;
  parser_.body_to([&](std::string_view bytes) {
    fits = body.size() + bytes.size() <= kLargestForm.count;
    if (!fits || !lease.cover(body.size() + bytes.size())) return false;
    body.append(bytes);
    return true;
  });
  const int trouble = co_await read_body();
  if (trouble != kFine) {
    Answer answer = answer_to_trouble(trouble);  // which also ends the connection
    const bool refused = parser_.trouble() == Parser::Trouble::SinkRefused;
    if (refused) answer = fits ? too_busy() : too_large();
    answer.close = true;
    co_return answer;
  }
  const NojDoors& doors = *context_.options.noj;
  auto form = read_noj_form(body, boundary_of(parser_.head().field("Content-Type")));
  body = {};
  if (!form) co_return refusal(form.error());
  if (!is_token(wire::noj_token(form->fields), doors.token))
    co_return text_answer(403, "invalid token");
  const auto what = wire::decode_noj_submission(form->fields);
  if (!what) co_return refusal(what.error());
  if (!form->has_archive) co_return text_answer(400, "no file in 'src' directory");
  const Status taken = doors.submit(matched_.parameter, *what, std::move(form->archive));
  if (!taken) co_return refusal(taken.error());
  co_return json_answer(200, wire::encode_noj_ok());
}

Answer Exchange::noj_status() {
  const NojDoors& doors = *context_.options.noj;
  const std::string token = query_field(parser_.head().query, wire::kNojToken);
  return json_answer(200, wire::encode_noj_status(doors.queue(), is_token(token, doors.token)));
}

Task<Answer> Exchange::respond_to_noj(Route route) {
  if (route == Route::NojSubmit) co_return co_await noj_submit();
  co_return noj_status();
}

}  // namespace assay::transport
