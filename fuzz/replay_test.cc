// Every input that a fuzzer kept, and some more made of those in the same way each time: what was
// mended stays mended, with any compiler and in seconds.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/targets.h"

namespace assay::fuzz {
namespace {

// Of each target. More for whoever has time and no clang.
int changes() {
  const char* wanted = std::getenv("ASSAY_FUZZ_CHANGES");
  return wanted == nullptr ? 300 : std::atoi(wanted);
}
constexpr std::size_t kLongest = 4096;

// What is being fed, in hex, for whoever dies of it.
std::string current;

std::string in_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4U];
    text += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return text;
}

void say_what_was_fed(int signal) {
  (void)!::write(2, current.data(), current.size());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

std::vector<std::pair<std::string, std::string>> corpus_of(std::string_view target) {
  std::vector<std::pair<std::string, std::string>> inputs;
  const auto directory = std::filesystem::path(ASSAY_SOURCE_DIR) / "fuzz/corpus" / target;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::ifstream file(entry.path(), std::ios::binary);
    inputs.emplace_back(entry.path().filename(),
                        std::string(std::istreambuf_iterator<char>(file), {}));
  }
  std::ranges::sort(inputs);
  return inputs;
}

class Mutator {
 public:
  std::string mutated(std::string text, const std::string& other) {
    for (std::size_t times = 1 + below(4); times > 0; --times)
      change(text, other);
    return text.substr(0, kLongest);
  }
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

 private:
  void change(std::string& text, const std::string& other) {
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 2:
        text.erase(at, 1 + below(16));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), below(64)));
        break;
      default:
        text.insert(at, other.substr(below(other.size() + 1), below(64)));
    }
  }
  std::mt19937 random_{20'26};  // NOLINT(cert-msc51-cpp): the same inputs each time
};

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, TakesItsCorpusAndWhatIsLikeIt) {
  const auto inputs = corpus_of(GetParam().name);
  ASSERT_FALSE(inputs.empty());
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE})
    ::signal(signal, say_what_was_fed);
  const auto feed = [&](const std::string& name, const std::string& how, const std::string& bytes) {
    current = std::string(GetParam().name) + ": input " + name + how + ": " + in_hex(bytes) + "\n";
    GetParam().feed(bytes);
  };
  for (const auto& [name, bytes] : inputs)
    feed(name, "", bytes);
  Mutator mutator;
  const int wanted = changes();
  for (int i = 0; i < wanted; ++i) {
    const auto& [name, bytes] = inputs[mutator.below(inputs.size())];
    const std::string& other = inputs[mutator.below(inputs.size())].second;
    feed(name, " as its change " + std::to_string(i), mutator.mutated(bytes, other));
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, testing::ValuesIn(kTargets),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace assay::fuzz
