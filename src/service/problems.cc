#include "service/problems.h"

#include <fmt/format.h>

#include "service/ledger.h"
#include "service/names.h"

namespace assay::service {
namespace {

Bytes size_of(const judge::Problem& problem) {
  std::size_t size = sizeof problem;
  for (const judge::ProblemTest& test : problem.tests)
    size += sizeof test + test.id.size() + test.input.text.size() + test.answer.text.size();
  if (const auto* checker = std::get_if<judge::CheckerProgram>(&problem.checker))
    for (const judge::SourceFile& source : checker->source.sources)
      size += source.content.size();
  return Bytes{size};
}

std::unexpected<Error> unknown(const std::string& id) {
  return std::unexpected(
      Error{Fault::NotFound, 0,
            is_good_name(id) ? fmt::format("no problem '{}'", id) : "no such problem"});
}

}  // namespace

Result<bool> Problems::admit(const std::string& id, Bytes size) const {
  const std::lock_guard guard(lock_);
  const auto old = kept_.find(id);
  const bool is_new = old == kept_.end();
  const std::uint64_t others = used_.count - (is_new ? 0 : old->second.size.count);
  if ((is_new && kept_.size() >= options_.count) || others + size.count > options_.memory.count)
    return std::unexpected(Error{Fault::Busy, 0,
                                 "no room for another problem; delete some, or give their tests as "
                                 "fileId or path"});
  return is_new;
}

void Problems::keep(ProblemInfo info, std::shared_ptr<const judge::Problem> problem, Bytes size) {
  const std::lock_guard guard(lock_);
  Kept& kept = kept_[info.id];
  used_.count = used_.count - kept.size.count + size.count;
  kept = {{std::move(problem), std::move(info)}, size};
}

Result<bool> Problems::put(const std::string& id, judge::Problem problem, std::string digest) {
  if (id.empty() || !is_good_name(id))
    return invalid(fmt::format("a problem's id is {}", kGoodName));
  TRY_STATUS(judge::check_problem(problem));
  const Bytes size = size_of(problem);
  ProblemInfo info{id, std::move(digest), problem.tests.size(), problem.subtasks.size()};
  auto shared = std::make_shared<const judge::Problem>(std::move(problem));
  const std::lock_guard one_by_one(changing_);
  const bool is_new = TRY(admit(id, size));
  if (ledger_ != nullptr) info.key = TRY(ledger_->put(id, info.digest, *shared));
  keep(std::move(info), std::move(shared), size);
  return is_new;
}

Result<std::vector<std::string>> Problems::resume() {
  std::vector<std::string> troubles;
  if (ledger_ == nullptr) return troubles;
  for (Ledger::KnownProblem& old : TRY(ledger_->problems())) {
    if (!old.problem) {
      troubles.push_back(fmt::format("problem '{}': {}", old.id, describe(old.problem.error())));
      continue;
    }
    const Bytes size = size_of(*old.problem);
    ProblemInfo info{old.id, old.digest, old.problem->tests.size(), old.problem->subtasks.size(),
                     old.key};
    keep(std::move(info), std::make_shared<const judge::Problem>(*std::move(old.problem)), size);
  }
  return troubles;
}

Result<Problems::Found> Problems::find(const std::string& id) const {
  const std::lock_guard guard(lock_);
  const auto found = kept_.find(id);
  if (found == kept_.end()) return unknown(id);
  return found->second.found;
}

Status Problems::remove(const std::string& id) {
  const std::lock_guard one_by_one(changing_);
  (void)TRY(find(id));
  if (ledger_ != nullptr) TRY_STATUS(ledger_->remove_problem(id));
  const std::lock_guard guard(lock_);
  const auto found = kept_.find(id);
  used_.count -= found->second.size.count;
  kept_.erase(found);
  return {};
}

std::vector<ProblemInfo> Problems::list() const {
  const std::lock_guard guard(lock_);
  std::vector<ProblemInfo> all;
  for (const auto& [id, kept] : kept_)
    all.push_back(kept.found.info);
  return all;
}

}  // namespace assay::service
