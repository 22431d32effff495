// Apart from the rest, so that a program with another engine links no sandbox.
#include "service/service.h"

namespace assay::service {
namespace {

class RunnerEngine final : public Engine {
 public:
  explicit RunnerEngine(exec::Runner& runner) : runner_(runner) {}
  [[nodiscard]] Status check(const exec::Request& request, bool live) const override {
    return runner_.check(request, live);
  }
  Results run(const exec::Request& request, const exec::Session& session) override {
    return runner_.run(request, session);
  }

 private:
  exec::Runner& runner_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(exec::Runner& runner) {
  return std::make_unique<RunnerEngine>(runner);
}

}  // namespace assay::service
