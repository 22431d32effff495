// go-judge's JSON, both ways. The only room where its field names appear. Keys match in any case,
// unknown keys are ignored, null is as good as absent, as in Go; an error names the place:
// "$.cmd[0].cpuLimit: expected integer >= 0, got -1".
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "exec/command.h"
#include "exec/result.h"
#include "store/store.h"

namespace assay::wire {

// The body of POST /run and the first message of /stream. Bounded: depth, size and count are
// checked, never trusted; times end at a century and sizes at 2^63-1, so that they can be added to.
// Text for the kernel (args, names, paths) has no NUL in it.
Result<exec::Request> decode_request(std::string_view json);

// The same for a client: decode_request gives back the request.
std::string encode_request(const exec::Request& request);

struct Cancel {
  std::string request_id{};
};
Result<std::variant<exec::Request, Cancel>> decode_socket_message(std::string_view json);  // of /ws

struct Resize {  // of /stream
  int index = 0, fd = 0;
  unsigned rows = 0, columns = 0, x = 0, y = 0;  // at most 65535
};
Result<Resize> decode_resize(std::string_view json);

// Answers, byte for byte as Go's encoder writes them: key order, omitted empty fields, \u003c for
// '<', invalid UTF-8 as U+FFFD. `request` says how contents are encoded and whether facts are
// wanted.
std::string encode_results(const std::vector<exec::CommandResult>& results,
                           const exec::Request& request);
struct Answer {  // of /ws and /stream
  std::string request_id{};
  const std::vector<exec::CommandResult>* results = nullptr;  // null: "results":null
  std::string error{};
};
std::string encode_answer(const Answer& answer, const exec::Request& request);
std::string encode_string(std::string_view text);                   // an error body, a file id
std::string encode_files(const std::vector<store::Listed>& files);  // GET /file

struct Version {
  std::string build_version{};   // "v1.12.2"-shaped: clients compare it
  std::string engine_version{};  // ours, in a field that go-judge does not have
};
std::string encode_version(const Version& version);

struct ConfigMount {
  std::string source{}, target{}, type{}, data{};
  std::uint64_t flags = 0;  // MS_*
};
struct ConfigLink {
  std::string path{}, target{};
};
struct Config {
  std::string file_store_path{};
  int cgroup_type = 0;  // 0 none, 1 v1, 2 v2
  std::vector<std::string> cgroup_controllers{};
  std::vector<ConfigMount> mounts{};
  std::vector<ConfigLink> links{};
  std::vector<std::string> masked_paths{};
  std::string host_name{}, domain_name{}, work_dir{};
  std::uint32_t uid = 0, gid = 0;
};
std::string encode_config(const Config& config);

}  // namespace assay::wire
