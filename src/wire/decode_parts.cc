#include "wire/decode_parts.h"

#include <algorithm>

#include "judge/unpacking.h"
#include "wire/base64.h"

namespace assay::wire {
namespace {

using service::Supply;

// Where some bytes are, before anybody opens them: the object may name several ways, and only one
// is allowed.
struct Named {
  std::string name{};
  std::optional<std::string> file_id{}, path{}, content{};
  bool base64 = false;
  bool executable = false;
};

Status read_encoding(Reader& in, Named& out, Supply&) {
  std::string word = "text";
  TRY_STATUS(in.text(word));
  if (word != "text" && word != "base64") return in.fail("expected \"text\" or \"base64\"");
  out.base64 = word == "base64";
  return {};
}

constexpr StrictField<Named, Supply> kContentFields[] = {
    {"fileId",
     [](Reader& in, Named& n, Supply&) {
       return read_name(in, n.file_id.emplace());
     }},
    {"path",
     [](Reader& in, Named& n, Supply&) {
       return read_name(in, n.path.emplace());
     }},
    {"content",
     [](Reader& in, Named& n, Supply&) {
       return in.text(n.content.emplace());
     }},
    {"encoding", read_encoding},
    {"name",
     [](Reader& in, Named& n, Supply&) {
       return read_name(in, n.name);
     }},
    {"executable",
     [](Reader& in, Named& n, Supply&) {
       return in.flag(n.executable);
     }},
};
constexpr std::span<const StrictField<Named, Supply>> kFileFields = kContentFields;
constexpr std::span<const StrictField<Named, Supply>> kPlainFields = kFileFields.first(4);

// Whatever becomes of it: a name like that is a mistake or worse.
bool is_plain_path(std::string_view name) {
  if (name.starts_with('/')) return false;
  if (std::ranges::any_of(name,
                          [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }))
    return false;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    if (name.substr(at, end - at) == "..") return false;
    at = end + 1;
  }
  return true;
}

// The error says what, the reader where. What is not the client's mistake has no place.
Status take(const Reader& in, Status from) {
  if (from || from.error().fault == Fault::System || from.error().fault == Fault::Busy) return from;
  return in.fail(describe(from.error()));
}
template <typename T>
Status take(const Reader& in, Result<T> from, T& out) {
  if (!from) return take(in, Status(std::unexpected(std::move(from).error())));
  out = *std::move(from);
  return {};
}

Status check_named(const Reader& in, Named& named) {
  if (int{named.file_id.has_value()} + int{named.path.has_value()} +
          int{named.content.has_value()} !=
      1)
    return in.fail("expected exactly one of fileId, path and content");
  if (named.base64 && !named.content) return in.fail("encoding is for content");
  if (named.base64)
    if (const Status decoded = decode_base64(*named.content); !decoded)
      return in.fail(describe(decoded.error()));
  return {};
}

Status open_named(Reader& in, Named& named, judge::Content& out, Supply& supply) {
  TRY_STATUS(check_named(in, named));
  if (named.file_id) return take(in, supply.contents().stored(*named.file_id), out);
  if (named.path) return take(in, supply.contents().host_file(*named.path), out);
  return take(in, supply.contents().text(*std::move(named.content)), out);
}

// What is in memory stays there.
Status read_named(Reader& in, Named& named, std::string& out, Supply& supply) {
  if (named.content) {
    TRY_STATUS(check_named(in, named));
    TRY_STATUS(take(in, supply.count_source({named.content->size()})));
    out = *std::move(named.content);
    return {};
  }
  judge::Content content;
  TRY_STATUS(open_named(in, named, content, supply));
  return take(in, supply.source(content), out);
}

// A string stands for itself.
Status read_where(Reader& in, Named& out, Supply& supply) {
  if (in.peek() == Reader::Kind::Text) return in.text(out.content.emplace());
  return read_strict<Named, Supply>(in, out, supply, kPlainFields);
}

// Of all limits 0 says nothing, as in FUZOJ's: they are then what they would be without the field.
Status read_milliseconds(Reader& in, std::optional<Nanoseconds>& out) {
  constexpr std::uint64_t kDay = 24ULL * 3600 * 1000;
  std::uint64_t count = 0;
  if (in.take_null()) return {};
  TRY_STATUS(in.count(count, kDay));
  if (count != 0) out = std::chrono::milliseconds(count);
  return {};
}

Status read_megabytes(Reader& in, std::optional<Bytes>& out) {
  std::uint64_t count = 0;
  if (in.take_null()) return {};
  TRY_STATUS(in.count(count, UINT32_MAX));
  if (count != 0) out = Bytes{count << 20U};
  return {};
}

template <auto Member>
Status milliseconds(Reader& in, sandbox::Limits& out, Supply&) {
  return read_milliseconds(in, out.*Member);
}
template <auto Member>
Status megabytes(Reader& in, sandbox::Limits& out, Supply&) {
  return read_megabytes(in, out.*Member);
}
Status processes(Reader& in, sandbox::Limits& out, Supply&) {
  std::uint64_t count = 0;
  if (in.take_null()) return {};
  TRY_STATUS(in.count(count, UINT32_MAX));
  if (count != 0) out.processes = count;
  return {};
}

using sandbox::Limits;
constexpr StrictField<Limits, Supply> kLimitFields[] = {
    {"cpuTimeMs", milliseconds<&Limits::cpu_time>},
    {"timeMs", milliseconds<&Limits::cpu_time>},  // as seed 001's problem files spell it
    {"wallTimeMs", milliseconds<&Limits::wall_time>},
    {"idleTimeMs", milliseconds<&Limits::idle_time>},
    {"memoryMB", megabytes<&Limits::memory>},
    {"stackMB", megabytes<&Limits::stack>},
    {"outputMB", megabytes<&Limits::output>},
    {"pids", processes},
    {"processes", processes},
};

}  // namespace

