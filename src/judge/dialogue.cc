#include "judge/dialogue.h"

#include <fmt/format.h>

#include <array>

namespace assay::judge {
namespace {

constexpr std::array<std::string_view, 3> kNames{"interactor", "solution", "stderr"};
constexpr std::array<char, 3> kMarks{'<', '>', '!'};

// The lines of each voice as they grow.
class Lines {
 public:
  void hear(const exec::Remark& remark) {
    std::string_view rest = remark.bytes;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      SpokenLine& line = open_[remark.voice];
      if (!is_open_[remark.voice]) line = {static_cast<Voice>(remark.voice), remark.at, ""};
      is_open_[remark.voice] = true;
      line.text += rest.substr(0, end);
      if (end == std::string_view::npos) return;
      close(remark.voice);
      rest.remove_prefix(end + 1);
    }
  }

  std::vector<SpokenLine> finish() {
    for (unsigned voice = 0; voice < kMarks.size(); ++voice)
      if (is_open_[voice]) close(voice);
    return std::move(done_);
  }

 private:
  void close(unsigned voice) {
    done_.push_back(std::move(open_[voice]));
    is_open_[voice] = false;
  }

  std::array<SpokenLine, kMarks.size()> open_{};
  std::array<bool, kMarks.size()> is_open_{};
  std::vector<SpokenLine> done_;
};

std::string bytes_of(const exec::Dialogue& dialogue, Voice voice) {
  std::string bytes;
  for (const exec::Remark& remark : dialogue.remarks)
    if (remark.voice == number_of(voice)) bytes += remark.bytes;
  return bytes;
}

}  // namespace

std::string_view name_of(Voice voice) {
  return kNames.at(number_of(voice));
}

std::vector<SpokenLine> lines_of(const exec::Dialogue& dialogue) {
  Lines lines;
  for (const exec::Remark& remark : dialogue.remarks)
    if (remark.voice < kMarks.size()) lines.hear(remark);
  return lines.finish();
}

std::string as_interaction(const exec::Dialogue& dialogue) {
  std::string text;
  for (const SpokenLine& line : lines_of(dialogue))
    text += kMarks.at(number_of(line.voice)) + line.text + '\n';
  if (dialogue.truncated)
    text += fmt::format("\n(truncated: {} bytes were said in all)\n", dialogue.bytes);
  return text;
}

std::string as_pio(const exec::Dialogue& dialogue) {
  return "<\n>\n" + as_interaction(dialogue);
}

std::string as_pin(const exec::Dialogue& dialogue) {
  return bytes_of(dialogue, Voice::Interactor);
}

std::string as_pout(const exec::Dialogue& dialogue) {
  return bytes_of(dialogue, Voice::Solution);
}

}  // namespace assay::judge
