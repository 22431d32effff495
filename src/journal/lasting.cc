#include "journal/lasting.h"

namespace assay::journal {
namespace {

// Fields of a Content. A text that is empty is still one.
constexpr unsigned kText = 1, kFile = 2, kPath = 3, kOffset = 4, kSize = 5;
constexpr unsigned kKey = 1, kValue = 2;

struct Pair {
  std::string key{};
  std::string value{};
};

template <typename Io, Of<Pair> V>
void fields(Io& io, V& v) {
  io(kKey, v.key);
  io(kValue, v.value);
}

void append_count(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U)
    out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

// Takes one from the front; none: the bytes end too early, or it is too long.
std::optional<std::uint64_t> take_count(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace

void Writer::count(std::uint64_t value) {
  append_count(out_.bytes, value);
}

// Small numbers of either sign stay short: 0, -1, 1, -2 … are 0, 1, 2, 3 …
void Writer::write(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  count((bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void Writer::frame(unsigned number, std::size_t begin) {
  std::string front;
  append_count(front, number);
  append_count(front, out_.bytes.size() - begin);
  out_.bytes.insert(begin, front);
}

// A file of the host is only named: it is the operator's, and what it says is theirs to change.
void Writer::write(const judge::Content& content) {
  if (!content.path.empty()) return (*this)(kPath, content.path);
  if (content.file == nullptr) return (*this)(kText, content.text);
  const auto [known, is_new] = numbers_.try_emplace(content.file.get(), out_.files.size());
  if (is_new) out_.files.push_back(content.file);
  (*this)(kFile, std::uint64_t{known->second});
  if (!content.part) return;
  (*this)(kOffset, content.part->offset);
  (*this)(kSize, content.part->size);
}

void Writer::write(const std::map<std::string, std::string, std::less<>>& map) {
  for (const auto& [key, value] : map)
    (*this)(1, Pair{key, value});
}

Reader::Reader(std::string_view bytes, OpenSources& sources, std::optional<Error>& trouble)
    : sources_(sources), trouble_(trouble) {
  while (!bytes.empty() && !trouble_) {
    const auto number = take_count(bytes);
    const auto size = take_count(bytes);
    if (!number || !size || *size > bytes.size()) {
      fail("a field that is not whole");
      return;
    }
    fields_.push_back({*number, bytes.substr(0, *size)});
    bytes.remove_prefix(*size);
  }
}

std::optional<std::string_view> Reader::find(unsigned number) const {
  if (!trouble_)
    for (const Field& field : fields_)
      if (field.number == number) return field.bytes;
  return std::nullopt;
}

void Reader::fail(std::string why) {
  fail(Error{Fault::System, 0, "read a record of the journal: " + std::move(why)});
}

void Reader::fail(Error why) {
  if (!trouble_) trouble_ = std::move(why);
}

std::uint64_t Reader::count(std::string_view bytes) {
  const auto value = take_count(bytes);
  if (!value || !bytes.empty()) fail("a number that is none");
  return value.value_or(0);
}

void Reader::read(std::string_view bytes, std::int64_t& value) {
  const std::uint64_t bits = count(bytes);
  value = static_cast<std::int64_t>((bits >> 1U) ^ (~(bits & 1U) + 1));
}

void Reader::read(std::string_view bytes, unsigned& value) {
  const std::uint64_t wide = count(bytes);
  if (!std::in_range<unsigned>(wide)) return fail("a number that is too large");
  value = static_cast<unsigned>(wide);
}

void Reader::read(std::string_view bytes, int& value) {
  std::int64_t wide = 0;
  read(bytes, wide);
  narrow(wide, value);
}

std::shared_ptr<const os::OwnedFd> Reader::file(std::uint64_t number) {
  const auto& [from, opened] = sources_;
  if (!from.file) {
    fail("a file, and there are none");
    return nullptr;
  }
  if (const auto known = opened.find(number); known != opened.end()) return known->second;
  auto file = from.file(number);
  if (!file) {
    fail(std::move(file).error());
    return nullptr;
  }
  auto held = from.adopt ? from.adopt(*std::move(file))
                         : std::make_shared<const os::OwnedFd>(*std::move(file));
  return sources_.opened.emplace(number, std::move(held)).first->second;
}

void Reader::read(std::string_view bytes, judge::Content& content) {
  const Reader inside(bytes, sources_, trouble_);
  if (const auto text = inside.find(kText)) {
    content.text = *text;
  } else if (const auto number = inside.find(kFile)) {
    content.file = file(count(*number));
    if (const auto size = inside.find(kSize))
      content.part = {.offset = count(inside.find(kOffset).value_or("")), .size = count(*size)};
  } else if (const auto path = inside.find(kPath)) {
    if (!sources_.from.host_file) return fail("a file of the host, and those are not read here");
    auto opened = sources_.from.host_file(std::string(*path));
    if (!opened) return fail(std::move(opened).error());
    content = *std::move(opened);
  }
}

void Reader::read(std::string_view bytes, std::map<std::string, std::string, std::less<>>& map) {
  std::vector<Pair> pairs;
  Reader inside(bytes, sources_, trouble_);
  inside(1, pairs);
  for (Pair& pair : pairs)
    map.insert_or_assign(std::move(pair.key), std::move(pair.value));
}

}  // namespace assay::journal
