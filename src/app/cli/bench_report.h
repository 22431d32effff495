// What a bench found: promises with their measured values, and the figures behind them.
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

enum class Bound { AtMost, AtLeast };

struct Promise {
  std::string name{};
  double value = 0;
  double limit = 0;
  std::string unit{};  // "x", "us", "ms", "%", "KiB", "count"
  Bound bound = Bound::AtMost;
  [[nodiscard]] bool holds() const;
};

struct Figure {
  std::string name{};  // ends with its unit
  double value = 0;
};

// Figures that were measured together, bare beside boxed.
struct Section {
  std::string name{};
  std::vector<Figure> figures{};
};

struct Report {
  std::string bench{};
  std::string about{};    // one sentence: what was measured, against what
  std::string caution{};  // why the figures may say little; usually empty
  std::vector<Promise> promises{};
  std::vector<Section> detail{};
};

[[nodiscard]] bool all_hold(const Report& report);
std::string to_json(const Report& report);
std::string to_text(const Report& report, bool colours);

// Tells a person at a terminal how far a bench is; silent anywhere else.
class Progress {
 public:
  Progress(std::string what, std::size_t total);
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // wipes its line
  void step();

 private:
  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::size_t shown_percent_ = 101;
  bool visible_;
};

}  // namespace assay::cli
