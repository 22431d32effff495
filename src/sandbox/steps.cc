#include "sandbox/steps.h"

#include <sys/resource.h>

#include <array>
#include <cerrno>

namespace assay::sandbox {
namespace {

// In the order of resource_limits().
constexpr std::array kLimitNames{"cpu time",      "file size",     "stack",          "open files",
                                 "core size",     "locked memory", "message queues", "data",
                                 "address space", "processes"};

}  // namespace

NotStarted explain_not_started(const inside::Ended& ended, const Spec& spec) {
  using inside::Step;
  switch (ended.step) {
    case Step::Exec:
      return {"execute", spec.argv.empty() ? "" : spec.argv[0], ended.error};
    case Step::WorkDir:
      return {"work directory", "", ended.error};
    case Step::Limit:
      return {"limit", ended.index < kLimitNames.size() ? kLimitNames[ended.index] : "",
              ended.error};
    case Step::Affinity:
      return {"cores", "", ended.error};
    case Step::Identity:
      return {"identity", "", ended.error};
    case Step::Terminal:
      return {"terminal", "", ended.error};
    case Step::Attach:
      return {"cgroup", "", ended.error};
    case Step::Proc:
      return {"mount", "/proc", ended.error};
    case Step::Request:
      return {"request", "", ended.error};
    default:
      return {"start", "", ended.error};
  }
}

}  // namespace assay::sandbox
