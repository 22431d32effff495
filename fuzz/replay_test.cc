// Every input that a fuzzer kept, and a second of others made of those in the same way each time:
// what was mended stays mended, with any compiler and in seconds.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/targets.h"

// A sanitizer ends the process without a signal.
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*say)());

namespace assay::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

// Changes of the corpus that each target is fed: for a second, and 300 however slow it is. With a
// number in ASSAY_FUZZ_CHANGES, so many: to come to one that was said to fail, or for whoever has
// time and no clang. The same seed (ASSAY_FUZZ_SEED) makes the same changes.
constexpr unsigned kLeast = 300;
constexpr std::chrono::seconds kFor{1};

unsigned number_of(const char* variable, unsigned otherwise) {
  const char* wanted = std::getenv(variable);
  return wanted == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
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

void say_what_was_fed() {
  (void)!::write(2, current.data(), current.size());
}

void say_and_die(int signal) {
  say_what_was_fed();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void listen_for_deaths() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE})
    ::signal(signal, say_and_die);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(say_what_was_fed);
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
  explicit Mutator(unsigned seed) : random_{seed} {}
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
  std::mt19937 random_;
};

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, TakesItsCorpusAndWhatIsLikeIt) {
  const auto inputs = corpus_of(GetParam().name);
  ASSERT_FALSE(inputs.empty());
  listen_for_deaths();
  const auto feed = [&](const std::string& name, const std::string& how, const std::string& bytes) {
    current = std::string(GetParam().name) + ": input " + name + how + ": " + in_hex(bytes) + "\n";
    GetParam().feed(bytes);
  };
  for (const auto& [name, bytes] : inputs)
    feed(name, "", bytes);
  const unsigned seed = number_of("ASSAY_FUZZ_SEED", 2026);
  const unsigned wanted = number_of("ASSAY_FUZZ_CHANGES", 0);
  const auto end = Clock::now() + kFor;
  Mutator mutator(seed);
  unsigned fed = 0;
  for (; wanted != 0 ? fed < wanted : fed < kLeast || Clock::now() < end; ++fed) {
    const auto& [name, bytes] = inputs[mutator.below(inputs.size())];
    const std::string& other = inputs[mutator.below(inputs.size())].second;
    feed(name, fmt::format(" as change {} of seed {}", fed, seed), mutator.mutated(bytes, other));
  }
  std::cout << fmt::format("{} changes of seed {}\n", fed, seed);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, testing::ValuesIn(kTargets),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace assay::fuzz
