#include "service/judge_engine.h"

#include <utility>

namespace assay::service {
namespace {

constexpr const char* kDefaultPolicy = "assay";

class BoxJudge final : public JudgeEngine {
 public:
  BoxJudge(sandbox::Sandbox& engine, config::Catalogue& catalogue, unsigned workers,
           judge::JudgeTools tools)
      : engine_(engine), catalogue_(catalogue), workers_(workers), tools_(tools) {}

  Status accept(JudgeOrder& order) override {
    order.set = catalogue_.current();
    if (order.policy.empty() && order.problem != nullptr) order.policy = order.problem->policy;
    if (order.policy.empty()) order.policy = kDefaultPolicy;
    if (const auto policy = order.set->policy(order.policy); !policy)
      return invalid(describe(policy.error()));
    if (order.problem == nullptr) return invalid("there is no problem");
    order.options.workers = workers_;
    Status fine = judge_of(order).can_judge(*order.problem, order.submission);
    // An unknown language is not an unknown submission.
    if (!fine && fine.error().fault == Fault::NotFound) return invalid(describe(fine.error()));
    return fine;
  }

  Result<judge::JudgeResult> judge(const JudgeOrder& order, const judge::JudgeEvents& events,
                                   judge::Cancellation& cancellation) override {
    return judge_of(order).judge(*order.problem, order.submission, order.options, events,
                                 cancellation);
  }

  [[nodiscard]] judge::JudgeResult failed(const JudgeOrder& order, verdict::Verdict verdict,
                                          std::string message) const override {
    judge::JudgeResult result = judge_of(order).failed(*order.problem, verdict, std::move(message));
    result.language = order.submission.language;
    return result;
  }

 private:
  // An order that was accepted has a policy; one of an earlier life may name one that is gone.
  [[nodiscard]] judge::Judge judge_of(const JudgeOrder& order) const {
    static const verdict::Policy kNone{};
    auto policy = order.set->policy(order.policy);
    if (!policy) policy = order.set->policy(kDefaultPolicy);
    return {engine_, order.set->languages, order.set->profiles, policy ? **policy : kNone, tools_};
  }

  sandbox::Sandbox& engine_;
  config::Catalogue& catalogue_;
  unsigned workers_;
  judge::JudgeTools tools_;
};

}  // namespace

std::unique_ptr<JudgeEngine> make_judge_engine(sandbox::Sandbox& engine,
                                               config::Catalogue& catalogue, unsigned workers,
                                               judge::JudgeTools tools) {
  return std::make_unique<BoxJudge>(engine, catalogue, workers, tools);
}

}  // namespace assay::service
