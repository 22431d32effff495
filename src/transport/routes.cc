#include "transport/routes.h"

#include <algorithm>

namespace assay::transport {
namespace {

struct Row {
  Door door;
  std::string_view method;
  std::string_view pattern;
  Route route;
  bool needs_token;
};

constexpr Row kRows[] = {
    {Door::Service, "POST", "/run", Route::Run, true},
    {Door::Service, "GET", "/version", Route::Version, false},
    {Door::Service, "GET", "/config", Route::Config, false},
    {Door::Service, "GET", "/file", Route::FileList, true},
    {Door::Service, "POST", "/file", Route::FileAdd, true},
    {Door::Service, "GET", "/file/:fid", Route::FileGet, true},
    {Door::Service, "DELETE", "/file/:fid", Route::FileDelete, true},
    {Door::Service, "GET", "/ws", Route::Socket, true},
    {Door::Service, "GET", "/stream", Route::Stream, true},
    {Door::Service, "GET", "/healthz", Route::Health, false},
    {Door::Service, "GET", "/readyz", Route::Ready, false},
    {Door::Service, "GET", "/openapi.json", Route::OpenApi, false},
    {Door::Service, "POST", "/v1/submissions", Route::Submit, true},
    {Door::Service, "GET", "/v1/submissions/:id", Route::Submission, true},
    {Door::Service, "DELETE", "/v1/submissions/:id", Route::SubmissionDelete, true},
    {Door::Service, "GET", "/v1/submissions/:id/events", Route::SubmissionEvents, true},
    {Door::Service, "GET", "/v1/languages", Route::Languages, true},
    {Door::Service, "GET", "/v1/problems", Route::ProblemList, true},
    {Door::Service, "PUT", "/v1/problems/:id", Route::ProblemPut, true},
    {Door::Service, "GET", "/v1/problems/:id", Route::Problem, true},
    {Door::Service, "DELETE", "/v1/problems/:id", Route::ProblemDelete, true},
    {Door::Service, "POST", "/v1/processes", Route::ProcessStart, true},
    {Door::Service, "GET", "/v1/processes", Route::ProcessList, true},
    {Door::Service, "GET", "/v1/processes/:id", Route::Process, true},
    {Door::Service, "POST", "/v1/processes/:id/wait", Route::ProcessWait, true},
    {Door::Service, "POST", "/v1/processes/:id/stdin", Route::ProcessInput, true},
    {Door::Service, "GET", "/v1/processes/:id/stdout", Route::ProcessOutput, true},
    {Door::Service, "DELETE", "/v1/processes/:id", Route::ProcessEnd, true},
    {Door::Service, "POST", "/submit/:id", Route::NojSubmit, false},  // it has a token of its own
    {Door::Service, "GET", "/status", Route::NojStatus, false},
    {Door::Monitor, "GET", "/metrics", Route::Metrics, false},
    {Door::Monitor, "GET", "/healthz", Route::Health, false},
    {Door::Monitor, "GET", "/readyz", Route::Ready, false},
};

// Whether the path is the pattern, with one non-empty word where it says ":word".
bool fits(std::string_view pattern, std::string_view path, std::string& parameter) {
  const std::size_t colon = pattern.find(':');
  if (colon == std::string_view::npos) return pattern == path;
  const std::string_view rest = pattern.substr(std::min(pattern.find('/', colon), pattern.size()));
  const std::size_t around = colon + rest.size();
  if (path.size() <= around || !path.starts_with(pattern.substr(0, colon)) || !path.ends_with(rest))
    return false;
  parameter = path.substr(colon, path.size() - around);
  return parameter.find('/') == std::string::npos;
}

// A stream that is answered with its head alone would be nothing.
bool has_no_head(Route route) {
  return route == Route::Socket || route == Route::Stream || route == Route::SubmissionEvents ||
         route == Route::ProcessOutput;
}

}  // namespace

Matched match(Door door, std::string_view method, std::string_view path) {
  const bool head = method == "HEAD";
  for (const Row& row : kRows) {
    if (row.door != door || row.method != (head ? "GET" : method)) continue;
    if (head && has_no_head(row.route)) continue;
    Matched matched{.route = row.route, .pattern = row.pattern, .needs_token = row.needs_token};
    if (fits(row.pattern, path, matched.parameter)) return matched;
  }
  return Matched{.needs_token = door == Door::Service};
}

bool is_authorized(std::string_view header, std::string_view token) {
  constexpr std::string_view kScheme = "Bearer ";
  if (!header.starts_with(kScheme)) return false;
  const std::string_view given = header.substr(kScheme.size());
  unsigned difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t at = 0; at < token.size(); ++at) {
    const char theirs = given.empty() ? '\0' : given[at % given.size()];
    difference |= static_cast<unsigned char>(theirs ^ token[at]);
  }
  return difference == 0;
}

}  // namespace assay::transport
