#include "app/cli/bench_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/json_text.h"

namespace assay::cli {
namespace {

// Three decimals are below every noise here. JSON knows no infinity.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  const double rounded = std::round(value * 1000) / 1000;
  return fmt::format("{}", rounded == 0 ? 0 : rounded);
}

std::string promise_json(const Promise& promise) {
  return fmt::format(R"({{"name":{},"value":{},"limit":{},"unit":{},"holds":{}}})",
                     json_quoted(promise.name), number(promise.value), number(promise.limit),
                     json_quoted(promise.unit), promise.holds());
}

std::string section_json(const Section& section) {
  std::string figures;
  for (const Figure& figure : section.figures)
    figures += fmt::format("{}{}:{}", figures.empty() ? "" : ",", json_quoted(figure.name),
                           number(figure.value));
  return fmt::format("{}:{{{}}}", json_quoted(section.name), figures);
}

std::string promise_line(const Promise& promise, bool colours) {
  const char* colour = promise.holds() ? "\033[32m" : "\033[1;31m";
  return fmt::format("  {}{:<7}{} {:<32} {:>10} {:<6} promised: {} {}\n", colours ? colour : "",
                     promise.holds() ? "holds" : "BROKEN", colours ? "\033[0m" : "", promise.name,
                     number(promise.value), promise.unit,
                     promise.bound == Bound::AtMost ? "at most" : "at least",
                     number(promise.limit));
}

}  // namespace

bool Promise::holds() const {
  if (!std::isfinite(value)) return false;
  return bound == Bound::AtMost ? value <= limit : value >= limit;
}

bool all_hold(const Report& report) {
  return std::ranges::all_of(report.promises, &Promise::holds);
}

std::string to_json(const Report& report) {
  std::string promises;
  for (const Promise& promise : report.promises)
    promises += (promises.empty() ? "" : ",") + promise_json(promise);
  std::string detail;
  for (const Section& section : report.detail)
    detail += (detail.empty() ? "" : ",") + section_json(section);
  if (!report.caution.empty()) detail += ",\"caution\":" + json_quoted(report.caution);
  return fmt::format(R"({{"bench":{},"promises":[{}],"detail":{{{}}}}})", json_quoted(report.bench),
                     promises, detail) +
         "\n";
}

std::string to_text(const Report& report, bool colours) {
  std::string text = fmt::format("assay bench {}: {}\n\n", report.bench, report.about);
  for (const Promise& promise : report.promises)
    text += promise_line(promise, colours);
  if (!report.caution.empty()) text += fmt::format("\n  Caution: {}\n", report.caution);
  for (const Section& section : report.detail) {
    text += fmt::format("\n  {}\n", section.name);
    for (const Figure& figure : section.figures)
      text += fmt::format("    {:<38} {:>12}\n", figure.name, number(figure.value));
  }
  return text;
}

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(std::max<std::size_t>(total, 1)),
      visible_(::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

void Progress::step() {
  const std::size_t percent = ++done_ * 100 / total_;
  if (!visible_ || percent == shown_percent_) return;
  shown_percent_ = percent;
  fmt::print(stderr, "\r\033[K{} {}%", what_, percent);
}

}  // namespace assay::cli
