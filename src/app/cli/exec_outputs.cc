// What a run writes on the host, opened when nothing speaks against the run any more.
#include <unistd.h>

#include <algorithm>

#include "app/cli/exec_spec.h"
#include "sandbox/profile.h"
#include "sandbox/request.h"
#include "sandbox/warden/plan.h"

namespace assay::cli {
namespace {

std::optional<FileIdentity> input_of(const PreparedRun& run) {
  if (run.copied_input) return identity_of(run.copied_input->source);
  const auto* given = std::get_if<sandbox::Descriptor>(&run.spec.input);
  return given == nullptr ? std::nullopt : identity_of(given->fd);
}

// Emptied before it is read, it would be lost.
bool is_read(const PreparedRun& run, const FileIdentity& file) {
  return input_of(run) == file ||
         std::ranges::any_of(run.spec.files_in, [&](const sandbox::FileIn& in) {
           return identity_of(in.source) == file;
         });
}

// A description of that file which is open already: two would write over each other.
std::optional<int> open_already(const PreparedRun& run, const FileIdentity& file) {
  for (const int ours : {STDOUT_FILENO, STDERR_FILENO})
    if (identity_of(ours) == file) return ours;
  for (const StreamFile& stream : run.streams)
    if (identity_of(stream.fd()) == file) return stream.fd();
  return std::nullopt;
}

Result<sandbox::Stream> stream_to(PreparedRun& run, const char* option, const std::string& path,
                                  int ours, bool dropped) {
  if (path.empty() && dropped) return sandbox::Collect{};
  if (path.empty() || path == "-") return sandbox::Collect{.sink = ours};
  StreamFile file = TRY(about(option, StreamFile::open(path)));
  if (const auto identity = identity_of(file.fd())) {
    if (is_read(run, *identity))
      return invalid(std::string(option) + ": '" + path + "' is read by this run, too");
    if (const auto shared = open_already(run, *identity)) return sandbox::Collect{.sink = *shared};
  }
  run.streams.push_back(std::move(file));
  return sandbox::Collect{.sink = run.streams.back().fd()};
}

Status open_files_out(PreparedRun& run, const std::vector<std::string>& pairs) {
  std::vector<FileIdentity> written;
  for (const StreamFile& stream : run.streams)
    if (auto identity = identity_of(stream.fd())) written.push_back(*std::move(identity));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string path = pairs[i].substr(pairs[i].find('=') + 1);
    if (auto identity = identity_of(path)) {
      if (std::ranges::find(written, *identity) != written.end())
        return invalid("--out: '" + path + "' is written twice by this run");
      written.push_back(*std::move(identity));
    }
    run.outputs.push_back(
        TRY(about("--out", PendingFile::open(path, PendingFile::Links::Followed))));
    run.spec.files_out[i].sink = run.outputs.back().fd();
  }
  return {};
}

}  // namespace

Status check_run(const PreparedRun& run) {
  TRY_STATUS(sandbox::check_spec(run.spec));
  if (run.spec.mounts.empty()) return {};
  const auto profile = TRY(sandbox::load_profile(profile_directory(), run.spec.profile));
  return sandbox::warden::allow_mounts(profile, run.spec.mounts);
}

Status open_outputs(PreparedRun& run, const ExecOptions& options) {
  run.spec.output = TRY(stream_to(run, "--stdout", options.out, STDOUT_FILENO, options.json));
  run.spec.errors = TRY(stream_to(run, "--stderr", options.err, STDERR_FILENO, options.json));
  TRY_STATUS(open_files_out(run, options.files_out));
  for (StreamFile& stream : run.streams)
    TRY_STATUS(stream.begin());
  return {};
}

}  // namespace assay::cli
