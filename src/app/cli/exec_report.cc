#include "app/cli/exec_report.h"

#include <fmt/format.h>

#include "app/cli/json_text.h"
#include "app/cli/one_line.h"

namespace assay::cli {
namespace {

using sandbox::BoxMode;
using sandbox::End;
using sandbox::Exited;
using sandbox::Facts;
using sandbox::FileError;
using sandbox::Forbidden;
using sandbox::name_of_signal;
using sandbox::name_of_syscall;
using sandbox::NotStarted;
using sandbox::Signaled;

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};

std::string end_json(const End& end) {
  return std::visit(
      Overloaded{
          [](const Exited& e) {
            return fmt::format(R"("end":"exited","code":{},"signal":null,"syscall":null)", e.code);
          },
          [](const Signaled& e) {
            return fmt::format(
                R"("end":"signaled","code":null,"signal":{},"signal_name":{},"core":{},"syscall":null)",
                e.signal, json_quoted(name_of_signal(e.signal)), e.core);
          },
          [](const Forbidden& e) {
            return fmt::format(
                R"("end":"forbidden","code":null,"signal":null,"syscall":{},"syscall_name":{})",
                e.syscall, json_quoted(name_of_syscall(e.syscall)));
          },
          [](const NotStarted& e) {
            return fmt::format(
                R"("end":"not_started","code":null,"signal":null,"syscall":null,"step":{},"what":{},"errno":{},"why":{})",
                json_quoted(e.step), json_quoted(e.what), e.error, json_quoted(describe(e)));
          },
      },
      end);
}

std::string file_errors_json(const Facts& facts) {
  std::string list;
  for (const FileError& error : facts.file_errors)
    list += fmt::format(R"({}{{"name":{},"why":{},"errno":{}}})", list.empty() ? "" : ",",
                        json_quoted(error.name), json_quoted(error.why), error.error);
  return list;
}

std::string missing_json(const Facts& facts) {
  std::string list;
  for (const std::string& line : facts.missing)
    list += (list.empty() ? "" : ",") + json_quoted(line);
  return list;
}

std::string end_text(const End& end) {
  return std::visit(
      Overloaded{
          [](const Exited& e) { return fmt::format("exit {}", e.code); },
          [](const Signaled& e) { return name_of_signal(e.signal); },
          [](const Forbidden& e) { return "forbidden call " + name_of_syscall(e.syscall); },
          [](const NotStarted&) { return std::string("not started"); },
      },
      end);
}

}  // namespace

std::string json_report(const Facts& f, const verdict::Judgement& judgement) {
  return fmt::format(
      R"({{"verdict":{},"reason":{},"facts":{{{},"cut_off_by":"{}","cpu_ns":{},"cpu_user_ns":{},"cpu_system_ns":{},"wall_ns":{},"starved_ns":{},)"
      R"("memory_peak_bytes":{},"memory_meter":{},"oom_kills":{},"processes_peak":{},"processes_refused":{},)"
      R"("stdout_bytes":{},"stderr_bytes":{},"stdout_over_limit":{},"stderr_over_limit":{},"file_over_limit":{},)"
      R"("switches_voluntary":{},"switches_forced":{},"file_errors":[{}],"box":"{}","missing":[{}]}}}})"
      "\n",
      json_quoted(judgement.letters), json_quoted(judgement.reason), end_json(f.end),
      name_of(f.cut_off_by), f.cpu_total.count(), f.cpu_user.count(), f.cpu_system.count(),
      f.wall.count(), f.starved.count(), f.memory_peak.count, json_quoted(f.memory_meter),
      f.oom_kills, f.processes_peak, f.processes_refused, f.output.bytes, f.errors.bytes,
      f.output.over_limit, f.errors.over_limit, f.file_over_limit, f.switches_voluntary,
      f.switches_forced, file_errors_json(f), name_of(f.box), missing_json(f));
}

std::string summary(const Facts& f, const verdict::Judgement& judgement, bool colours) {
  const bool good = judgement.verdict == verdict::Verdict::Accepted;
  const std::string_view paint = !colours ? "" : good ? "\033[1;32m" : "\033[1;31m";
  const std::string_view plain = colours ? "\033[0m" : "";
  std::string text =
      fmt::format("{}{}{}  {}   cpu {}   wall {}   memory {}   {}\n", paint, judgement.letters,
                  plain, end_text(f.end), format_duration(f.cpu_total), format_duration(f.wall),
                  format_bytes(f.memory_peak), one_line(judgement.reason));
  if (f.box == BoxMode::None)
    text += "NOT ISOLATED: this program could reach whatever its user can (isolation = \"none\")\n";
  for (const std::string& line : f.missing)
    text += "degraded box: " + line + "\n";
  return text;
}

}  // namespace assay::cli
