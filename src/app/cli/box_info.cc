#include "app/cli/box_info.h"

#include <fmt/format.h>

#include "app/cli/json_text.h"

namespace assay::cli {
namespace {

std::string end_json(const held::Reading& reading) {
  if (!reading.facts) return "null";
  const sandbox::Facts& facts = *reading.facts;
  const auto* forbidden = std::get_if<sandbox::Forbidden>(&facts.end);
  return fmt::format(
      R"({{"cut_off_by":"{}","oom_kills":{},"processes_peak":{},"cpu_user_us":{},"cpu_system_us":{},"forbidden_call":{}}})",
      name_of(facts.cut_off_by), facts.oom_kills, facts.processes_peak,
      facts.cpu_user.count() / 1000, facts.cpu_system.count() / 1000,
      forbidden == nullptr ? "null" : json_quoted(sandbox::name_of_syscall(forbidden->syscall)));
}

}  // namespace

std::string info_json(const held::Reading& r) {
  return fmt::format(
      R"({{"cpu_us":{},"wall_us":{},"memory_bytes":{},"memory_peak_bytes":{},"section":{},"section_cpu_us":{},)"
      R"("section_peak_bytes":{},"running":{},"forced":{},"status":{},"end":{}}})"
      "\n",
      r.cpu.count() / 1000, r.wall.count() / 1000, r.memory_now.count, r.memory_peak.count,
      r.section, r.section_cpu.count() / 1000,
      r.section_peak ? fmt::format("{}", r.section_peak->count) : "null", r.running, r.forced,
      json_quoted(r.text), end_json(r));
}

}  // namespace assay::cli
