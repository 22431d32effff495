// Commands as a client orders them: one program with its files, or a group joined by pipes. Values
// only; what happened to them is in result.h. The model is go-judge's: descriptor i of the program
// is files[i].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/units.h"

namespace assay::exec {

// Where bytes come from.
struct HostFile {  // opened read-only by the server, under its prefix rules
  std::string path{};
  bool operator==(const HostFile&) const = default;
};
struct Content {
  std::string bytes{};
  bool operator==(const Content&) const = default;
};
struct Stored {  // an id that the store gave out
  std::string id{};
  bool operator==(const Stored&) const = default;
};
struct Directory {  // ours: empty, made with its parents; no descriptor can be one
  bool operator==(const Directory&) const = default;
};
using Source = std::variant<HostFile, Content, Stored, Directory>;

// What a descriptor of the program is, beyond a source to read.
struct FromPipe {  // JSON null: some pipe of the group fills it
  bool operator==(const FromPipe&) const = default;
};
// Output that is kept and answered under `name`. Descriptors with the same name share one file or
// pipe. By default a regular file of that name in the work directory; as a pipe it is drained by
// us.
struct Collector {
  std::string name{};
  Bytes max{};
  bool pipe = false;
  bool operator==(const Collector&) const = default;
};
struct StreamIn {  // live, over the client's connection
  bool operator==(const StreamIn&) const = default;
};
struct StreamOut {
  bool operator==(const StreamOut&) const = default;
};
using File = std::variant<FromPipe, HostFile, Content, Stored, Collector, StreamIn, StreamOut>;

struct CopyIn {
  std::string name{};  // relative to the work directory, or absolute in the box
  Source source{};
  bool operator==(const CopyIn&) const = default;
};
struct SymbolicLink {  // made after all files are in
  std::string name{};
  std::string target{};
  bool operator==(const SymbolicLink&) const = default;
};
struct CopyOut {
  std::string name{};
  bool optional = false;  // no error when it does not exist
  bool operator==(const CopyOut&) const = default;
};

// Nothing: the server's default for omitted limits, or go-judge's meaning of zero when the server
// is told to be as strict.
struct CommandLimits {
  std::optional<Nanoseconds> cpu{};
  std::optional<Nanoseconds> clock{};
  std::optional<Nanoseconds> idle{};  // ours
  std::optional<Bytes> memory{};
  std::optional<Bytes> stack{};
  std::optional<Bytes> output{};  // ours: of each file the program writes, at most the server's
  std::optional<std::uint64_t> processes{};
  std::uint64_t cpu_rate = 0;  // 1000 is one core; 0: no limit
  std::string cpu_set{};       // "0-1,3"; empty: the worker's
  bool data_segment = false;   // the memory limit also limits the data segment
  bool address_space = false;  // and the address space
  bool operator==(const CommandLimits&) const = default;
};

struct Command {
  std::vector<std::string> args{};
  std::vector<std::string> env{};
  std::vector<File> files{};
  bool tty = false;
  CommandLimits limits{};
  std::vector<CopyIn> copy_in{};
  std::vector<SymbolicLink> links{};
  std::vector<CopyOut> copy_out{};
  std::vector<CopyOut> copy_out_cached{};
  Bytes copy_out_max{};  // of one file; 0: the server's
  bool copy_out_truncate = false;
  bool operator==(const Command&) const = default;
};

struct PipeEnd {
  int index = 0;  // of the command
  int fd = 0;
  bool operator==(const PipeEnd&) const = default;
};
struct PipeMap {
  PipeEnd writer{};  // go-judge's "in": who writes into the pipe
  PipeEnd reader{};  // go-judge's "out"
  bool proxy = false;
  std::string name{};  // proxy only: the first `max` bytes are answered in the writer's files under
                       // this name
  Bytes max{};
  bool zero_copy = true;
  bool operator==(const PipeMap&) const = default;
};

enum class Encoding {
  Text,
  Base64
};  // of file contents in a JSON answer; Text replaces invalid UTF-8 as go-judge does

struct Request {
  std::string id{};
  std::vector<Command> commands{};
  std::vector<PipeMap> pipes{};
  int priority = 0;  // ours: higher goes first
  Encoding encoding = Encoding::Text;
  bool wants_facts = false;  // ours: the engine's facts in each result
  bool operator==(const Request&) const = default;
};

}  // namespace assay::exec
