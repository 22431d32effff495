#include "service/judgings.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/check.h"
#include "os/thread.h"
#include "service/docket.h"
#include "service/ledger.h"
#include "service/names.h"
#include "store/id.h"

namespace assay::service {
namespace {

using verdict::Verdict;

constexpr std::size_t kEventSize = 40;  // what a judging keeps of each remark to tell it again

std::size_t size_of(const std::optional<judge::CompileResult>& compile) {
  return compile ? compile->log.size() + compile->error.size() : 0;
}

std::size_t size_of(const sandbox::Facts& facts) {
  std::size_t size =
      sizeof facts + facts.memory_meter.size() + facts.streams.size() * sizeof facts.streams[0];
  for (const sandbox::FileError& error : facts.file_errors)
    size += sizeof error + error.name.size() + error.why.size();
  for (const std::string& missing : facts.missing)
    size += sizeof missing + missing.size();
  return size;
}

std::size_t size_of(const judge::InteractionResult& interaction) {
  std::size_t size = interaction.interactor ? size_of(*interaction.interactor) : 0;
  if (interaction.dialogue)
    for (const exec::Remark& remark : interaction.dialogue->remarks)
      size += sizeof remark + remark.bytes.size() + kEventSize;
  return size;
}

std::size_t size_of(const judge::TestResult& test) {
  std::size_t size = sizeof test + kEventSize + test.id.size() + test.subtask.size() +
                     test.letters.size() + test.message.size() + test.team_message.size() +
                     test.output.size() + test.errors.size() + test.checker_log.size() +
                     test.letters_without_limit.size() +
                     test.run_times.size() * sizeof test.run_times[0];
  if (test.facts) size += size_of(*test.facts);
  for (const sandbox::Facts& facts : test.processes)
    size += size_of(facts);
  return size + (test.interaction ? size_of(*test.interaction) : 0);
}

// Whatever is kept: a result may be small in what people look at and large elsewhere.
Bytes size_of(const judge::JudgeResult& result) {
  std::size_t size = sizeof result + size_of(result.compile) + size_of(result.lint) +
                     result.letters.size() + result.message.size() + result.language.size() +
                     result.summary.failed_test.size() + result.summary.worst.size();
  for (const judge::TestResult& test : result.tests)
    size += size_of(test);
  for (const judge::SubtaskResult& subtask : result.subtasks)
    size += sizeof subtask + subtask.id.size();
  if (result.script) size += result.script->message.size() + result.script->breakdown.size();
  return Bytes{size};
}

Bytes size_of(const JudgeOrder& order) {  // when it is over
  return Bytes{sizeof(Judging) + order.submission.id.size() + order.submission.language.size() +
               order.problem_id.size() + order.policy.size() + order.digest.size() +
               order.webhook.size()};
}

}  // namespace

struct Judgings::Inside {
  std::unique_ptr<JudgeEngine> engine;
  Service& service;
  JudgingObserver observer;
  Ledger* ledger;
  Docket docket;
  std::vector<std::thread> drivers{};

  void drive(const Docket::EntryPtr& entry) {
    entry->judging->begin();
    close(entry, judged(*entry));
  }

  judge::JudgeResult judged(Docket::Entry& entry) const {
    Judging& judging = *entry.judging;
    const judge::JudgeEvents events{
        .compiled = [&](const judge::CompileResult& compile) { judging.compiled(compile); },
        .testing = [&] { judging.testing(); },
        .tested = [&](std::size_t i, const judge::TestResult& test) { judging.tested(i, test); },
        .said =
            [&](std::size_t i, const exec::Remark& remark) {
              judging.said(i, remark);
            }};
    auto result = engine->judge(judging.order(), events, *entry.cancellation);
    if (result) return *std::move(result);
    // What the order did not show: the problem's own programs.
    const bool ours = result.error().fault == Fault::System;
    return engine->failed(judging.order(), ours ? Verdict::SystemError : Verdict::JudgeFailed,
                          describe(result.error()));
  }

  void close(const Docket::EntryPtr& entry, judge::JudgeResult result) {
    // Stopped because we stop: no result, and nobody must take it for one.
    const bool doubtful =
        result.status == judge::JudgeStatus::Failed || verdict::is_our_fault(result.verdict);
    if (doubtful && docket.is_suspended(entry)) {
      entry->judging->suspend();
      docket.close(entry, {});
      return docket.told();
    }
    const Bytes size{size_of(result).count + size_of(entry->judging->order()).count};
    entry->judging->end(std::move(result));
    // Before anybody is sent the result: that it was sent is written down after it.
    if (entry->key != 0) record(entry);
    docket.close(entry, size);  // first: who is told may submit the same id again at once
    if (observer) observer(*entry->judging, *entry->judging->view().result);
    docket.told();
  }

  void record(const Docket::EntryPtr& entry) {
    ledger->wait_for_room();
    docket.record(entry, Ledger::row_of(*entry->judging, entry->key));
  }

  // One of the same id that is over and no longer in memory.
  Result<std::optional<Taken>> remembered(const JudgeOrder& order) {
    const std::string& id = order.submission.id;
    if (ledger == nullptr || docket.find(id)) return std::nullopt;
    auto known = TRY(ledger->find(id));
    if (!known) return std::nullopt;
    if (known->judging->order().digest != order.digest) return std::unexpected(is_another(id));
    return Taken{.judging = std::move(known->judging), .is_new = false};
  }

