#include "app/cli/doctor.h"

#include <unistd.h>

#include <cstdlib>

#include "app/cli/commands.h"
#include "app/cli/doctor_cgroups.h"
#include "app/cli/doctor_print.h"
#include "os/file.h"

namespace assay::cli {
namespace checkup {
namespace {

void add(std::vector<Line>& lines, std::vector<Line> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

void examine(std::vector<Line>& lines, std::span<const Check> checks, const Host& host) {
  for (const Check& check : checks)
    lines.push_back({check.group, check.name, check.look(host)});
}

std::vector<Line> examine_all(const Host& host, const BoxTrial& trial) {
  std::vector<Line> lines;
  examine(lines, kernel_checks(), host);
  add(lines, feature_lines(host));
  examine(lines, cgroup_checks(), host);
  examine(lines, meter_checks(), host);
  examine(lines, identity_checks(), host);
  add(lines, profile_lines(host));
  add(lines, box_lines(host, trial, lines));
  add(lines, language_lines(host));
  examine(lines, noise_checks(), host);
  return lines;
}

Colours wanted_colours() {
  const char* refused = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): single thread
  const bool plain = refused != nullptr && *refused != '\0';
  return ::isatty(STDOUT_FILENO) == 1 && !plain ? Colours::Yes : Colours::No;
}

}  // namespace
}  // namespace checkup

int doctor(const DoctorOptions& options) {
  const checkup::Host host = checkup::read_host();
  const checkup::BoxTrial trial = checkup::try_box();
  const std::vector<checkup::Line> lines = checkup::examine_all(host, trial);
  const std::string report = options.json
                                 ? checkup::as_json(lines, trial)
                                 : checkup::as_table(lines, trial, checkup::wanted_colours());
  if (const Status written = os::write_all(STDOUT_FILENO, report); !written)
    return failed(describe(written.error()));
  return trial.mode == "full" ? kGood : kNotGood;
}

}  // namespace assay::cli
