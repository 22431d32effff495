// Every option that assayd knows, one row each.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/daemon/config/settings.h"

namespace assay::daemon {

struct Option {
  std::string_view name;
  bool alone = false;  // a boolean: needs no value
  Status (*read)(std::string_view, Settings&);
  std::string (*show)(const Settings&);
  std::string_view meaning;
  std::string_view no_effect{};  // why, when it is accepted for go-judge's sake only
};

std::span<const Option> options();

}  // namespace assay::daemon
