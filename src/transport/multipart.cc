#include "transport/multipart.h"

#include <algorithm>

#include "transport/message.h"

namespace assay::transport {
namespace {

// Of one part. Neither may depend on the pieces in which a form comes.
constexpr std::size_t kHeaderLimit = 16384;
constexpr std::size_t kPaddingLimit = 256;  // of blanks behind a boundary
constexpr std::size_t kMostParts = 1024;  // of a form: a thousand sources, and what goes with them
constexpr std::size_t kPiece = 65536;

// Only what cannot stand for itself is escaped: browsers send C:\file.txt as it is.
bool is_special(char letter) {
  return std::string_view("()<>@,;:\\\"/[]?=").find(letter) != std::string_view::npos;
}

std::string quoted_value(std::string_view text) {
  std::string out;
  for (std::size_t at = 1; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size() && is_special(text[at + 1])) ++at;
    out += text[at];
  }
  return out;
}

std::string encoded_value(std::string_view text) {
  const std::size_t quote = text.find('\'', text.find('\'') + 1);
  if (quote == std::string_view::npos) return {};
  Head decoder;
  decoder.target = text.substr(quote + 1, text.find(';') - quote - 1);
  return split_target(decoder) ? decoder.path : std::string{};
}

std::string plain_value(std::string_view text) {
  std::string_view word = text.substr(0, text.find(';'));
  while (!word.empty() && (word.back() == ' ' || word.back() == '\t'))
    word.remove_suffix(1);
  return std::string(word);
}

// Where the next parameter begins, past quoted text.
std::size_t next_parameter(std::string_view header, std::size_t at) {
  for (bool quoted = false; at < header.size(); ++at) {
    if (quoted && header[at] == '\\')
      ++at;
    else if (header[at] == '"')
      quoted = !quoted;
    else if (header[at] == ';' && !quoted)
      return at + 1;
  }
  return std::string_view::npos;
}

std::string find_parameter(std::string_view header, const std::string& name) {
  std::size_t at = next_parameter(header, 0);
  for (; at < header.size(); at = next_parameter(header, at)) {
    std::string_view rest = header.substr(at);
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t'))
      rest.remove_prefix(1);
    if (!same_word(rest.substr(0, name.size()), name)) continue;
    rest.remove_prefix(name.size());
    if (!rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    if (name.ends_with('*')) return encoded_value(rest);
    return rest.starts_with('"') ? quoted_value(rest) : plain_value(rest);
  }
  return {};
}

}  // namespace

std::string parameter_of(std::string_view header, std::string_view name) {
  std::string encoded = find_parameter(header, std::string(name) + "*");
  return !encoded.empty() ? encoded : find_parameter(header, std::string(name));
}

std::string boundary_of(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  if (!same_word(plain_value(type), "multipart/form-data")) return {};
  std::string boundary = parameter_of(content_type, "boundary");
  return boundary.size() <= 200 ? boundary : std::string{};
}

FormReader::FormReader(std::string boundary, Writer writer)
    : delimiter_("\r\n--" + std::move(boundary)), writer_(std::move(writer)) {}

bool FormReader::fail() {
  state_ = State::Broken;
  return false;
}

bool FormReader::put(std::string_view bytes) {
  // In pieces: what is pending stays small, whatever is put at once.
  for (; !bytes.empty() && state_ != State::Broken;
       bytes.remove_prefix(std::min(kPiece, bytes.size()))) {
    if (state_ == State::End) return true;  // an epilogue means nothing
    pending_.append(bytes.substr(0, kPiece));
    while (step()) {
    }
    pending_.erase(0, at_);
    at_ = 0;
  }
  return state_ != State::Broken;
}

// True when there may be more to do with what is pending.
bool FormReader::step() {
  switch (state_) {
    case State::Before:
    case State::Body:
      return read_body();
    case State::Header:
      return read_header();
    case State::End:
    case State::Broken:
      break;
  }
  return false;
}

// Up to the next delimiter, all bytes belong to the part; of a tail that may be the beginning of
// one, nobody knows yet.
bool FormReader::read_body() {
  const std::string_view rest = this->rest();
  const std::size_t end = rest.find(delimiter_);
  const bool found = end != std::string_view::npos;
  const std::size_t keep = delimiter_.size() - 1;
  const std::size_t sure = found ? end : rest.size() - std::min(keep, rest.size());
  if (wanted_ && sure > 0 && !writer_.write(rest.substr(0, sure))) return fail();
  at_ += sure;
  return found && read_delimiter_end();
}

bool FormReader::read_delimiter_end() {
  wanted_ = false;
  state_ = State::Before;  // nothing of this delimiter is a body, if more bytes must come first
  const std::string_view behind = rest().substr(delimiter_.size());
  if (behind.starts_with("--")) {
    state_ = State::End;
    return false;
  }
  const std::size_t line_end = behind.substr(0, kPaddingLimit + 2).find("\r\n");
  if (line_end == std::string_view::npos) return behind.size() > kPaddingLimit + 1 ? fail() : false;
  if (behind.substr(0, line_end).find_first_not_of(" \t") != std::string_view::npos) return fail();
  at_ += delimiter_.size() + line_end;  // keeps CRLF: a part may have no header
  state_ = State::Header;
  return ++parts_ <= kMostParts || fail();
}

bool FormReader::read_header() {
  const std::string_view rest = this->rest();
  const std::size_t end = rest.find("\r\n\r\n", searched_);
  searched_ =
      end == std::string_view::npos ? rest.size() - std::min<std::size_t>(3, rest.size()) : 0;
  if (end == std::string_view::npos) return rest.size() > kHeaderLimit + 3 ? fail() : false;
  if (end > kHeaderLimit) return fail();
  at_ += end + 4;
  state_ = State::Body;
  return begin_part(rest.substr(0, end + 2)) || fail();
}

bool FormReader::begin_part(std::string_view header) {
  for (std::size_t at = 0; at < header.size();) {
    const std::size_t end = header.find("\r\n", at);
    const std::string_view line = header.substr(at, end - at);
    at = end == std::string_view::npos ? header.size() : end + 2;
    constexpr std::string_view kName = "content-disposition:";
    if (!same_word(line.substr(0, kName.size()), kName)) continue;
    const std::string file_name = parameter_of(line, "filename");
    const Wish wish = writer_.begin({.name = parameter_of(line, "name"),
                                     .file_name = file_name.substr(file_name.rfind('/') + 1)});
    wanted_ = wish == Wish::Take;
    return wish != Wish::Stop;
  }
  return true;
}

}  // namespace assay::transport
