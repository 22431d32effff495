#include "wire/cmd_file.h"

#include <fmt/format.h>

#include "wire/base64.h"
#include "wire/fields.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

enum class Nul { Allowed, Refused };

Status read_optional(Reader& in, std::optional<std::string>& out, Nul nul) {
  out.reset();
  if (in.take_null()) return {};
  std::string& text = out.emplace();
  return nul == Nul::Allowed ? in.text(text) : in.name(text);
}

Status read_max(Reader& in, CmdFile& out) {
  out.max.reset();
  if (in.take_null()) return {};
  return in.count(out.max.emplace(), INT64_MAX);
}

constexpr Field<CmdFile> kFields[] = {
    {"src",
     [](Reader& in, CmdFile& f) {
       return read_optional(in, f.src, Nul::Refused);
     }},
    {"content",
     [](Reader& in, CmdFile& f) {
       return read_optional(in, f.content, Nul::Allowed);
     }},
    {"fileId",
     [](Reader& in, CmdFile& f) {
       return read_optional(in, f.id, Nul::Refused);
     }},
    {"name",
     [](Reader& in, CmdFile& f) {
       return read_optional(in, f.name, Nul::Refused);
     }},
    {"max", read_max},
    {"pipe",
     [](Reader& in, CmdFile& f) {
       return in.flag(f.pipe);
     }},
    {"streamIn",
     [](Reader& in, CmdFile& f) {
       return in.flag(f.stream_in);
     }},
    {"streamOut",
     [](Reader& in, CmdFile& f) {
       return in.flag(f.stream_out);
     }},
    {"symlink",
     [](Reader& in, CmdFile& f) {
       return read_optional(in, f.link, Nul::Refused);
     }},
    {"dir",
     [](Reader& in, CmdFile& f) {
       return in.flag(f.directory);
     }},
    {"encoding",
     [](Reader& in, CmdFile& f) {
       return read_encoding(in, f.encoding);
     }},
};

std::unexpected<Error> no_kind(const Reader& in, std::string_view why) {
  return in.fail(fmt::format("file type is not valid for cmd: {}", why));
}

Result<exec::Content> content_of(const Reader& in, CmdFile& from) {
  exec::Content content{std::move(*from.content)};
  if (from.encoding == exec::Encoding::Base64)
    if (const auto decoded = decode_base64(content.bytes); !decoded)
      return in.fail("content is " + decoded.error().context);
  return content;
}

}  // namespace

Status read_encoding(Reader& in, exec::Encoding& out) {
  if (in.take_null()) return {};
  std::string word;
  TRY_STATUS(in.text(word));
  if (word != "utf8" && word != "base64") {
    std::string shown;
    append_text(shown, std::string_view(word).substr(0, 40));
    return in.fail(fmt::format(R"(expected "utf8" or "base64", got {})", shown));
  }
  out = word == "utf8" ? exec::Encoding::Text : exec::Encoding::Base64;
  return {};
}

Status read_cmd_file(Reader& in, CmdFile& out) {
  return read_object<CmdFile>(in, out, kFields);
}

Result<exec::File> file_of(const Reader& in, CmdFile from) {
  if (from.src) return exec::HostFile{std::move(*from.src)};
  if (from.content) return TRY(content_of(in, from));
  if (from.id) return exec::Stored{std::move(*from.id)};
  if (from.name && from.max)
    return exec::Collector{std::move(*from.name), Bytes{*from.max}, from.pipe};
  if (from.stream_in) return exec::StreamIn{};
  if (from.stream_out) return exec::StreamOut{};
  if (from.name) return no_kind(in, "a collector needs 'max' beside 'name'");
  if (from.max) return no_kind(in, "a collector needs 'name' beside 'max'");
  if (from.link) return no_kind(in, "'symlink' belongs in copyIn");
  if (from.directory) return no_kind(in, "'dir' belongs in copyIn");
  return no_kind(in, "needs src, content, fileId, name and max, streamIn or streamOut");
}

Result<exec::Source> source_of(const Reader& in, CmdFile from) {
  if (from.src) return exec::HostFile{std::move(*from.src)};
  if (from.content) return TRY(content_of(in, from));
  if (from.id) return exec::Stored{std::move(*from.id)};
  if (from.directory) return exec::Directory{};
  if (from.name || from.max) return no_kind(in, "a collector belongs in files");
  if (from.stream_in || from.stream_out) return no_kind(in, "a stream belongs in files");
  return no_kind(in, "needs src, content, fileId, symlink or dir");
}

}  // namespace assay::wire
