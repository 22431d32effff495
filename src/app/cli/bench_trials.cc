#include "app/cli/bench_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/cli/bench_guest.h"
#include "app/cli/bench_hostile.h"
#include "app/cli/json_text.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using Clock = std::chrono::steady_clock;

// --- POST /run: a guest by its stored file ---

Result<std::string> upload(HttpLine& line, Guest guest) {
  const GuestFile file = TRY(GuestFile::make(guest));
  const std::string image = TRY(os::read_whole(file.path()));
  const std::string body =
      "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"guest\"\r\n\r\n" + image +
      "\r\n--XX--\r\n";
  const std::string head = fmt::format(
      "POST /file HTTP/1.1\r\nHost: bench\r\nContent-Type: multipart/form-data; boundary=XX\r\n"
      "Content-Length: {}\r\n\r\n",
      body.size());
  const HttpLine::Answer answer = TRY(line.exchange(head + body));
  if (answer.status != 200 || answer.body.size() < 3 || answer.body[0] != '"')
    return system_error(0, "the server did not take a file: " + answer.body);
  return answer.body.substr(1, answer.body.rfind('"') - 1);
}

std::string run_request(const std::string& file, const std::vector<std::string>& arguments,
                        const sandbox::Limits& limits, const char* wants_out = nullptr) {
  std::string argv = "\"./guest\"";
  for (const std::string& argument : arguments)
    argv += "," + json_quoted(argument);
  const std::string out =
      wants_out == nullptr ? "" : fmt::format(R"(,"copyOut":["{}"])", wants_out);
  return http_request(
      "POST", "/run",
      fmt::format(
          R"({{"cmd":[{{"args":[{}],"files":[{{"content":""}},{{"name":"stdout","max":65536,"pipe":true}},)"
          R"({{"name":"stderr","max":65536}}],"cpuLimit":{},"clockLimit":{},"memoryLimit":{},)"
          R"("procLimit":{},"copyIn":{{"guest":{{"fileId":"{}"}}}}{}}}]}})",
          argv, limits.cpu_time->count(), limits.wall_time->count(), limits.memory->count,
          *limits.processes, file, out));
}

std::vector<std::string> statuses(const std::vector<const char*>& names) {
  std::vector<std::string> all;
  for (const char* name : names)
    all.push_back(fmt::format(R"("status":"{}")", name));
  return all;
}

Status add_runs(HttpLine& line, bool hostile, std::vector<Trial>& trials) {
  using namespace std::chrono_literals;
  const auto limits = [](Nanoseconds cpu) {
    return sandbox::Limits{.cpu_time = cpu, .wall_time = 60s, .memory = 64_MiB, .processes = 4};
  };
  const std::string work = TRY(upload(line, Guest::Work));
  const std::string spin = TRY(upload(line, Guest::Spin));
  const std::string crash = TRY(upload(line, Guest::Crash));
  trials.push_back({.name = "work",
                    .request = run_request(work, {"40000000"}, limits(1s)),
                    .right = statuses({"Accepted"}),
                    .timed = true});
  trials.push_back({.name = "spin",
                    .request = run_request(spin, {}, limits(30ms)),
                    .right = statuses({"Time Limit Exceeded"})});
  trials.push_back({.name = "crash",
                    .request = run_request(crash, {}, limits(1s)),
                    .right = statuses({"Signalled"})});
  if (!hostile) return {};
  const std::string harm = TRY(upload(line, Guest::Hostile));
  for (const Hostile& kind : hostile_kinds())
    trials.push_back({.name = kind.name,
                      .hostile = true,
                      .request = run_request(harm, {kind.name}, kind.limits, kind.wants_out),
                      .right = statuses(kind.statuses)});
  return {};
}

// --- POST /v1/submissions: sources in C, compiled once and judged again and again ---

