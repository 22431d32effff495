#include "app/daemon/config/version.h"

namespace assay::daemon {

std::string engine_version() {
  return ASSAY_VERSION;
}

}  // namespace assay::daemon
