#include "wire/decode_command.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "wire/cmd_file.h"
#include "wire/fields.h"

namespace assay::wire {
namespace {

struct LinkTo {
  std::string target{};
};
struct Entry {  // of copyIn
  std::string name{};
  std::variant<exec::Source, LinkTo> what{};
};

// What must be known as a whole before it means something.
struct Draft {
  exec::Command command{};
  std::uint64_t cpu = 0, clock = 0, real_cpu = 0, idle = 0;
  std::uint64_t memory = 0, stack = 0, output = 0, processes = 0, copy_out_max = 0;
  bool data_segment = false, strict_memory = false;
  std::vector<Entry> entries{};
};

Status read_names(Reader& in, std::vector<std::string>& out) {
  return read_list(in, out, [&](std::string& name) { return in.name(name); });
}

Status read_files(Reader& in, Draft& out) {
  return read_list(in, out.command.files, [&](exec::File& file) -> Status {
    if (in.take_null()) return {};  // FromPipe
    CmdFile read;
    TRY_STATUS(read_cmd_file(in, read));
    file = TRY(file_of(in, std::move(read)));
    return {};
  });
}

Status read_copy_in(Reader& in, Draft& out) {
  if (in.take_null()) {
    out.entries.clear();
    return {};
  }
  return in.members([&](std::string_view name) -> Status {
    if (name.find('\0') != name.npos) return in.fail("the name has a NUL character in it");
    CmdFile read;
    TRY_STATUS(read_cmd_file(in, read));
    Entry& entry = out.entries.emplace_back(Entry{.name = std::string(name)});
    if (read.link)
      entry.what = LinkTo{std::move(*read.link)};
    else
      entry.what = TRY(source_of(in, std::move(read)));
    return {};
  });
}

Status read_copy_out(Reader& in, std::vector<exec::CopyOut>& out) {
  return read_list(in, out, [&](exec::CopyOut& file) -> Status {
    TRY_STATUS(in.name(file.name));
    if (!file.name.ends_with('?')) return {};
    file.optional = true;
    file.name.pop_back();
    return {};
  });
}

Status read_ignored_text(Reader& in, Draft& /*out*/) {
  std::string ignored;
  return in.text(ignored);
}

constexpr Field<Draft> kFields[] = {
    {"args",
     [](Reader& in, Draft& d) {
       return read_names(in, d.command.args);
     }},
    {"env",
     [](Reader& in, Draft& d) {
       return read_names(in, d.command.env);
     }},
    {"files", read_files},
    {"cpuLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.cpu);
     }},
    {"clockLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.clock);
     }},
    {"realCpuLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.real_cpu);
     }},
    {"memoryLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.memory);
     }},
    {"stackLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.stack);
     }},
    {"procLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.processes);
     }},
    {"cpuRateLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.command.limits.cpu_rate);
     }},
    {"cpuSetLimit",
     [](Reader& in, Draft& d) {
       return in.name(d.command.limits.cpu_set);
     }},
    {"copyIn", read_copy_in},
    {"copyOut",
     [](Reader& in, Draft& d) {
       return read_copy_out(in, d.command.copy_out);
     }},
    {"copyOutCached",
     [](Reader& in, Draft& d) {
       return read_copy_out(in, d.command.copy_out_cached);
     }},
    {"copyOutMax",
     [](Reader& in, Draft& d) {
       return in.count(d.copy_out_max);
     }},
    {"copyOutTruncate",
     [](Reader& in, Draft& d) {
       return in.flag(d.command.copy_out_truncate);
     }},
    {"copyOutDir", read_ignored_text},
    {"tty",
     [](Reader& in, Draft& d) {
       return in.flag(d.command.tty);
     }},
    {"strictMemoryLimit",
     [](Reader& in, Draft& d) {
       return in.flag(d.strict_memory);
     }},
    {"dataSegmentLimit",
     [](Reader& in, Draft& d) {
       return in.flag(d.data_segment);
     }},
    {"addressSpaceLimit",
     [](Reader& in, Draft& d) {
       return in.flag(d.command.limits.address_space);
     }},
    {"idleLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.idle);
     }},
    {"outputLimit",
     [](Reader& in, Draft& d) {
       return in.count(d.output);
     }},
};

// Large enough to mean "no limit", small enough to be added to a clock, a size or each other.
constexpr std::uint64_t kCentury = 100ULL * 365 * 24 * 3600 * 1'000'000'000;
constexpr std::uint64_t kMostBytes = INT64_MAX;

std::optional<Nanoseconds> time_of(std::uint64_t value) {
  if (value == 0) return std::nullopt;
  return Nanoseconds(static_cast<std::int64_t>(std::min(value, kCentury)));
}

std::optional<Bytes> size_of(std::uint64_t value) {
  if (value == 0) return std::nullopt;
  return Bytes{std::min(value, kMostBytes)};
}

// Of entries with the same name the last stays, as in a map: seen from the back, the first.
void drop_repeated(std::vector<Entry>& entries) {
  std::unordered_set<std::string_view> seen;
  std::vector<bool> repeated(entries.size());
  for (std::size_t i = entries.size(); i-- > 0;)
    repeated[i] = !seen.insert(entries[i].name).second;
  if (seen.size() == entries.size()) return;
  std::size_t index = 0;
  std::vector<Entry> kept;
  for (Entry& entry : entries)
    if (!repeated[index++]) kept.push_back(std::move(entry));
  entries = std::move(kept);
}

void place(std::vector<Entry>& entries, exec::Command& command) {
  if (entries.size() > 1) drop_repeated(entries);
  for (Entry& entry : entries)
    if (auto* link = std::get_if<LinkTo>(&entry.what))
      command.links.push_back({std::move(entry.name), std::move(link->target)});
    else
      command.copy_in.push_back(
          {std::move(entry.name), std::move(std::get<exec::Source>(entry.what))});
}

}  // namespace

Status read_command(Reader& in, exec::Command& out) {
  Draft draft;
  TRY_STATUS(read_object<Draft>(in, draft, kFields));
  exec::CommandLimits& limits = draft.command.limits;
  limits.cpu = time_of(draft.cpu);
  limits.clock = time_of(draft.real_cpu > 0 ? draft.real_cpu : draft.clock);
  limits.idle = time_of(draft.idle);
  limits.memory = size_of(draft.memory);
  limits.stack = size_of(draft.stack);
  limits.output = size_of(draft.output);
  if (draft.processes > 0) limits.processes = draft.processes;
  limits.data_segment = draft.data_segment || draft.strict_memory;
  draft.command.copy_out_max = size_of(draft.copy_out_max).value_or(Bytes{});
  place(draft.entries, draft.command);
  out = std::move(draft.command);
  return {};
}

}  // namespace assay::wire
