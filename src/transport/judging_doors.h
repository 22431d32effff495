// What our own interface needs of the house.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "service/contents.h"
#include "service/judgings.h"
#include "service/packages.h"
#include "service/problems.h"

namespace assay::transport {

using LoadPackage = std::function<void(judge::Content archive, service::Packages::Loaded loaded)>;

struct JudgingDoors {  // all borrowed
  service::Judgings& judgings;
  service::Problems& problems;
  service::Contents& contents;
  std::function<std::string()> languages_json{};
  std::function<std::vector<judge::Language>()> languages{};
  std::function<Status(const std::string& url)> check_webhook{};  // null: there are none
  // Of a problem that is to be kept, by what is known here; null: nothing is.
  std::function<Status(const judge::Problem& problem)> check_problem{};
  LoadPackage load_package{};  // null: problems come as JSON only
};

}  // namespace assay::transport
