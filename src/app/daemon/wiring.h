// Settings as the rooms want to hear them.
#pragma once

#include "app/daemon/startup.h"
#include "exec/runner.h"
#include "sandbox/sandbox.h"
#include "service/service.h"
#include "store/store.h"

namespace assay::daemon {

sandbox::Options engine_options(const Startup& startup);
store::Options store_options(const Startup& startup);
exec::Rules runner_rules(const Startup& startup);
service::Options service_options(const Settings& settings);
unsigned workers_of(const Settings& settings);

}  // namespace assay::daemon
