#include "app/daemon/journal_metrics.h"

#include <fmt/format.h>

namespace assay::daemon {
namespace {

struct Figure {
  const char* name;
  const char* type;
  const char* help;
  std::uint64_t value;
};

}  // namespace

std::string metrics_text(const journal::Snapshot& now) {
  const Figure figures[] = {
      {"assay_journal_unfinished", "gauge", "Submissions kept until they are judged",
       now.unfinished},
      {"assay_journal_results", "gauge", "Results kept", now.results},
      {"assay_journal_result_bytes", "gauge", "Size of those results", now.result_bytes.count},
      {"assay_journal_problems", "gauge", "Problems kept", now.problems},
      {"assay_journal_file_bytes", "gauge", "Size of the journal's file", now.file_bytes.count},
      {"assay_journal_waiting", "gauge", "Records that wait to be written", now.waiting},
      {"assay_journal_records_total", "counter", "Records written", now.written},
      {"assay_journal_commits_total", "counter", "Transactions in which they were", now.commits},
      {"assay_journal_failures_total", "counter", "Records that could not be written",
       now.failures},
      {"assay_journal_evicted_total", "counter", "Results forgotten for younger ones", now.evicted},
  };
  std::string text;
  for (const Figure& figure : figures)
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", figure.name, figure.help,
                        figure.type, figure.value);
  return text;
}

}  // namespace assay::daemon
