#include "wire/encode_facts.h"

#include "wire/writer.h"

namespace assay::wire {
namespace {

using sandbox::Exited;
using sandbox::Facts;
using sandbox::Forbidden;
using sandbox::NotStarted;
using sandbox::Signaled;

struct EndWriter {
  Object& out;

  void operator()(const Exited& end) {
    out.text("end", "exited");
    out.number("code", end.code);
    out.null("signal");
    out.null("syscall");
  }
  void operator()(const Signaled& end) {
    out.text("end", "signaled");
    out.null("code");
    out.number("signal", end.signal);
    out.text("signal_name", sandbox::name_of_signal(end.signal));
    out.flag("core", end.core);
    out.null("syscall");
  }
  void operator()(const Forbidden& end) {
    out.text("end", "forbidden");
    out.null("code");
    out.null("signal");
    out.number("syscall", end.syscall);
    out.text("syscall_name", sandbox::name_of_syscall(end.syscall));
  }
  void operator()(const NotStarted& end) {
    out.text("end", "not_started");
    out.null("code");
    out.null("signal");
    out.null("syscall");
    out.text("step", end.step);
    out.text("what", end.what);
    out.number("errno", end.error);
    out.text("why", sandbox::describe(end));
  }
};

void append_file_error(std::string& out, const sandbox::FileError& error) {
  Object object(out);
  object.text("name", error.name);
  object.text("why", error.why);
  object.number("errno", error.error);
  object.close();
}

}  // namespace

void append_facts(std::string& out, const Facts& facts) {
  Object object(out);
  std::visit(EndWriter{object}, facts.end);
  object.text("cut_off_by", sandbox::name_of(facts.cut_off_by));
  object.number("cpu_ns", facts.cpu_total.count());
  object.number("cpu_user_ns", facts.cpu_user.count());
  object.number("cpu_system_ns", facts.cpu_system.count());
  object.number("wall_ns", facts.wall.count());
  object.number("starved_ns", facts.starved.count());
  object.count("memory_peak_bytes", facts.memory_peak.count);
  object.text("memory_meter", facts.memory_meter);
  object.count("oom_kills", facts.oom_kills);
  object.count("processes_peak", facts.processes_peak);
  object.count("processes_refused", facts.processes_refused);
  object.count("stdout_bytes", facts.output.bytes);
  object.count("stderr_bytes", facts.errors.bytes);
  object.flag("stdout_over_limit", facts.output.over_limit);
  object.flag("stderr_over_limit", facts.errors.over_limit);
  object.flag("file_over_limit", facts.file_over_limit);
  object.count("switches_voluntary", facts.switches_voluntary);
  object.count("switches_forced", facts.switches_forced);
  append_list(object.value("file_errors"), facts.file_errors, append_file_error);
  object.text("box", sandbox::name_of(facts.box));
  append_list(object.value("missing"), facts.missing, append_text);
  object.close();
}

}  // namespace assay::wire
