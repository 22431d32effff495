#include "exec/transcript.h"

#include <algorithm>

namespace assay::exec {

void Transcript::add(unsigned voice, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  dialogue_.bytes += bytes.size();
  const std::uint64_t left = most_.count - std::min(used_, most_.count);
  if (dialogue_.truncated || left <= sizeof(Remark)) {
    dialogue_.truncated = true;
    return;
  }
  const std::size_t kept = std::min<std::uint64_t>(bytes.size(), left - sizeof(Remark));
  dialogue_.truncated = kept < bytes.size();
  used_ += sizeof(Remark) + kept;
  dialogue_.remarks.push_back(
      {.voice = voice, .at = Clock::now() - begun_, .bytes = std::string(bytes.substr(0, kept))});
  if (heard_) heard_(dialogue_.remarks.back());
}

bool Transcript::is_full() {
  const std::lock_guard lock(mutex_);
  return dialogue_.truncated;
}

void Transcript::count(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  dialogue_.bytes += bytes;
}

Dialogue Transcript::take() {
  const std::lock_guard lock(mutex_);
  return std::move(dialogue_);
}

}  // namespace assay::exec