struct Source {
  const char* name;
  bool hostile;
  const char* verdict;
  unsigned cpu_ms;  // generous, but where it is the limit that is met
  const char* text;
};
constexpr Source kSources[] = {
    {"right", false, "AC", 5000,
     "#include <stdio.h>\nint main() { long a, b; scanf(\"%ld %ld\", &a, &b); "
     "printf(\"%ld\\n\", a + b); }"},
    {"wrong", false, "WA", 5000,
     "#include <stdio.h>\nint main() { long a, b; scanf(\"%ld %ld\", &a, &b); "
     "printf(\"%ld\\n\", a - b); }"},
    {"slow", false, "TLE", 100, "int main() { for (volatile long i = 0;;) ++i; }"},
    {"greedy", false, "MLE", 5000,
     "#include <stdlib.h>\n#include <string.h>\n"
     "int main() { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }"},
    {"broken", false, "RE", 5000, "#include <stdlib.h>\nint main() { abort(); }"},
    {"judged-forks", true, "RE", 5000, "#include <unistd.h>\nint main() { for (;;) fork(); }"},
    {"judged-flood", true, "OLE", 5000,
     "#include <unistd.h>\nstatic char b[65536];\nint main() { for (;;) write(1, b, sizeof b); }"},
    {"judged-link", true, "WA", 5000,
     "#include <unistd.h>\nint main() { symlink(\"/etc/passwd\", \"x\"); }"},
};

std::string judge_request(const Source& source) {
  return http_request(
      "POST", "/v1/submissions",
      fmt::format(R"({{"wait":true,"language":"c","source":{},"problem":{{"type":"batch","limits":)"
                  R"({{"cpuTimeMs":{},"memoryMB":32}},"tests":[{{"testId":"1","input":"1 2\n",)"
                  R"("answer":"3\n"}},{{"testId":"2","input":"3 4\n","answer":"7\n"}}]}}}})",
                  json_quoted(source.text), source.cpu_ms));
}

Status add_judgings(HttpLine& line, bool hostile, std::vector<Trial>& trials) {
  for (const Source& source : kSources) {
    if (source.hostile && !hostile) continue;
    Trial trial{.name = source.name,
                .hostile = source.hostile,
                .request = judge_request(source),
                .right = {fmt::format(R"("verdict":"{}")", source.verdict)}};
    const Answered first = TRY(try_once(line, trial));  // compiled here
    if (first.verdict.empty())
      return system_error(0, "the server cannot judge C; is a compiler installed?");
    trials.push_back(std::move(trial));
  }
  return {};
}

// The first value of a key, in quotes or not; empty when there is none.
std::string value_of(const std::string& body, std::string_view key) {
  const std::string wanted = "\"" + std::string(key) + "\":";
  const std::size_t at = body.find(wanted);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + wanted.size() + (body[at + wanted.size()] == '"' ? 1 : 0);
  return body.substr(begin, body.find_first_of("\",}", begin) - begin);
}

}  // namespace

Result<std::vector<Trial>> make_trials(const Address& server, bool hostile) {
  HttpLine line = TRY(HttpLine::connect(server));
  std::vector<Trial> trials;
  TRY_STATUS(add_runs(line, hostile, trials));
  TRY_STATUS(add_judgings(line, hostile, trials));
  return trials;
}

Result<Answered> try_once(HttpLine& line, const Trial& trial) {
  const auto begun = Clock::now();
  const HttpLine::Answer answer = TRY(line.exchange(trial.request));
  Answered found{.latency = Clock::now() - begun};
  const std::string& body = answer.body;
  // A verdict is there for judgings, a status for runs; a judging has a status, too.
  found.verdict = value_of(body, body.contains("\"verdict\":") ? "verdict" : "status");
  found.right =
      answer.status == 200 &&
      std::ranges::any_of(trial.right, [&](const std::string& one) { return body.contains(one); });
  std::uint64_t nanoseconds = 0;
  const std::string id = value_of(body, "submissionId");
  if (!id.empty())  // or its result would be kept for half an hour
    TRY(line.exchange(http_request("DELETE", "/v1/submissions/" + id, "")));
  const std::string time = value_of(body, "time");
  std::from_chars(time.data(), time.data() + time.size(), nanoseconds);
  found.cpu = Nanoseconds(nanoseconds);
  if (!found.right && found.verdict.empty())
    found.verdict = std::to_string(answer.status) + " " + body.substr(0, 200);
  return found;
}

}  // namespace assay::cli
