#include "judge/dialogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

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
      const SpokenLine begun{voice_of(remark.voice), remark.at, "", process_of(remark.voice)};
      SpokenLine& line = open_.try_emplace(remark.voice, begun).first->second;
      line.text += rest.substr(0, end);
      if (end == std::string_view::npos) return;
      close(remark.voice);
      rest.remove_prefix(end + 1);
    }
  }

  std::vector<SpokenLine> finish() {
    while (!open_.empty())
      close(open_.begin()->first);
    return std::move(done_);
  }

 private:
  void close(unsigned voice) { done_.push_back(std::move(open_.extract(voice).mapped())); }

  std::map<unsigned, SpokenLine> open_;  // by their voices
  std::vector<SpokenLine> done_;
};

std::string bytes_of(const exec::Dialogue& dialogue, Voice voice) {
  std::string bytes;
  for (const exec::Remark& remark : dialogue.remarks)
    if (voice_of(remark.voice) == voice) bytes += remark.bytes;
  return bytes;
}

}  // namespace

std::string_view name_of(Voice voice) {
  return kNames.at(number_of(voice));
}

std::vector<SpokenLine> lines_of(const exec::Dialogue& dialogue) {
  Lines lines;
  for (const exec::Remark& remark : dialogue.remarks)
    lines.hear(remark);
  return lines.finish();
}

std::string as_interaction(const exec::Dialogue& dialogue) {
  std::string text;
  const bool several = std::ranges::any_of(
      dialogue.remarks, [](const exec::Remark& remark) { return process_of(remark.voice) > 0; });
  for (const SpokenLine& line : lines_of(dialogue))
    text += (several ? std::to_string(line.process) : "") + kMarks.at(number_of(line.voice)) +
            line.text + '\n';
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
