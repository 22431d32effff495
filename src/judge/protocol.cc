#include "judge/protocol.h"

#include <array>

namespace assay::judge {
namespace {

enum class Part { None, Input, Output, Answer, Feedback, Extra };

struct Convention {
  Protocol protocol{};
  std::string_view name{};
  std::array<Part, 4> arguments{};
  bool output_on_stdin = false;
};

constexpr std::array kConventions = {
    Convention{
        Protocol::Testlib, "testlib", {Part::Input, Part::Output, Part::Answer, Part::Extra}},
    Convention{
        Protocol::Icpc, "icpc", {Part::Input, Part::Answer, Part::Feedback, Part::Extra}, true},
    Convention{
        Protocol::ExitCode, "exitcode", {Part::Extra, Part::Input, Part::Output, Part::Answer}},
    Convention{Protocol::Cms, "cms", {Part::Input, Part::Answer, Part::Output, Part::Extra}},
    Convention{Protocol::Lines, "lines", {Part::Input, Part::Output, Part::Answer, Part::Extra}},
    Convention{Protocol::Boca, "boca", {Part::Output, Part::Answer, Part::Input, Part::Extra}},
    Convention{Protocol::Noj, "noj", {Part::Input, Part::Output, Part::Answer, Part::Extra}},
};

const Convention& convention(Protocol protocol) {
  return kConventions[static_cast<std::size_t>(protocol)];
}

static_assert([] {
  for (std::size_t i = 0; i < kConventions.size(); ++i)
    if (static_cast<std::size_t>(kConventions[i].protocol) != i) return false;
  return true;
}());

// ICPC validators put a file's name right behind it.
std::string with_slash(std::string directory) {
  if (!directory.ends_with('/')) directory += '/';
  return directory;
}

}  // namespace

std::string_view name_of(Protocol protocol) {
  return convention(protocol).name;
}

std::optional<Protocol> protocol_named(std::string_view name) {
  for (const Convention& each : kConventions)
    if (each.name == name) return each.protocol;
  return std::nullopt;
}

std::vector<std::string> checker_arguments(Protocol protocol, const CheckerFiles& files,
                                           std::span<const std::string> extra) {
  std::vector<std::string> arguments;
  for (const Part part : convention(protocol).arguments) {
    if (part == Part::Input) arguments.push_back(files.input);
    if (part == Part::Output) arguments.push_back(files.output);
    if (part == Part::Answer) arguments.push_back(files.answer);
    if (part == Part::Feedback) arguments.push_back(with_slash(files.feedback));
    if (part == Part::Extra) arguments.insert(arguments.end(), extra.begin(), extra.end());
  }
  return arguments;
}

bool reads_output_on_stdin(Protocol protocol) {
  return convention(protocol).output_on_stdin;
}

bool needs_feedback_directory(Protocol protocol) {
  for (const Part part : convention(protocol).arguments)
    if (part == Part::Feedback) return true;
  return false;
}

}  // namespace assay::judge