  Result<Taken> take(JudgeOrder order, bool is_named) {
    std::optional<Ledger::Draft> draft;
    const bool waits = order.waits;
    if (ledger != nullptr) draft = TRY(ledger->draft(order, is_named));
    const Docket::Taken taken =
        TRY(docket.take(std::move(order), service, draft ? &*draft : nullptr));
    Taken answer{.judging = taken.entry->judging, .is_new = taken.is_new};
    if (waits || !taken.entry->recorded.valid()) return answer;
    const journal::Written written = taken.entry->recorded;  // of our own: others wait as well
    Status recorded = written.get();
    if (recorded && taken.is_new) docket.enter_line(taken.entry);
    if (!recorded && taken.is_new) withdraw(taken.entry, describe(recorded.error()));
    if (!recorded) return std::unexpected(std::move(recorded).error());
    return answer;
  }

  // Whoever has found it meanwhile is told, and nobody finds it any more.
  void withdraw(const Docket::EntryPtr& entry, const std::string& why) {
    if (docket.withdraw(entry))
      entry->judging->end(engine->failed(entry->judging->order(), Verdict::SystemError, why));
  }

  void resume(Ledger::Unfinished old) {
    const Status fine = engine->accept(old.order);
    const std::string why =
        !old.trouble.empty() ? old.trouble : (fine ? "" : describe(fine.error()));
    JudgeOrder order = std::move(old.order);
    const Docket::EntryPtr entry = docket.restore(std::move(order), service, old, why.empty());
    if (why.empty()) return;
    close(entry,
          engine->failed(entry->judging->order(), Verdict::SystemError,
                         "it was accepted before a restart, and cannot be judged now: " + why));
  }

  // Without the docket's lock: cancelling wakes those who wait for a core.
  void stop(const Docket::Stop& stop, const char* why) {
    if (stop.entry == nullptr) return;
    if (stop.has_begun) return stop.entry->cancellation->cancel();
    close(stop.entry, engine->failed(stop.entry->judging->order(), Verdict::Skipped, why));
  }
};

Judgings::Judgings(std::unique_ptr<JudgeEngine> engine, Service& service, JudgingOptions options,
                   JudgingObserver observer, Ledger* ledger)
    : inside_(new Inside{std::move(engine), service, std::move(observer), ledger,
                         Docket(options, ledger)}) {
  CHECK(inside_->engine != nullptr);
  const std::uint64_t places = std::max<std::uint64_t>(1, service.snapshot().workers);
  const std::uint64_t at_once = options.at_once != 0 ? options.at_once : places;
  inside_->drivers = os::start_threads(at_once, [inside = inside_.get()] {
    while (const Docket::EntryPtr entry = inside->docket.next())
      inside->drive(entry);
  });
}

Judgings::~Judgings() {
  drain(std::chrono::milliseconds(0));
  inside_->docket.dismiss();
  for (std::thread& driver : inside_->drivers)
    driver.join();
}

Result<Judgings::Taken> Judgings::submit(JudgeOrder order) {
  TRY_STATUS(inside_->engine->accept(order));
  std::string& id = order.submission.id;
  if (!is_good_name(id)) return invalid(fmt::format("a submissionId is {}", kGoodName));
  const bool is_named = !id.empty();
  if (!is_named) id = TRY(store::make_id());
  if (is_named)
    if (auto known = TRY(inside_->remembered(order))) return *std::move(known);
  return inside_->take(std::move(order), is_named);
}

Result<std::size_t> Judgings::resume() {
  if (inside_->ledger == nullptr) return 0;
  std::vector<Ledger::Unfinished> all = TRY(inside_->ledger->unfinished());
  const std::size_t count = all.size();
  for (Ledger::Unfinished& old : all)
    inside_->resume(std::move(old));
  return count;
}

Result<std::shared_ptr<Judging>> Judgings::find(const std::string& id) const {
  auto found = inside_->docket.find(id);
  if (found || inside_->ledger == nullptr || !is_good_name(id)) return found;
  auto known = TRY(inside_->ledger->find(id));
  return known ? Result<std::shared_ptr<Judging>>(std::move(known->judging)) : std::move(found);
}

Status Judgings::remove(const std::string& id) {
  auto stop = inside_->docket.remove(id);
  if (!stop && inside_->ledger != nullptr && is_good_name(id)) {
    const auto known = TRY(inside_->ledger->find(id));
    if (known) return inside_->ledger->remove(known->key).get();
  }
  if (!stop) return std::unexpected(std::move(stop).error());
  inside_->stop(*stop, "cancelled");
  return stop->removed.valid() ? stop->removed.get() : Status{};
}

JudgingSnapshot Judgings::snapshot() const {
  return inside_->docket.snapshot();
}

void Judgings::drain(std::chrono::milliseconds patience) {
  Docket& docket = inside_->docket;
  docket.refuse_more();
  if (docket.await_end(patience)) return;
  for (const Docket::Stop& stop : docket.stop_all())
    inside_->stop(stop, kShuttingDown);
  docket.await_end();
}

}  // namespace assay::service
