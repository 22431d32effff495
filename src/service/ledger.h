// What judgings and problems say to the journal, and what they find there: orders, results and
// problems as values on this side, bytes and files on the other. Safe from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "service/contents.h"
#include "service/judging.h"

namespace assay::service {

class Ledger {
 public:
  // Both are borrowed. The contents open what was named by its place on the host.
  Ledger(journal::Journal& journal, Contents& contents) : journal_(journal), contents_(contents) {}

  // An order as it will be written. The files that it needs are kept from now on, and dropped with
  // the draft unless it was written.
  class Draft {
   public:
    Draft(Draft&& other) noexcept;
    Draft& operator=(Draft&& other) noexcept;
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft();
    [[nodiscard]] journal::Key key() const { return row_.key; }
    // Nobody could ask for one that is unnamed, has no webhook and whose client is gone with us:
    // only its result is written.
    [[nodiscard]] bool is_kept() const { return is_kept_; }
    journal::Written write(Judging::Clock::time_point received_at);

   private:
    friend class Ledger;
    Draft(journal::Journal& journal, journal::NewSubmission row, bool is_kept)
        : journal_(&journal), row_(std::move(row)), is_kept_(is_kept) {}
    journal::Journal* journal_;
    journal::NewSubmission row_;
    bool is_kept_;
  };
  Result<Draft> draft(const JudgeOrder& order, bool is_named);

  static journal::Finished row_of(const Judging& judging, journal::Key key);  // of one that is over
  void finish(journal::Finished row) { (void)journal_.finish(std::move(row)); }
  void delivered(const std::string& id) { (void)journal_.delivered(id); }
  journal::Written remove(journal::Key key) { return journal_.remove(key); }
  void wait_for_room() { journal_.wait_for_room(); }

  struct Known {
    journal::Key key = 0;
    std::shared_ptr<Judging> judging{};
  };
  [[nodiscard]] Result<std::optional<Known>> find(const std::string& id) const;
  // The oldest, as many as can be sent at once. The journal may have more than memory.
  [[nodiscard]] Result<std::vector<std::shared_ptr<Judging>>> undelivered() const;

  struct Unfinished {
    journal::Key key = 0;
    JudgeOrder order{};  // with a problem, be it an empty one
    Judging::Clock::time_point received_at{};
    std::string trouble{};  // why it cannot be judged; empty: it can
  };
  [[nodiscard]] Result<std::vector<Unfinished>> unfinished() const;  // oldest first

  struct KnownProblem {
    journal::Key key = 0;
    std::string id{}, digest{};
    Result<judge::Problem> problem{};  // or why it cannot be had now
  };
  // Written when it returns.
  Result<journal::Key> put(const std::string& id, const std::string& digest,
                           const judge::Problem& problem);
  Status remove_problem(const std::string& id) { return journal_.remove_problem(id).get(); }
  [[nodiscard]] Result<std::vector<KnownProblem>> problems() const;
  [[nodiscard]] journal::Snapshot snapshot() const { return journal_.snapshot(); }

 private:
  [[nodiscard]] journal::Sources sources_of(journal::Key key) const;
  [[nodiscard]] Result<judge::Problem> problem_of(const journal::NewProblem& row) const;
  using OldProblems = std::map<journal::Key, std::shared_ptr<const judge::Problem>>;
  Result<JudgeOrder> order_of(const journal::NewSubmission& row, OldProblems& problems) const;

  journal::Journal& journal_;
  Contents& contents_;
};

}  // namespace assay::service
