// Which request is for what. A table; nothing here looks at more than method and path.
#pragma once

#include <string>
#include <string_view>

namespace assay::transport {

enum class Door { Service, Monitor };

enum class Route {
  None,
  Version,
  Config,
  Run,
  FileList,
  FileAdd,
  FileGet,
  FileDelete,
  Socket,
  Stream,
  Health,
  Ready,
  OpenApi,
  Metrics,
  Submit,
  Submission,
  SubmissionDelete,
  SubmissionEvents,
  Languages,
  ProblemList,
  ProblemPut,
  Problem,
  ProblemDelete,
  ProcessStart,
  ProcessList,
  Process,
  ProcessWait,
  ProcessInput,
  ProcessOutput,
  ProcessEnd,
  NojSubmit,
  NojStatus
};

struct Matched {
  Route route = Route::None;
  std::string_view pattern = "unknown";  // for logs and metrics: never what a client wrote
  bool needs_token = true;               // an unknown route does, too
  std::string parameter{};
};

Matched match(Door door, std::string_view method, std::string_view path);

// Whether the header carries the token; takes as long for a wrong one as for the right one.
bool is_authorized(std::string_view header, std::string_view token);

}  // namespace assay::transport
