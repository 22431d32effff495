#include "sandbox/request.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <string_view>

#include "sandbox/streams.h"

namespace assay::sandbox {
namespace {

constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

std::string_view key_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

void append(std::string& strings, const std::string& text) {
  strings += text;
  strings += '\0';
}

constexpr std::size_t kMostPutIn = 24 * 1024;  // in a request, with the names
constexpr std::uint64_t kMostCopied = 4U << 20;

void add_put_in(RunMessage& message, inside::PutIn what, const std::string& name,
                std::string_view content) {
  what.name = static_cast<std::uint32_t>(name.size() + 1);
  what.content = static_cast<std::uint32_t>(content.size());
  message.put_ins.append(reinterpret_cast<const char*>(&what), sizeof what);
  append(message.put_ins, name);
  message.put_ins += content;
  ++message.header.put_ins;
}

// In the order in which transfer.cc would put them in: an end names them by their index.
void add_put_ins(const Spec& spec, RunMessage& message) {
  using Kind = inside::PutIn::Kind;
  for (const DirectoryIn& directory : spec.directories_in)
    add_put_in(message, {.kind = Kind::Directory, .mode = directory.mode}, directory.name, "");
  for (const FileIn& file : spec.files_in) {
    const Kind kind = file.source < 0 ? Kind::File : Kind::Copy;
    add_put_in(message, {.kind = kind, .mode = mode_of(file)}, file.name,
               file.source < 0 ? file.content : std::string_view());
    if (kind == Kind::Copy) message.copies.push_back(file.source);
  }
  for (const LinkIn& link : spec.links_in)
    add_put_in(message, {.kind = Kind::Link}, link.name,
               {link.target.c_str(), link.target.size() + 1});
  message.header.copies = static_cast<std::uint32_t>(message.copies.size());
}

Status no_nul(const std::string& text, const char* what) {
  if (text.contains('\0')) return invalid(std::string(what) + " contains a NUL character");
  return {};
}

Status check_name(const std::string& name) {
  TRY_STATUS(no_nul(name, "a file name"));
  if (name.empty()) return invalid("a file name is empty");
  if (name.size() >= inside::kMaxName) return invalid("a file name is longer than 4095 bytes");
  if (name.ends_with('/'))
    return invalid("'" + name + "' ends with a slash, so it does not name a file");
  std::string_view rest = name;
  while (!rest.empty()) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    if (part == "..") return invalid("'" + name + "' leaves its directory by '..'");
    if (part.size() > 255) return invalid("'" + name + "' has a part longer than 255 bytes");
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  return {};
}

}  // namespace

unsigned mode_of(const FileIn& file) {
  return file.mode.value_or(file.executable ? 0755 : 0644);
}

std::vector<std::string> merge_environment(const std::vector<std::string>& defaults,
                                           const std::vector<std::string>& wanted) {
  std::vector<std::string> merged;
  for (const std::string& variable : defaults)
    if (std::ranges::none_of(wanted,
                             [&](const std::string& w) { return key_of(w) == key_of(variable); }))
      merged.push_back(variable);
  merged.insert(merged.end(), wanted.begin(), wanted.end());
  return merged;
}

std::vector<std::string> candidates(const std::string& program,
                                    const std::vector<std::string>& environment) {
  if (program.contains('/')) return {program};
  std::string_view path = kDefaultPath;
  for (const std::string& variable : environment)
    if (key_of(variable) == "PATH" && variable.contains('='))
      path = std::string_view(variable).substr(5);
  std::vector<std::string> paths;
  while (!path.empty()) {
    const std::size_t colon = std::min(path.find(':'), path.size());
    if (colon > 0) paths.push_back(std::string(path.substr(0, colon)) + "/" + program);
    path.remove_prefix(std::min(colon + 1, path.size()));
  }
  return paths;
}

bool takes_out(const Spec& spec) {
  return !spec.files_out.empty() || !spec.trees_out.empty();
}

Status check_spec(const Spec& spec) {
  if (spec.argv.empty() || spec.argv[0].empty()) return invalid("no program to run: argv is empty");
  for (const std::string& argument : spec.argv)
    TRY_STATUS(no_nul(argument, "an argument"));
  // Any text will do, as it does for execve: Hydro's judge ends its list with an empty one.
  for (const std::string& variable : spec.environment)
    TRY_STATUS(no_nul(variable, "an environment variable"));
  std::set<std::string_view> names;
  if (!spec.program.empty()) {
    TRY_STATUS(check_name(spec.argv[0]));
    if (!spec.argv[0].contains('/')) return invalid("'" + spec.argv[0] + "' is not a path");
  }
  for (const FileIn& file : spec.files_in) {
    TRY_STATUS(check_name(file.name));
    if (!names.insert(file.name).second) return invalid("'" + file.name + "' is put in twice");
  }
  for (const DirectoryIn& directory : spec.directories_in)
    TRY_STATUS(check_name(directory.name));
  for (const LinkIn& link : spec.links_in) {
    TRY_STATUS(check_name(link.name));
    TRY_STATUS(no_nul(link.target, "the target of a link"));
    if (link.target.size() >= inside::kMaxName) return invalid("the target of a link is too long");
  }
  for (const Stream* stream : streams_of(spec))
    if (const auto* file = std::get_if<BoxFile>(stream)) TRY_STATUS(check_name(file->name));
  for (const FileOut& file : spec.files_out)
    TRY_STATUS(check_name(file.name));
  for (const TreeOut& tree : spec.trees_out)
    TRY_STATUS(check_name(tree.directory));
  if (streams_of(spec).size() > inside::kMaxRunDescriptors)
    return invalid("too many descriptors for one run");
  for (const unsigned core : spec.cores)
    if (core >= inside::kMaxCpuWords * 64)
      return invalid("core " + std::to_string(core) + " does not exist");
  return {};
}

Result<bool> travels_with_request(const Spec& spec) {
  std::uint64_t bytes = 0;
  std::uint64_t copied = 0;
  std::size_t copies = 0;
  const auto add = [&](std::size_t name, std::size_t content) {
    bytes += sizeof(inside::PutIn) + name + content + 2;
  };
  for (const DirectoryIn& directory : spec.directories_in)
    add(directory.name.size(), 0);
  for (const LinkIn& link : spec.links_in)
    add(link.name.size(), link.target.size());
  for (const FileIn& file : spec.files_in) {
    add(file.name.size(), file.source < 0 ? file.content.size() : 0);
    if (file.source < 0) continue;
    struct stat source{};
    // A pipe would make init wait, and a large file would keep the others of a group waiting.
    if (::fstat(file.source, &source) < 0) return system_error("look at '" + file.name + "'");
    if (!S_ISREG(source.st_mode)) return false;
    copied += static_cast<std::uint64_t>(source.st_size);
    ++copies;
  }
  return bytes <= kMostPutIn && copied <= kMostCopied && copies <= inside::kMaxCopies;
}

Result<RunMessage> make_message(const Spec& spec, const Profile& profile, const Limits& limits,
                                bool has_meters, bool files_travel) {
  const auto environment = merge_environment(profile.environment, spec.environment);
  const auto paths =
      spec.candidates.empty() ? candidates(spec.argv[0], environment) : spec.candidates;
  RunMessage message;
  for (const auto* list : {&paths, &spec.argv, &environment})
    for (const std::string& text : *list)
      append(message.strings, text);
  if (message.strings.size() > inside::kMaxStrings)
    return invalid("arguments and environment are longer than 4 MiB");
  inside::RunRequest& header = message.header;
  header.candidates = static_cast<std::uint32_t>(paths.size());
  header.argc = static_cast<std::uint32_t>(spec.argv.size());
  header.envc = static_cast<std::uint32_t>(environment.size());
  header.strings = static_cast<std::uint32_t>(message.strings.size());
  header.long_strings =
      sizeof header + message.strings.size() + kMostPutIn > inside::kMaxRequest ? 1 : 0;
  if (files_travel) add_put_ins(spec, message);
  header.descriptors = static_cast<std::uint32_t>(streams_of(spec).size());
  header.program = spec.program.empty() ? 0 : 1;
  header.umask = spec.umask;
  header.session = (spec.own_session || spec.terminal ? 1U : 0U) | (spec.terminal ? 2U : 0U);
  header.clean_after = takes_out(spec) ? 0 : 1;
  header.wall_ns = static_cast<std::uint64_t>(limits.wall_time.value_or(Nanoseconds{}).count());
  const Stack stack = spec.may_raise_stack ? Stack::MayBeRaised : Stack::Fixed;
  for (const inside::ResourceLimit& one : resource_limits(limits, has_meters, stack))
    header.limit[header.limits++] = one;
  for (const unsigned core : spec.cores) {
    header.cpus[core / 64] |= 1ULL << (core % 64);
    header.cpu_words = std::max(header.cpu_words, core / 64 + 1);
  }
  return message;
}

std::vector<std::byte> RunMessage::packet() const {
  const std::size_t middle = header.long_strings != 0 ? 0 : strings.size();
  std::vector<std::byte> bytes(sizeof header + middle + put_ins.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, strings.data(), middle);
  std::memcpy(bytes.data() + sizeof header + middle, put_ins.data(), put_ins.size());
  return bytes;
}

}  // namespace assay::sandbox