Status read_content(Reader& in, judge::Content& out, Supply& supply) {
  Named named;
  TRY_STATUS(read_where(in, named, supply));
  return open_named(in, named, out, supply);
}

Status read_source_text(Reader& in, std::string& out, Supply& supply) {
  Named named;
  TRY_STATUS(read_where(in, named, supply));
  return read_named(in, named, out, supply);
}

Status read_source_file(Reader& in, judge::SourceFile& out, Supply& supply) {
  Named named;
  TRY_STATUS((read_strict<Named, Supply>(in, named, supply, kFileFields)));
  if (!is_plain_path(named.name))
    return in.fail("a name is a relative path without '..' and control characters");
  TRY_STATUS(read_named(in, named, out.content, supply));
  out.name = std::move(named.name);
  out.executable = named.executable;
  return {};
}

Status read_archive(Reader& in, std::optional<judge::Content>& out, Supply& supply) {
  if (in.take_null()) return {};
  TRY_STATUS(read_content(in, out.emplace(), supply));
  constexpr Bytes kMost = judge::ArchiveLimits{}.archive;
  if (TRY(judge::size_of(*out)) <= kMost) return {};
  return in.fail("an archive has at most " + format_bytes(kMost));
}

Status read_limits(Reader& in, Limits& out, Supply& supply) {
  if (in.take_null()) return {};
  return read_strict<Limits, Supply>(in, out, supply, kLimitFields);
}

Status read_name(Reader& in, std::string& out) {
  TRY_STATUS(in.name(out));
  if (out.size() <= kLongestName) return {};
  return in.fail("longer than " + std::to_string(kLongestName) + " bytes");
}

Status read_words(Reader& in, std::vector<std::string>& out) {
  return read_at_most(in, kMostWords, "texts", out,
                      [&](std::string& word) { return read_name(in, word); });
}

Status read_strings(Reader& in, std::vector<std::string>& out, Supply&) {
  return read_at_most(in, kMostTests, "texts", out,
                      [&](std::string& text) { return read_name(in, text); });
}

Status read_stop(Reader& in, std::optional<judge::StopRule>& out, Supply&) {
  if (in.take_null()) return {};
  std::string word;
  TRY_STATUS(in.text(word));
  out = judge::stop_rule_named(word);
  return out ? Status{} : in.fail("expected \"none\", \"first\" or \"group\"");
}

}  // namespace assay::wire
