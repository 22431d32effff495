#include "app/sandbox_noj/arguments.h"

#include <array>

#include "verdict/noj_lines.h"

namespace assay::noj {
namespace {

constexpr std::size_t kFew = 11;
constexpr std::size_t kMany = 12;
constexpr std::uint64_t kMostMilliseconds = 24ULL * 3600 * 1000;
constexpr std::uint64_t kMostBytes = 1ULL << 50;

Result<std::uint64_t> number(const char* name, const std::string& word, std::uint64_t least,
                             std::uint64_t most) {
  auto value = parse_count(word, least, most);
  if (!value) return invalid(std::string(name) + ": " + value.error().context);
  return value;
}

Result<bool> flag(const char* name, const std::string& word) {
  return TRY(number(name, word, 0, 1)) == 1;
}

}  // namespace

const char* const kUsage =
    "usage: sandbox lang_id compile file_stdin file_stdout file_stderr time_limit_ms "
    "memory_limit_kb large_stack output_limit_bytes process_limit [allow_network] file_result\n"
    "  lang_id        0 C11, 1 C++17, 2 Python 3\n"
    "  compile        1: compile what is in this directory, 0: run it\n";

Result<Arguments> parse_arguments(std::span<const std::string> words) {
  if (words.size() != kFew && words.size() != kMany) return invalid("need 11 arguments");
  Arguments arguments{.input = words[2], .output = words[3], .errors = words[4]};
  arguments.language = static_cast<Lang>(TRY(number("lang_id", words[0], 0, 2)));
  arguments.compile = TRY(flag("compile", words[1]));
  arguments.time_limit =
      std::chrono::milliseconds(TRY(number("time_limit_ms", words[5], 1, kMostMilliseconds)));
  arguments.memory_limit =
      Bytes{TRY(number("memory_limit_kb", words[6], 1, kMostBytes / 1024)) * 1024};
  arguments.large_stack = TRY(flag("large_stack", words[7]));
  arguments.output_limit = Bytes{TRY(number("output_limit_bytes", words[8], 0, kMostBytes))};
  arguments.processes = TRY(number("process_limit", words[9], 0, 4096));
  if (words.size() == kMany) arguments.allow_network = TRY(flag("allow_network", words[10]));
  arguments.result = words.back();
  return arguments;
}

constexpr Bytes kUsualStack = 8_MiB;  // what a shell would have given

sandbox::Limits limits_of(const Arguments& arguments) {
  using std::chrono::seconds;
  const auto whole = std::chrono::floor<seconds>(arguments.time_limit);
  const bool late = arguments.time_limit - whole > std::chrono::milliseconds(800);
  const Bytes twice{2 * arguments.memory_limit.count};
  sandbox::Limits limits{
      .cpu_time = whole + seconds(late ? 2 : 1),
      .wall_time = arguments.time_limit + verdict::kNojWatcherExtra,
      .memory = twice,
      .address_space = twice,
      .output = arguments.output_limit,
      .processes = arguments.processes + 1,
  };
  limits.stack = arguments.large_stack ? twice : kUsualStack;
  return limits;
}

std::vector<std::string> command_of(const Arguments& arguments) {
  switch (arguments.language) {
    case Lang::C:
      if (arguments.compile)
        return {"/bin/sh", "-c",
                "gcc -DONLINE_JUDGE -O2 -w -fmax-errors=3 -std=c11 *.c -lm -o main"};
      break;
    case Lang::Cpp:
      if (arguments.compile)
        return {"g++",        "-DONLINE_JUDGE", "-O2", "-w", "-fmax-errors=3",
                "-std=c++17", "main.cpp",       "-lm", "-o", "main"};
      break;
    case Lang::Python:
      if (arguments.compile) return {"/usr/bin/python3", "-m", "py_compile", "main.py"};
      return {"/usr/bin/python3", "main.py"};
  }
  return {"./main"};
}

}  // namespace assay::noj
