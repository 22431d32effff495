// What the routes of /v1/processes do.
#include <charconv>

#include "service/processes.h"
#include "transport/descriptor_wait.h"
#include "transport/exchange.h"
#include "transport/failure.h"
#include "wire/processes.h"

namespace assay::transport {
namespace {

using namespace std::chrono_literals;
using service::LiveProcess;

constexpr auto kLongestWait = 60'000ms;  // for output or for room; shorter than any expiry
constexpr auto kRoomWait = 10'000ms;
constexpr std::size_t kLargestPiece = 1 << 20;
constexpr Nanoseconds kFromOutputToEnd = 100ms;

// "wait=MS" of the query, in any place.
Result<std::chrono::milliseconds> wait_of(const Head& head) {
  const std::string query = "&" + head.query + "&";
  const std::size_t at = query.find("&wait=");
  if (at == std::string::npos) return 0ms;
  const char* const end = query.data() + query.find('&', at + 1);
  std::int64_t ms = 0;
  const auto [stop, error] = std::from_chars(query.data() + at + 6, end, ms);
  if (error != std::errc() || stop != end || ms < 0 || ms > kLongestWait.count())
    return invalid("wait: expected milliseconds, 0 to " + std::to_string(kLongestWait.count()));
  return std::chrono::milliseconds(ms);
}

Answer process_answer(unsigned status, const std::string& id, const held::Reading& reading) {
  return json_answer(status, wire::encode_process(id, reading));
}

}  // namespace

Task<Answer> Exchange::start_process() {
  auto lease = std::make_shared<Budget::Lease>(context_.budget);
  std::string body;
  const int trouble = co_await read_text(body, *lease);
  if (trouble != kFine) co_return answer_to_trouble(trouble);
  auto order = wire::decode_process(body);
  body = {};
  if (!order) co_return failure_answer(order.error());
  order->kept = std::move(lease);
  co_await context_.aside.step();
  auto process = context_.options.processes->start(*std::move(order));
  if (!process) co_return failure_answer(process.error());
  Answer answer = process_answer(201, (*process)->id(), (*process)->process().look());
  answer.fields.emplace_back("Location", "/v1/processes/" + (*process)->id());
  co_return answer;
}

// Until all is taken, or the program has taken nothing for a while: the answer says how much.
Task<Answer> Exchange::feed_process() {
  Budget::Lease lease(context_.budget);
  std::string body;
  const int trouble = co_await read_text(body, lease);
  if (trouble != kFine) co_return answer_to_trouble(trouble);
  auto process = context_.options.processes->find(matched_.parameter);
  if (!process) co_return failure_answer(process.error());
  std::size_t written = 0;
  bool closed = false;
  for (bool waited = false; written < body.size();) {
    const auto took = (*process)->write(std::string_view(body).substr(written));
    if (!took) co_return failure_answer(took.error());
    closed = !took->has_value();
    if (closed || (**took == 0 && waited)) break;
    written += **took;
    waited = **took == 0;
    if (!waited) continue;
    auto room = (*process)->descriptor(LiveProcess::Side::Input);
    if (room)
      co_await DescriptorWait(context_.io, *std::move(room), DescriptorWait::Descriptor::wait_write,
                              kRoomWait);
  }
  const bool ends = ("&" + parser_.head().query + "&").contains("&end=1&");
  if (ends && written == body.size())
    if (const Status ended = (*process)->end_input(); !ended)
      co_return failure_answer(ended.error());
  co_return json_answer(200, wire::encode_written(written, closed));
}

// What there is; where there is nothing, what comes until the time is over. Who first sees the end
// usually asks why: then it should have ended.
Task<Answer> Exchange::read_process() {
  const auto patience = wait_of(parser_.head());
  if (!patience) co_return failure_answer(patience.error());
  auto process = context_.options.processes->find(matched_.parameter);
  if (!process) co_return failure_answer(process.error());
  auto got = (*process)->read(kLargestPiece);
  if (got && got->bytes.empty() && !got->end && *patience > 0ms) {
    auto output = (*process)->descriptor(LiveProcess::Side::Output);
    if (output)
      co_await DescriptorWait(context_.io, *std::move(output),
                              DescriptorWait::Descriptor::wait_read, *patience);
    got = (*process)->read(kLargestPiece);
  }
  if (!got) co_return failure_answer(got.error());
  if (got->first_to_see) {
    co_await context_.aside.step();
    (*process)->process().await_end(kFromOutputToEnd);
  }
  co_return Answer{.fields = {{"Content-Type", "application/octet-stream"},
                              {"Cache-Control", "no-store"},
                              {"Assay-Output", got->end ? "end" : "open"}},
                   .body = std::move(got->bytes)};
}

Task<Answer> Exchange::respond_to_process(Route route) {
  service::Processes& processes = *context_.options.processes;
  const std::string& id = matched_.parameter;
  if (route == Route::ProcessStart) co_return co_await start_process();
  if (route == Route::ProcessInput) co_return co_await feed_process();
  if (route == Route::ProcessOutput) co_return co_await read_process();
  if (route == Route::ProcessList)
    co_return json_answer(200, wire::encode_processes(processes.list()));
  if (route == Route::ProcessEnd) {
    co_await context_.aside.step();
    const auto last = processes.terminate(id);
    co_return last ? process_answer(200, id, *last) : failure_answer(last.error());
  }
  auto process = processes.find(id);
  if (!process) co_return failure_answer(process.error());
  held::Process& found = (*process)->process();
  co_return process_answer(200, id, route == Route::ProcessWait ? found.wait() : found.look());
}

}  // namespace assay::transport
