#include "transport/grpc_module/convert.h"
#include "transport/grpc_module/judging_convert.h"

namespace assay::transport::module {
namespace {

std::uint64_t nanoseconds(Nanoseconds time) {
  return static_cast<std::uint64_t>(time.count());
}

struct EndFiller {
  v1::Facts& to;

  void operator()(const sandbox::Exited& end) const { to.mutable_exited()->set_code(end.code); }
  void operator()(const sandbox::Signaled& end) const {
    v1::Facts::Signaled& signaled = *to.mutable_signaled();
    signaled.set_signal(end.signal);
    signaled.set_signal_name(sandbox::name_of_signal(end.signal));
    signaled.set_core(end.core);
  }
  void operator()(const sandbox::Forbidden& end) const {
    to.mutable_forbidden()->set_syscall(end.syscall);
    to.mutable_forbidden()->set_syscall_name(sandbox::name_of_syscall(end.syscall));
  }
  void operator()(const sandbox::NotStarted& end) const {
    v1::Facts::NotStarted& not_started = *to.mutable_not_started();
    not_started.set_step(as_utf8(end.step));
    not_started.set_what(as_utf8(end.what));
    not_started.set_errno_value(end.error);
    not_started.set_why(as_utf8(sandbox::describe(end)));
  }
};

}  // namespace

void fill_facts(const sandbox::Facts& from, v1::Facts& to) {
  std::visit(EndFiller{to}, from.end);
  to.set_cut_off_by(std::string(sandbox::name_of(from.cut_off_by)));
  to.set_cpu_ns(nanoseconds(from.cpu_total));
  to.set_cpu_user_ns(nanoseconds(from.cpu_user));
  to.set_cpu_system_ns(nanoseconds(from.cpu_system));
  to.set_wall_ns(nanoseconds(from.wall));
  to.set_starved_ns(nanoseconds(from.starved));
  to.set_memory_peak_bytes(from.memory_peak.count);
  to.set_memory_meter(as_utf8(from.memory_meter));
  to.set_oom_kills(from.oom_kills);
  to.set_processes_peak(from.processes_peak);
  to.set_processes_refused(from.processes_refused);
  to.set_stdout_bytes(from.output.bytes);
  to.set_stderr_bytes(from.errors.bytes);
  to.set_stdout_over_limit(from.output.over_limit);
  to.set_stderr_over_limit(from.errors.over_limit);
  to.set_file_over_limit(from.file_over_limit);
  to.set_switches_voluntary(from.switches_voluntary);
  to.set_switches_forced(from.switches_forced);
  for (const sandbox::FileError& error : from.file_errors) {
    v1::Facts::FileError& added = *to.add_file_errors();
    added.set_name(as_utf8(error.name));
    added.set_why(as_utf8(error.why));
    added.set_errno_value(error.error);
  }
  to.set_box(std::string(sandbox::name_of(from.box)));
  for (const std::string& each : from.missing)
    to.add_missing(as_utf8(each));
}

}  // namespace assay::transport::module
