// Random values there and back, and broken requests; the same ones every time.
#include <gtest/gtest.h>

#include <random>

#include "tests/wire/golden.h"
#include "tests/wire/sample.h"
#include "wire/json.h"
#include "wire/utf8.h"

namespace assay::wire {
namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
  bool often() { return below(3) > 0; }
  std::string bytes() {
    std::string out(below(40), '\0');
    for (char& byte : out)
      byte = static_cast<char>(below(4) == 0 ? below(256) : 'a' + below(26));
    return out;
  }
  std::string word() {  // text without NUL: what a name can be
    std::string out;
    for (std::uint64_t n = below(12); n > 0; --n) {
      constexpr std::uint32_t kMost[] = {0x7F, 0x7FF, 0xD7FF, 0x10FFFF};
      const auto point = static_cast<std::uint32_t>(1 + below(kMost[below(4)]));
      append_code_point(out, point >= 0xD800 && point <= 0xDFFF ? '?' : point);
    }
    return out;
  }
  template <typename Make>
  auto list(Make make) {
    std::vector<decltype(make())> out;
    for (std::uint64_t n = below(4); n > 0; --n)
      out.push_back(make());
    return out;
  }

 private:
  std::mt19937_64 engine_;
};

exec::File random_file(Dice& dice) {
  switch (dice.below(7)) {
    case 0:
      return exec::FromPipe{};
    case 1:
      return exec::HostFile{dice.word()};
    case 2:
      return exec::Stored{dice.word()};
    case 3:
      return exec::Collector{dice.word(), Bytes{dice.below(INT64_MAX)}, dice.often()};
    case 4:
      return exec::StreamIn{};
    case 5:
      return exec::StreamOut{};
    default:
      return exec::Content{dice.bytes()};
  }
}

exec::CommandLimits random_limits(Dice& dice) {
  const auto time = [&] {
    return Nanoseconds(1 + static_cast<std::int64_t>(dice.below(1ULL << 60)));
  };
  exec::CommandLimits limits{.cpu_rate = dice.below(3000),
                             .cpu_set = dice.word(),
                             .data_segment = dice.often(),
                             .address_space = dice.often()};
  if (dice.often()) limits.cpu = time();
  if (dice.often()) limits.clock = time();
  if (dice.often()) limits.idle = time();
  if (dice.often()) limits.memory = Bytes{1 + dice.below(INT64_MAX)};
  if (dice.often()) limits.stack = Bytes{1 + dice.below(INT64_MAX)};
  if (dice.often()) limits.output = Bytes{1 + dice.below(INT64_MAX)};
  if (dice.often()) limits.processes = 1 + dice.below(UINT64_MAX - 1);
  return limits;
}

exec::Command random_command(Dice& dice) {
  const auto word = [&] {
    return dice.word();
  };
  int files = 0;
  exec::Command command{.args = dice.list(word),
                        .env = dice.list(word),
                        .files = dice.list([&] { return random_file(dice); }),
                        .tty = dice.often(),
                        .limits = random_limits(dice)};
  command.copy_in = dice.list([&] {
    return exec::CopyIn{std::to_string(files++) + dice.word(), exec::Content{dice.bytes()}};
  });
  command.links = dice.list(
      [&] { return exec::SymbolicLink{std::to_string(files++) + dice.word(), dice.word()}; });
  const auto out = [&] {
    return exec::CopyOut{dice.word() + ".", dice.often()};
  };
  command.copy_out = dice.list(out);
  command.copy_out_cached = dice.list(out);
  command.copy_out_max = Bytes{dice.below(INT64_MAX)};
  command.copy_out_truncate = dice.often();
  return command;
}

exec::Request random_request(Dice& dice) {
  const auto end = [&] {
    return exec::PipeEnd{static_cast<int>(dice.below(9)), static_cast<int>(dice.below(INT32_MAX))};
  };
  exec::Request request{.id = dice.word(),
                        .commands = dice.list([&] { return random_command(dice); }),
                        .priority = static_cast<int>(dice.below(200)) - 100,
                        .encoding = dice.often() ? exec::Encoding::Text : exec::Encoding::Base64,
                        .wants_facts = dice.often()};
  request.pipes = dice.list([&] {
    return exec::PipeMap{.writer = end(),
                         .reader = end(),
                         .proxy = dice.often(),
                         .name = dice.word(),
                         .max = Bytes{dice.below(INT64_MAX)},
                         .zero_copy = dice.often()};
  });
  request.commands.push_back(random_command(dice));
  return request;
}

TEST(Random, RequestsReadBackAsTheyWere) {
  Dice dice(20240607);
  for (int round = 0; round < 3000; ++round) {
    const exec::Request request = random_request(dice);
    const std::string json = encode_request(request);
    ASSERT_TRUE(is_json(json)) << json;
    const auto decoded = decode_request(json);
    ASSERT_TRUE(decoded) << decoded.error().context << "\n" << json;
    ASSERT_EQ(*decoded, request) << json;
  }
}

// As another reader sees it: the text itself, with U+FFFD for each byte that is none.
TEST(Random, StringsMeanWhatTheyWere) {
  Dice dice(7);
  for (int round = 0; round < 20'000; ++round) {
    const std::string bytes = dice.bytes();
    std::string expected;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t length = sequence_length(bytes, at);
      expected += length == 0 ? kReplacement : std::string_view(bytes).substr(at, length);
      at += length == 0 ? 1 : length;
    }
    ASSERT_EQ(text_in_json(encode_string(bytes)), expected);
  }
}

TEST(Random, BrokenRequestsAreRefusedWithAPlaceOrUnderstood) {
  Dice dice(99);
  const std::string whole = encode_request(full_request()) + encode_request(pair_request());
  constexpr std::string_view kInk = "{}[]\",:\\u0019-+.eEtrufalsn \xFF\xC3";
  for (int round = 0; round < 30'000; ++round) {
    std::string json = whole;
    for (std::uint64_t n = 1 + dice.below(4); n > 0; --n) {
      const std::size_t at = dice.below(json.size());
      if (dice.below(4) == 0)
        json.erase(at, 1 + dice.below(30));
      else
        json[at] = kInk[dice.below(kInk.size())];
    }
    const auto request = decode_request(json);
    if (request) continue;
    ASSERT_EQ(request.error().fault, Fault::InvalidRequest);
    ASSERT_TRUE(request.error().context.starts_with("$") ||
                request.error().context == "no cmd provided")
        << request.error().context;
    ASSERT_TRUE(is_json(encode_string(request.error().context)));
  }
}

}  // namespace
}  // namespace assay::wire
