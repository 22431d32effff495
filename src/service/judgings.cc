#include "service/judgings.h"

#include <algorithm>
#include <thread>

#include "base/check.h"
#include "service/docket.h"

namespace assay::service {
namespace {

using verdict::Verdict;

Bytes size_of(const judge::JudgeResult& result) {
  std::size_t size = sizeof result + (result.compile ? result.compile->log.size() : 0);
  for (const judge::TestResult& test : result.tests) {
    size += sizeof test + test.output.size() + test.errors.size() + test.checker_log.size() +
            test.message.size();
    if (test.interaction && test.interaction->dialogue)
      for (const exec::Remark& remark : test.interaction->dialogue->remarks)
        size += sizeof remark + remark.bytes.size();
  }
  return Bytes{size};
}

}  // namespace

struct Judgings::Inside {
  std::unique_ptr<JudgeEngine> engine;
  Service& service;
  JudgingObserver observer;
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
    const Bytes size = size_of(result);
    entry->judging->end(std::move(result));
    if (observer) observer(*entry->judging, *entry->judging->view().result);
    docket.close(entry, size);
  }

  // Without the docket's lock: cancelling wakes those who wait for a core.
  void stop(const Docket::Stop& stop, const char* why) {
    if (stop.entry == nullptr) return;
    if (stop.has_begun) return stop.entry->cancellation->cancel();
    close(stop.entry, engine->failed(stop.entry->judging->order(), Verdict::Skipped, why));
  }
};

Judgings::Judgings(std::unique_ptr<JudgeEngine> engine, Service& service, JudgingOptions options,
                   JudgingObserver observer)
    : inside_(new Inside{std::move(engine), service, std::move(observer), Docket(options)}) {
  CHECK(inside_->engine != nullptr);
  const std::uint64_t places = std::max<std::uint64_t>(1, service.snapshot().workers);
  const std::uint64_t at_once = options.at_once != 0 ? options.at_once : places;
  for (std::uint64_t i = 0; i < at_once; ++i)
    inside_->drivers.emplace_back([inside = inside_.get()] {
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
  return inside_->docket.take(std::move(order), inside_->service);
}

Result<std::shared_ptr<Judging>> Judgings::find(const std::string& id) const {
  return inside_->docket.find(id);
}

Status Judgings::remove(const std::string& id) {
  inside_->stop(TRY(inside_->docket.remove(id)), "cancelled");
  return {};
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
