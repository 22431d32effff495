// Runs the commands of a request: copy in, run together, copy out, status.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/command.h"
#include "exec/result.h"
#include "os/fd.h"
#include "sandbox/sandbox.h"
#include "store/store.h"
#include "verdict/policy.h"

namespace assay::exec {

// Opens a host file for a command. The server decides how: by itself, or by asking somebody who
// may.
using OpenHostFile = std::function<Result<os::OwnedFd>(const std::string& path)>;

// What the server says where a request says nothing, and what no request may exceed.
struct Rules {
  std::string profile = "gojudge";
  std::string work_dir = "/w";             // the profile's
  std::vector<std::string> environment{};  // before the command's own
  Bytes output_limit = 256_MiB;            // of a file that a program writes
  Bytes copy_out_limit = 256_MiB;
  std::uint64_t open_files = 256;
  Bytes extra_memory = 16_KiB;   // the cgroup's limit is so much above the one that is judged by
  bool zero_means_zero = false;  // go-judge's reading of an omitted limit
  CommandLimits defaults{};      // for omitted limits otherwise
  bool cpu_rate = false;
  verdict::Policy policy{};  // "gojudge": its codes are the numbers of RunStatus
};

// One end of a live stream, in the server's hands while the commands run.
struct LiveStream {
  int index = 0;  // of the command
  int fd = 0;     // of the command
  bool input = false;
  bool terminal = false;  // `end` is the master side: one end for everything of that command
  os::OwnedFd end{};      // non-blocking
};

struct Session {
  sandbox::Control* control = nullptr;
  std::vector<unsigned> cores{};  // leased to this request
  std::function<void(std::vector<LiveStream>)>
      on_streams{};  // called once, before the start, when there are any
};

class Runner {
 public:
  Runner(sandbox::Sandbox& sandbox, store::Store& store, OpenHostFile open_host_file, Rules rules);
  ~Runner();

  // What can be said about a request without running it: pipes that join nothing, empty args,
  // streams where there is no connection. Errors are InvalidRequest, with go-judge's wording where
  // clients may look for it.
  [[nodiscard]] Status check(const Request& request, bool live) const;

  // One result per command, in their order. An Error means that nothing was run. Safe from any
  // thread.
  Result<std::vector<CommandResult>> run(const Request& request, const Session& session);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace assay::exec
