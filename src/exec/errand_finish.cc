// What a command leaves behind: its status, and files for the client or the store.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "exec/box_name.h"
#include "exec/errand.h"
#include "exec/status.h"

namespace assay::exec {
namespace {

Result<std::string> read_first(int file, std::uint64_t most) {
  struct stat found{};
  if (::fstat(file, &found) < 0) return system_error("look at what was collected");
  std::string bytes(std::min(static_cast<std::uint64_t>(found.st_size), most), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got =
        ::pread(file, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read what was collected");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

FileError too_much_collected(const std::string& name, Bytes max) {
  return {name, FileErrorType::CollectSizeExceeded,
          name + ": output is larger than " + std::to_string(max.count) + " bytes"};
}

const sandbox::FileError* error_of(const sandbox::Facts& facts, const std::string& name) {
  const auto found = std::ranges::find(facts.file_errors, name, &sandbox::FileError::name);
  return found == facts.file_errors.end() ? nullptr : &*found;
}

}  // namespace

void Errand::keep(CommandResult& result, const std::string& name, Result<std::string> id) {
  if (id)
    result.file_ids[name] = *std::move(id);
  else
    result.file_errors.push_back(
        {name, FileErrorType::CopyOutCreateFile, name + ": " + describe(id.error())});
}

void Errand::give(CommandResult& result, const std::string& name, std::string bytes) {
  if (is_cached(name))
    keep(result, name, around_.store.add(name, bytes));
  else
    result.files[name] = std::move(bytes);
}

void Errand::give_collected(CommandResult& result, Collected& collected, sandbox::Facts& facts) {
  const Collector& wish = *collected.wish;
  if (collected.file.is_open()) {
    auto text = read_first(collected.file.get(), wish.max.count + 1);
    if (!text) {
      result.file_errors.push_back({wish.name, FileErrorType::CopyOutCopyContent,
                                    wish.name + ": " + describe(text.error())});
      return;
    }
    collected.text = *std::move(text);
  }
  if (collected.text.size() > wish.max.count) {
    facts.output.over_limit = true;
    result.file_errors.push_back(too_much_collected(wish.name, wish.max));
  }
  give(result, wish.name, std::move(collected.text));
}

void Errand::give_taken(CommandResult& result, Taken& taken, const sandbox::Facts& facts) {
  const std::string& name = taken.wish->name;
  if (taken.no_file != 0) {
    if (taken.no_file != ENOENT || !taken.wish->optional)
      result.file_errors.push_back(no_such_name(name, FileErrorType::CopyOutOpen, taken.no_file));
    return;
  }
  if (const sandbox::FileError* found = error_of(facts, taken.inside); found != nullptr) {
    sandbox::FileError error = *found;
    error.name = name;  // the client's
    const bool absent = error.stage == sandbox::FileStage::Open && error.error == ENOENT;
    if (!(absent && taken.wish->optional)) result.file_errors.push_back(explain(error));
    const bool cut = error.stage == sandbox::FileStage::TooLarge && command_.copy_out_truncate;
    if (!cut) return;
  }
  if (taken.cached)
    keep(result, name, around_.store.keep(name, std::move(taken.file)));
  else
    result.files[name] = std::move(taken.text);
}

CommandResult Errand::finish(sandbox::Facts facts, std::vector<Joints::Kept> kept) {
  CommandResult result;
  const auto* end = std::get_if<sandbox::NotStarted>(&facts.end);
  if (end != nullptr && end->step == sandbox::kPutIn) {
    for (const sandbox::FileError& error : facts.file_errors)
      result.file_errors.push_back(explain(error));
    result.status = RunStatus::FileError;
    result.error = result.file_errors.front().message;
    result.facts = std::move(facts);
    return result;
  }
  if (terminal_relay_ && !collected_.empty()) collected_.front().text = terminal_relay_->finish();
  for (Collected& collected : collected_)
    give_collected(result, collected, facts);
  for (Joints::Kept& pipe : kept)
    give(result, pipe.name, std::move(pipe.bytes));
  for (Taken& taken : taken_)
    give_taken(result, taken, facts);
  // The policy looks at the files that count: an optional one that is absent does not.
  facts.file_errors.clear();
  for (const FileError& error : result.file_errors)
    facts.file_errors.push_back({.name = error.name, .why = error.message});
  facts.limits.memory = limits_.memory;
  fill_status(result, facts, around_.rules.policy, search_.failure);
  result.facts = std::move(facts);
  return result;
}

}  // namespace assay::exec
