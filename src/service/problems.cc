#include "service/problems.h"

#include <fmt/format.h>

#include <set>

#include "service/ledger.h"
#include "service/names.h"

namespace assay::service {
namespace {

// What it keeps: bytes in memory, and files that are open.
class Keeps {
 public:
  static ProblemRoom of(const judge::Problem& problem) {
    Keeps keeps;
    keeps.add(problem);
    return {.size = Bytes{keeps.bytes_}, .files = keeps.files_.size()};
  }

 private:
  // What a text or a list has on the heap: as much as it took, not as much as it uses.
  void add(const std::string& text) {
    if (text.capacity() > std::string().capacity()) bytes_ += text.capacity() + kAllocation;
  }
  template <typename T>
  void add(const std::vector<T>& list) {
    bytes_ += list.capacity() * sizeof(T) + kAllocation;
    for (const T& element : list)
      add(element);
  }
  template <typename T>
  void add(const std::optional<T>& some) {
    if (some) add(*some);
  }
  void add(const judge::Content& content) {
    add(content.text);
    add(content.path);
    if (content.file) files_.insert(content.file.get());
  }
  void add(const judge::SourceFile& file) {
    add(file.name);
    add(file.content);
  }
  void add(const judge::Submission& program) {
    add(program.id);
    add(program.language);
    add(program.sources);
    add(program.archive);
    add(program.extra_flags);
  }
  void add(const judge::Grader& grader) {
    add(grader.language);
    add(grader.files);
    add(grader.submission);
  }
  void add(const judge::Subtask& subtask) {
    add(subtask.id);
    add(subtask.depends_on);
  }
  void add(const judge::ProblemTest& test) {
    add(test.id);
    add(test.input);
    add(test.answer);
    add(test.subtask);
  }
  void add(const judge::CheckerProgram& checker) {
    add(checker.source);
    add(checker.arguments);
  }
  void add(const judge::Interactor& interactor) {
    add(interactor.source);
    add(interactor.arguments);
  }
  void add(const judge::Manager& manager) {
    add(manager.source);
    add(manager.arguments);
  }
  void add(const judge::ProfileMap& profiles) {
    for (const auto& [usual, here] : profiles) {
      bytes_ += sizeof(judge::ProfileMap::value_type) + 2 * kAllocation;
      add(usual);
      add(here);
    }
  }
  // Everything in it that can be long: a new member belongs here, too.
  void add(const judge::Problem& problem) {
    bytes_ += sizeof problem + kAllocation;
    for (const auto* text : {&problem.input_file, &problem.output_file, &problem.policy})
      add(*text);
    for (const auto* files : {&problem.build_files, &problem.beside})
      add(*files);
    for (const auto* archive :
         {&problem.build_archive, &problem.test_files, &problem.teacher_files})
      add(*archive);
    if (const auto* checker = std::get_if<judge::CheckerProgram>(&problem.checker)) add(*checker);
    add(problem.interactor);
    add(problem.manager);
    if (problem.scorer) add(problem.scorer->source);
    add(problem.graders);
    add(problem.tests);
    add(problem.subtasks);
    add(problem.granted_flags);
    add(problem.run_profiles);
  }

  static constexpr std::size_t kAllocation = 32;  // what malloc adds, about

  std::size_t bytes_ = 0;
  std::set<const os::OwnedFd*> files_;
};

std::unexpected<Error> unknown(const std::string& id) {
  return std::unexpected(
      Error{Fault::NotFound, 0,
            is_good_name(id) ? fmt::format("no problem '{}'", id) : "no such problem"});
}

}  // namespace

Result<bool> Problems::admit(const std::string& id, const Room& room) const {
  const std::lock_guard guard(lock_);
  const auto old = kept_.find(id);
  const bool is_new = old == kept_.end();
  const Room own = is_new ? Room{} : old->second.room;
  if ((is_new && kept_.size() >= options_.count) ||
      used_.size.count - own.size.count + room.size.count > options_.memory.count ||
      used_.files - own.files + room.files > options_.files)
    return std::unexpected(Error{Fault::Busy, 0,
                                 "no room for another problem; delete some, or give their tests as "
                                 "fileId or path"});
  return is_new;
}

void Problems::keep(ProblemInfo info, std::shared_ptr<const judge::Problem> problem,
                    const Room& room) {
  const std::lock_guard guard(lock_);
  Kept& kept = kept_[info.id];
  used_.size.count = used_.size.count - kept.room.size.count + room.size.count;
  used_.files = used_.files - kept.room.files + room.files;
  kept = {{std::move(problem), std::move(info)}, room};
}

Status Problems::check_id(const std::string& id) {
  if (id.empty() || !is_good_name(id))
    return invalid(fmt::format("a problem's id is {}", kGoodName));
  return {};
}

Result<bool> Problems::put(const std::string& id, judge::Problem problem, std::string digest) {
  TRY_STATUS(check_id(id));
  TRY_STATUS(judge::check_problem(problem));
  const Room room = Keeps::of(problem);
  ProblemInfo info{id, std::move(digest), problem.tests.size(), problem.subtasks.size()};
  auto shared = std::make_shared<const judge::Problem>(std::move(problem));
  const std::lock_guard one_by_one(changing_);
  const bool is_new = TRY(admit(id, room));
  if (ledger_ != nullptr) info.key = TRY(ledger_->put(id, info.digest, *shared));
  keep(std::move(info), std::move(shared), room);
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
    const Room room = Keeps::of(*old.problem);
    ProblemInfo info{old.id, old.digest, old.problem->tests.size(), old.problem->subtasks.size(),
                     old.key};
    keep(std::move(info), std::make_shared<const judge::Problem>(*std::move(old.problem)), room);
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
  used_.size.count -= found->second.room.size.count;
  used_.files -= found->second.room.files;
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
