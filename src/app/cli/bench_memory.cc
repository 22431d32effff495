// What an engine at rest holds in memory: the warden, and each idle box.
#include <unistd.h>

#include <charconv>
#include <optional>

#include "app/cli/bench_engine.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"
#include "app/cli/bench_traces.h"
#include "os/file.h"
#include "os/process.h"

namespace assay::cli {
namespace {

constexpr unsigned kBoxes = 8;

double mib(std::int64_t kib) {
  return static_cast<double>(kib) / 1024;
}

// What the kernel holds for everybody: its change, divided by the boxes made, is an estimate; other
// programs move it, too.
Result<std::int64_t> kernel_kib() {
  const std::string text = TRY(os::read_whole("/proc/meminfo"));
  std::int64_t sum = 0;
  for (const char* label : {"\nSlab:", "\nKernelStack:", "\nPageTables:", "\nPercpu:"}) {
    const std::size_t at = text.find(label);
    const std::size_t digits = at == text.npos ? text.npos : text.find_first_of("0123456789", at);
    std::int64_t value = 0;
    if (digits != text.npos)
      std::from_chars(text.data() + digits, text.data() + text.size(), value);
    sum += value;
  }
  return sum;
}

// The launcher of a box and its init, which share one address space: counted once.
Result<Resident> resident_box(pid_t launcher) {
  std::vector<pid_t> processes = descendants_of(launcher);
  processes.insert(processes.begin(), launcher);
  Resident sum;
  for (const pid_t process : distinct_memories(processes)) {
    const Resident one = TRY(resident_of(process));
    sum.rss_kib += one.rss_kib;
    sum.pss_kib += one.pss_kib;
  }
  return sum;
}

// The peer: a plain /bin/cat that waits for input.
Result<Resident> resident_bare() {
  os::Pipe input = TRY(os::make_pipe());
  os::Pipe output = TRY(os::make_pipe());
  const os::Process cat =
      TRY(os::spawn("/bin/cat", {}, std::array{input.read_end.get(), output.write_end.get(), 2}));
  char answer = 0;
  TRY_STATUS(os::write_all(input.write_end.get(), "1"));
  if (::read(output.read_end.get(), &answer, 1) != 1) return system_error("hear from '/bin/cat'");
  return resident_of(cat.pid());
}

Section section_of(std::string name, const Resident& resident) {
  return {std::move(name),
          {{"rss_kib", static_cast<double>(resident.rss_kib)},
           {"pss_kib", static_cast<double>(resident.pss_kib)}}};
}

}  // namespace

Result<Report> bench_memory(const BenchOptions& options) {
  const unsigned boxes =
      options.runs != 0 ? static_cast<unsigned>(std::min<std::uint64_t>(options.runs, 64)) : kBoxes;
  Engine engine = TRY(Engine::start(1));
  const Resident bare = TRY(resident_bare());
  const std::int64_t kernel_before = TRY(kernel_kib());
  TRY_STATUS(engine.sandbox().prepare("default", boxes));
  TRY_STATUS(engine.settle());
  const std::int64_t kernel_after = TRY(kernel_kib());
  const Resident warden = TRY(resident_of(engine.sandbox().warden_pid()));
  std::vector<std::int64_t> rss;
  std::vector<std::int64_t> pss;
  for (const pid_t launcher : children_of(engine.sandbox().warden_pid())) {
    const Resident box = TRY(resident_box(launcher));
    rss.push_back(box.rss_kib);
    pss.push_back(box.pss_kib);
  }
  if (pss.size() < boxes)
    return invalid("only " + std::to_string(pss.size()) + " boxes were found below the warden");
  Report report{.bench = "memory",
                .about = std::to_string(pss.size()) +
                         " idle boxes and their warden; an idle bare /bin/cat beside them"};
  report.promises = {{"warden_rss", mib(warden.rss_kib), 6, "MB"},
                     {"idle_box_pss", mib(percentile(pss, 1)), 1, "MB"}};
  report.detail = {section_of("warden", warden),
                   section_of("idle_box_median", {median(rss), median(pss)}),
                   section_of("bare_cat", bare),
                   section_of("this_process", TRY(resident_of(::getpid()))),
                   {"kernel",
                    {{"per_box_kib", static_cast<double>(kernel_after - kernel_before) /
                                         std::max(1U, boxes - 1)}}}};
  return report;
}

}  // namespace assay::cli
