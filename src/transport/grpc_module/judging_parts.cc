#include "transport/grpc_module/judging_parts.h"

#include <fmt/format.h>

#include "judge/unpacking.h"
#include "wire/decode_parts.h"

namespace assay::transport::module {
namespace {

constexpr std::uint64_t kDay = 24ULL * 3600 * 1000;  // in milliseconds

// What the client named and we could not open is its mistake; the rest is ours.
std::unexpected<Error> at_place(const std::string& place, Error error) {
  if (error.fault == Fault::System || error.fault == Fault::Busy)
    return std::unexpected(std::move(error));
  return invalid(place + ": " + describe(error));
}

Result<std::uint64_t> to_count(std::uint64_t value, std::uint64_t most, const std::string& place) {
  if (value <= most) return value;
  return invalid(fmt::format("{}: expected at most {}, got {}", place, most, value));
}

}  // namespace

Result<std::string> to_name(const std::string& text, const std::string& place) {
  if (text.find('\0') != std::string::npos) return invalid(place + ": has a NUL character in it");
  if (text.size() > wire::kLongestName)
    return invalid(fmt::format("{}: longer than {} bytes", place, wire::kLongestName));
  return text;
}

Result<judge::Content> to_content(const v1::Content& message, const std::string& place,
                                  service::Supply& supply) {
  Result<judge::Content> content{};
  std::string field;
  switch (message.from_case()) {
    case v1::Content::kContent:
      content = supply.contents().text(message.content());
      field = ".content";
      break;
    case v1::Content::kFileId:
      content = supply.contents().stored(TRY(to_name(message.file_id(), place + ".file_id")));
      field = ".file_id";
      break;
    case v1::Content::kPath:
      content = supply.contents().host_file(TRY(to_name(message.path(), place + ".path")));
      field = ".path";
      break;
    case v1::Content::FROM_NOT_SET:
      return invalid(place + ": expected one of content, file_id and path");
  }
  if (!content) return at_place(place + field, std::move(content).error());
  return content;
}

Result<judge::Content> to_archive(const v1::Content& message, const std::string& place,
                                  service::Supply& supply) {
  judge::Content archive = TRY(to_content(message, place, supply));
  constexpr Bytes kMost = judge::ArchiveLimits{}.archive;
  if (TRY(judge::size_of(archive)) > kMost)
    return invalid(place + ": an archive has at most " + format_bytes(kMost));
  return archive;
}

Result<std::string> to_source_text(const v1::Content& message, const std::string& place,
                                   service::Supply& supply) {
  const judge::Content content = TRY(to_content(message, place, supply));
  auto text = supply.source(content);
  if (!text) return at_place(place, std::move(text).error());
  return text;
}

Result<std::vector<judge::SourceFile>> to_sources(const SourceList& list, const std::string& place,
                                                  service::Supply& supply) {
  TRY_STATUS(check_size(list.size(), wire::kMostSources, place));
  std::vector<judge::SourceFile> files;
  for (int i = 0; i < list.size(); ++i) {
    const std::string here = item(place, i);
    judge::SourceFile& file = files.emplace_back();
    file.name = TRY(to_name(list[i].name(), here + ".name"));
    file.content = TRY(to_source_text(list[i].from(), here + ".from", supply));
    file.executable = list[i].executable();
  }
  return files;
}

// Of all limits 0 says nothing: they are then what they would be without the field.
Result<sandbox::Limits> to_limits(const v1::Limits& message, const std::string& place) {
  using std::chrono::milliseconds;
  const auto time = [&](std::uint64_t value,
                        const char* name) -> Result<std::optional<Nanoseconds>> {
    const std::uint64_t count = TRY(to_count(value, kDay, place + name));
    return count != 0 ? std::optional<Nanoseconds>(milliseconds(count)) : std::nullopt;
  };
  const auto size = [&](std::uint64_t value, const char* name) -> Result<std::optional<Bytes>> {
    const std::uint64_t count = TRY(to_count(value, UINT32_MAX, place + name));
    return count != 0 ? std::optional(Bytes{count << 20U}) : std::nullopt;
  };
  sandbox::Limits limits{.cpu_time = TRY(time(message.cpu_time_ms(), ".cpu_time_ms")),
                         .wall_time = TRY(time(message.wall_time_ms(), ".wall_time_ms")),
                         .idle_time = TRY(time(message.idle_time_ms(), ".idle_time_ms")),
                         .memory = TRY(size(message.memory_mb(), ".memory_mb")),
                         .stack = TRY(size(message.stack_mb(), ".stack_mb")),
                         .output = TRY(size(message.output_mb(), ".output_mb"))};
  const std::uint64_t processes = TRY(to_count(message.pids(), UINT32_MAX, place + ".pids"));
  if (processes != 0) limits.processes = processes;
  return limits;
}

Result<std::optional<judge::StopRule>> to_stop(v1::StopRule rule, const std::string& place) {
  switch (rule) {
    case v1::STOP_RULE_UNSPECIFIED:
      return std::nullopt;
    case v1::STOP_RULE_NONE:
      return judge::StopRule::None;
    case v1::STOP_RULE_FIRST:
      return judge::StopRule::First;
    case v1::STOP_RULE_GROUP:
      return judge::StopRule::Group;
    default:
      return unknown_value(rule, place);
  }
}

Result<double> to_real(double value, double least, double most, const std::string& place) {
  if (std::isfinite(value) && value >= least && value <= most) return value;
  return invalid(fmt::format("{}: expected a number from {} to {}", place, least, most));
}

Status check_size(int size, std::size_t most, const std::string& place) {
  if (static_cast<std::size_t>(size) <= most) return {};
  return invalid(fmt::format("{}: more than {}", place, most));
}

std::unexpected<Error> unknown_value(int value, const std::string& place) {
  return invalid(fmt::format("{}: {} is no value of this field", place, value));
}

}  // namespace assay::transport::module
