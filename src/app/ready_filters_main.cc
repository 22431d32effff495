// ready_filters FILE…: compiles system call filters and writes them as C++ to stdout. Run by the
// build; see sandbox/warden/ready.h.
#include <fmt/format.h>

#include <cstdio>

#include "os/file.h"
#include "sandbox/warden/filter.h"

namespace {

using assay::sandbox::warden::Filter;

std::string numbers(const std::vector<std::size_t>& values) {
  return fmt::format("{{{}}}", fmt::join(values, ","));
}

std::string as_code(int index, const std::string& json, const Filter& filter) {
  std::string program;
  for (const sock_filter& step : filter.program)
    program += fmt::format("{{{},{},{},{}U}},", step.code, step.jt, step.jf, step.k);
  return fmt::format(
      "constexpr std::string_view kJson{0} = R\"filter({1})filter\";\n"
      "constexpr sock_filter kProgram{0}[] = {{{2}}};\n"
      "constexpr std::size_t kHigh{0}[] = {3};\nconstexpr std::size_t kLow{0}[] = {4};\n",
      index, json, program, numbers(filter.key_high), numbers(filter.key_low));
}

}  // namespace

int main(int argc, char** argv) {
  std::string code =
      "#include \"sandbox/warden/ready.h\"\nnamespace assay::sandbox::warden {\nnamespace {\n";
  std::string table;
  for (int i = 1; i < argc; ++i) {
    const auto json = assay::os::read_whole(argv[i]);
    if (!json) return std::fprintf(stderr, "%s\n", describe(json.error()).c_str()), 1;
    const auto filter = assay::sandbox::warden::compile_filter(*json);
    if (!filter)
      return std::fprintf(stderr, "%s: %s\n", argv[i], describe(filter.error()).c_str()), 1;
    if (filter->key_high.empty()) continue;  // nothing to key: rare, and cheap to compile
    code += as_code(i, *json, *filter);
    table += fmt::format("    {{kJson{0}, kProgram{0}, kHigh{0}, kLow{0}, {1}, {2}, {3}}},\n", i,
                         filter->listens, filter->watched, filter->knows_ipc);
  }
  code +=
      "constexpr ReadyFilter kReady[] = {\n" + table +
      "};\n}  // namespace\nstd::span<const ReadyFilter> ready_filters() {\n  return kReady;\n}\n"
      "}  // namespace assay::sandbox::warden\n";
  return std::fputs(code.c_str(), stdout) < 0 ? 1 : 0;
}
