// What clients send as JSON or as a form.
#include "base/check.h"
#include "fuzz/contents.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "wire/json.h"
#include "wire/judging.h"
#include "wire/noj_intake.h"
#include "wire/processes.h"

namespace assay::fuzz {
namespace {

template <typename T>
bool names_a_place(const Result<T>& refused, std::size_t input) {
  const std::string& words = refused.error().context;
  return is_explained(refused, input) && (words.starts_with('$') || words == "no cmd provided");
}

}  // namespace

// Anything as a request: an error that names the place, or a request that survives being written
// and read again.
void run_request(std::string_view bytes) {
  if (const auto request = wire::decode_request(bytes)) {
    const auto again = wire::decode_request(wire::encode_request(*request));
    CHECK(again.has_value() && *again == *request);
  } else {
    CHECK(names_a_place(request, bytes.size()));
  }
  if (const auto message = wire::decode_socket_message(bytes); !message)
    CHECK(names_a_place(message, bytes.size()));
  if (const auto resize = wire::decode_resize(bytes))
    CHECK(resize->rows <= UINT16_MAX && resize->columns <= UINT16_MAX && resize->index >= 0 &&
          resize->fd >= 0);
  else
    CHECK(names_a_place(resize, bytes.size()));
}

void submission(std::string_view bytes) {
  SomeContents contents;
  service::Supply supply(contents);
  if (const auto request = wire::decode_submission(bytes, supply)) {
    const service::JudgeOrder& order = request->order;
    CHECK(!order.submission.sources.empty() || order.submission.archive);
    CHECK((order.problem == nullptr) != order.problem_id.empty());
    CHECK(!order.digest.empty());
  } else {
    CHECK(names_a_place(request, bytes.size()));
  }
  if (const auto problem = wire::decode_problem(bytes, supply))
    CHECK(problem->processes >= 1);
  else
    CHECK(names_a_place(problem, bytes.size()));
}

void process_request(std::string_view bytes) {
  if (const auto order = wire::decode_process(bytes))
    CHECK(!order->command.args.empty());
  else
    CHECK(names_a_place(order, bytes.size()));
}

// Fields of a form, each a name and a value.
void noj_intake(std::string_view bytes) {
  Slices in(bytes);
  wire::NojFields fields;
  while (!in.is_empty()) {
    const std::string_view name = in.part();
    fields.insert_or_assign(std::string(name), std::string(in.part()));
  }
  if (const auto submission = wire::decode_noj_submission(fields)) {
    CHECK(submission->language <= 2);
  } else {
    CHECK(is_explained(submission, bytes.size()));
    const std::string answer = wire::encode_noj_error(submission.error().context);
    CHECK(answer.starts_with(R"({"status":"err","message":")") && answer.ends_with("}"));
  }
  CHECK(wire::noj_token(fields).size() <= bytes.size());
}

}  // namespace assay::fuzz
