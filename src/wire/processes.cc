#include "wire/processes.h"

#include "wire/decode_command.h"
#include "wire/encode_facts.h"
#include "wire/strict.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

using service::ProcessOrder;

constexpr std::uint64_t kLongestIdleMs = 86'400'000;

struct Nobody {};  // needs no files of anybody

Status read_idle(Reader& in, ProcessOrder& out, Nobody&) {
  if (in.take_null()) return {};
  std::uint64_t ms = 0;
  TRY_STATUS(in.count(ms, kLongestIdleMs));
  if (ms == 0) return in.fail("must be more than 0");
  out.idle = std::chrono::milliseconds(ms);
  return {};
}

constexpr StrictField<ProcessOrder, Nobody> kFields[] = {
    {"cmd",
     [](Reader& in, ProcessOrder& o, Nobody&) {
       return read_command(in, o.command);
     }},
    {"idleMs", read_idle},
    {"core",
     [](Reader& in, ProcessOrder& o, Nobody&) {
       return in.flag(o.core);
     }},
};

void append_reading(Object& out, const held::Reading& r) {
  out.flag("running", r.running);
  out.text("status", r.text);
  out.number("cpuUs", r.cpu.count() / 1000);
  out.number("wallUs", r.wall.count() / 1000);
  out.count("memoryBytes", r.memory_now.count);
  out.count("memoryPeakBytes", r.memory_peak.count);
  out.count("section", r.section);
  out.number("sectionCpuUs", r.section_cpu.count() / 1000);
  if (r.section_peak)
    out.count("sectionPeakBytes", r.section_peak->count);
  else
    out.null("sectionPeakBytes");
  out.flag("forced", r.forced);
  if (r.facts) append_facts(out.value("facts"), *r.facts);
}

}  // namespace

Result<ProcessOrder> decode_process(std::string_view json) {
  Reader in(json);
  ProcessOrder order;
  Nobody nobody;
  TRY_STATUS((read_strict<ProcessOrder, Nobody>(in, order, nobody, kFields)));
  TRY_STATUS(in.end());
  if (order.command.args.empty()) return invalid("$.cmd.args: expected the program to run");
  return order;
}

std::string encode_process(const std::string& id, const held::Reading& reading) {
  std::string out;
  Object object(out);
  object.text("processId", id);
  append_reading(object, reading);
  object.close();
  return out;
}

std::string encode_processes(const std::vector<service::Processes::Ptr>& processes) {
  std::string out;
  append_list(out, processes, [](std::string& to, const service::Processes::Ptr& process) {
    to += encode_process(process->id(), process->process().look());
  });
  return out;
}

std::string encode_written(std::size_t bytes, bool closed) {
  std::string out;
  Object object(out);
  object.count("written", bytes);
  if (closed) object.flag("closed", true);
  object.close();
  return out;
}

}  // namespace assay::wire
