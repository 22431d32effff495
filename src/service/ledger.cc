#include "service/ledger.h"

#include <utility>

#include "os/file.h"
#include "service/order_form.h"

namespace assay::service {
namespace {

Result<std::shared_ptr<Judging>> judging_of(const journal::Finished& row) {
  auto over = TRY(journal::from_lasting<OverForm>(row.result));
  JudgeOrder order{.submission = {.id = row.id, .language = over.result.language},
                   .problem_id = std::move(over.problem_id),
                   .policy = std::move(over.policy),
                   .digest = row.digest,
                   .webhook = std::move(over.webhook),
                   .wants_facts = over.wants_facts};
  return std::make_shared<Judging>(std::move(order), std::move(over.result));
}

// Of an order whose files cannot be had the rest can still be read.
journal::Sources without_files() {
  return {.file = [](std::size_t) { return os::sealed_memory("gone", ""); },
          .host_file = [](const std::string&) -> Result<judge::Content> {
            return judge::Content{};
          }};
}

}  // namespace

Ledger::Draft::Draft(Draft&& other) noexcept
    : journal_(std::exchange(other.journal_, nullptr)),
      row_(std::move(other.row_)),
      is_kept_(other.is_kept_) {}

Ledger::Draft& Ledger::Draft::operator=(Draft&& other) noexcept {
  std::swap(journal_, other.journal_);
  std::swap(row_, other.row_);
  std::swap(is_kept_, other.is_kept_);
  return *this;
}

Ledger::Draft::~Draft() {
  if (journal_ != nullptr) journal_->drop_files(row_.key, row_.files);
}

journal::Written Ledger::Draft::write(Judging::Clock::time_point received_at) {
  if (!is_kept_) return {};
  row_.received = received_at;
  return std::exchange(journal_, nullptr)->accept(std::move(row_));
}

Result<Ledger::Draft> Ledger::draft(const JudgeOrder& order, bool is_named) {
  const bool is_kept = is_named || !order.waits || !order.webhook.empty();
  journal::NewSubmission row{
      .id = order.submission.id, .digest = order.digest, .problem = order.problem_key};
  if (!is_kept) {
    row.key = TRY(journal_.reserve({}));
    return Draft(journal_, std::move(row), false);
  }
  journal::Lasting form = journal::to_lasting(order);
  row.key = TRY(journal_.reserve(form.files));
  row.order = std::move(form.bytes);
  row.files = form.files.size();
  return Draft(journal_, std::move(row), true);
}

journal::Finished Ledger::row_of(const Judging& judging, journal::Key key) {
  const JudgeOrder& order = judging.order();
  const auto result = judging.view().result;
  const OverForm over{.problem_id = order.problem_id,
                      .policy = order.policy,
                      .webhook = order.webhook,
                      .wants_facts = order.wants_facts,
                      .result = *result};
  return {.key = key,
          .id = judging.id(),
          .digest = order.digest,
          .result = journal::to_lasting(over).bytes,
          .received = result->received_at,
          .finished = result->finished_at,
          .deliver = !order.webhook.empty()};
}

Result<std::optional<Ledger::Known>> Ledger::find(const std::string& id) const {
  const auto row = TRY(journal_.find(id));
  if (!row) return std::nullopt;
  return Known{.key = row->key, .judging = TRY(judging_of(*row))};
}

Result<std::vector<std::shared_ptr<Judging>>> Ledger::undelivered() const {
  std::vector<std::shared_ptr<Judging>> all;
  for (const journal::Finished& row : TRY(journal_.undelivered()))
    if (auto judging = judging_of(row)) all.push_back(*std::move(judging));
  return all;
}

journal::Sources Ledger::sources_of(journal::Key key) const {
  const auto own = std::make_shared<OwnContents>(contents_);
  return {.file = [this, key](std::size_t number) { return journal_.file(key, number); },
          .host_file = [own](const std::string& path) { return own->host_file(path); },
          .adopt =
              [own](os::OwnedFd file) {
                return own->adopt(std::move(file));
              }};
}

Result<JudgeOrder> Ledger::order_of(const journal::NewSubmission& row,
                                    OldProblems& problems) const {
  auto order = TRY(journal::from_lasting<JudgeOrder>(row.order, sources_of(row.key)));
  if (row.problem == 0 || order.problem != nullptr) return order;
  std::shared_ptr<const judge::Problem>& problem = problems[row.problem];
  if (problem == nullptr) {
    const journal::NewProblem old = TRY(journal_.problem(row.problem));
    problem = std::make_shared<const judge::Problem>(TRY(problem_of(old)));
  }
  order.problem = problem;
  return order;
}

Result<std::vector<Ledger::Unfinished>> Ledger::unfinished() const {
  std::vector<Unfinished> all;
  OldProblems problems;
  for (const journal::NewSubmission& row : TRY(journal_.unfinished())) {
    Unfinished old{.key = row.key, .received_at = row.received};
    auto order = order_of(row, problems);
    if (!order) {
      old.trouble = describe(order.error());
      order = journal::from_lasting<JudgeOrder>(row.order, without_files());  // whom to tell
    }
    if (order) old.order = *std::move(order);
    old.order.submission.id = row.id;
    old.order.digest = row.digest;
    old.order.size = {row.order.size()};
    if (old.order.problem == nullptr) old.order.problem = std::make_shared<const judge::Problem>();
    all.push_back(std::move(old));
  }
  return all;
}

Result<judge::Problem> Ledger::problem_of(const journal::NewProblem& row) const {
  return journal::from_lasting<judge::Problem>(row.form, sources_of(row.key));
}

Result<journal::Key> Ledger::put(const std::string& id, const std::string& digest,
                                 const judge::Problem& problem) {
  journal::Lasting form = journal::to_lasting(problem);
  const journal::Key key = TRY(journal_.reserve(form.files));
  const Status written = journal_
                             .put({.key = key,
                                   .id = id,
                                   .digest = digest,
                                   .form = std::move(form.bytes),
                                   .files = form.files.size()})
                             .get();
  if (!written) return std::unexpected(written.error());
  return key;
}

Result<std::vector<Ledger::KnownProblem>> Ledger::problems() const {
  std::vector<KnownProblem> all;
  for (const journal::NewProblem& row : TRY(journal_.problems()))
    all.push_back({.key = row.key, .id = row.id, .digest = row.digest, .problem = problem_of(row)});
  return all;
}

}  // namespace assay::service
