#include "package/noj_meta.h"

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>

namespace assay::package {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostTasks = 100;  // two digits in the name of a case
constexpr unsigned kMostCases = 100;
constexpr std::int64_t kMostMilliseconds = 24LL * 3600 * 1000;
constexpr std::int64_t kMostKilobytes = 1LL << 40;
constexpr unsigned kAllPoints = 100;

constexpr std::array<std::string_view, 3> kModes{"general", "functionOnly", "interactive"};
constexpr std::array<std::string_view, 4> kBuilds{"compile", "makeNormal", "makeFunctionOnly",
                                                  "makeInteractive"};
constexpr std::array<std::string_view, 3> kTeacherLanguages{"c", "cpp", "py"};
constexpr std::array<std::string_view, 2> kFormats{"code", "zip"};

std::unexpected<Error> wrong(std::string_view key, std::string_view what) {
  return invalid(fmt::format("'{}' {}", key, what));
}

const json::value* find(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  return found != nullptr && !found->is_null() ? found : nullptr;
}

Result<std::int64_t> integer(const json::object& object, std::string_view key, std::int64_t least,
                             std::int64_t most) {
  const json::value* value = find(object, key);
  if (value == nullptr) return wrong(key, "is missing");
  const std::int64_t* number = value->if_int64();
  if (number == nullptr || *number < least || *number > most)
    return wrong(key, fmt::format("must be a whole number from {} to {}", least, most));
  return *number;
}

Result<bool> flag(const json::object& object, std::string_view key) {
  const json::value* value = find(object, key);
  if (value == nullptr) return false;
  const bool* is = value->if_bool();
  if (is == nullptr) return wrong(key, "must be true or false");
  return *is;
}

// A name, or its number as such or as a text.
template <std::size_t N>
Result<std::optional<std::size_t>> choice(const json::object& object, std::string_view key,
                                          const std::array<std::string_view, N>& names) {
  const json::value* value = find(object, key);
  if (value == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < N; ++i) {
    const json::string* text = value->if_string();
    if (text != nullptr && (*text == names[i] || *text == std::to_string(i))) return i;
    if (const std::int64_t* number = value->if_int64();
        number != nullptr && *number == static_cast<std::int64_t>(i))
      return i;
  }
  return wrong(key, fmt::format("must be one of {}, or 0 to {}", fmt::join(names, ", "), N - 1));
}

Result<NojTask> task_of(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return wrong("tasks", "must be a list of objects");
  return NojTask{
      .score = static_cast<unsigned>(TRY(integer(*object, "taskScore", 0, kAllPoints))),
      .memory =
          Bytes{static_cast<std::uint64_t>(TRY(integer(*object, "memoryLimit", 1, kMostKilobytes)))
                << 10},
      .time = std::chrono::milliseconds(TRY(integer(*object, "timeLimit", 1, kMostMilliseconds))),
      .cases = static_cast<unsigned>(TRY(integer(*object, "caseCount", 1, kMostCases)))};
}

Status add_tasks(const json::object& object, NojMeta& meta) {
  const json::value* value = find(object, "tasks");
  const json::array* tasks = value != nullptr ? value->if_array() : nullptr;
  if (tasks == nullptr || tasks->empty()) return wrong("tasks", "must be a list of at least one");
  if (tasks->size() > kMostTasks) return wrong("tasks", "must be at most 100");
  unsigned sum = 0;
  for (const json::value& each : *tasks) {
    const auto task = task_of(each);
    if (!task) return invalid(fmt::format("task {}: {}", meta.tasks.size(), task.error().context));
    meta.tasks.push_back(*task);
    sum += task->score;
  }
  if (sum != kAllPoints)
    return wrong("tasks", fmt::format("have scores that add up to {}, not to 100", sum));
  return {};
}

Status add_assets(const json::object& object, NojMeta& meta) {
  const json::value* value = find(object, "assetPaths");
  if (value == nullptr) return {};
  const json::object* assets = value->if_object();
  if (assets == nullptr) return wrong("assetPaths", "must be an object of paths");
  for (const auto& [key, path] : *assets) {
    if (path.is_null()) continue;
    if (!path.is_string()) return wrong("assetPaths", "must be an object of paths");
    meta.assets.emplace(std::string(key), std::string(path.as_string()));
  }
  for (const auto& [key, asset] :
       {std::pair{"checkerAsset", "checker"}, {"scorerAsset", "scoring_script"}})
    if (const json::value* path = find(object, key); path != nullptr && path->is_string())
      meta.assets.insert_or_assign(asset, std::string(path->as_string()));
  return {};
}

Status add_modes(const json::object& object, NojMeta& meta) {
  const auto format = TRY(choice(object, "acceptedFormat", kFormats));
  const auto old_format = TRY(choice(object, "submissionMode", kFormats));
  meta.zip = format.value_or(old_format.value_or(0)) == 1;
  meta.mode = static_cast<NojMode>(TRY(choice(object, "executionMode", kModes)).value_or(0));
  const auto usual = [&] {
    if (meta.mode == NojMode::FunctionOnly) return NojBuild::MakeFunctionOnly;
    if (meta.mode == NojMode::Interactive) return NojBuild::MakeInteractive;
    return meta.zip ? NojBuild::MakeNormal : NojBuild::Compile;
  };
  const auto build = TRY(choice(object, "buildStrategy", kBuilds));
  meta.build = build ? static_cast<NojBuild>(*build) : usual();
  if (meta.zip && meta.mode == NojMode::FunctionOnly)
    return wrong("executionMode", "functionOnly takes a file, not a zip");
  return {};
}

Status add_teacher(const json::object& object, NojMeta& meta) {
  meta.teacher_first = TRY(flag(object, "teacherFirst"));
  if (meta.mode != NojMode::Interactive) return {};
  const auto language = meta.assets.find("teacherLang");
  if (language == meta.assets.end())
    return wrong("assetPaths", "has no 'teacherLang', which interactive problems need");
  for (std::size_t i = 0; i < kTeacherLanguages.size(); ++i)
    if (language->second == kTeacherLanguages[i])
      meta.teacher_language = static_cast<NojLanguage>(i);
  if (!meta.teacher_language)
    return wrong("teacherLang",
                 fmt::format("must be c, cpp or py, not \"{:.40}\"", language->second));
  if (!meta.assets.contains("teacher_file"))
    return wrong("assetPaths", "has no 'teacher_file', which interactive problems need");
  return {};
}

Result<bool> scores_by_script(const json::object& object) {
  const json::value* value = find(object, "scoringScript");
  if (value != nullptr && value->is_object()) return flag(value->as_object(), "custom");
  return flag(object, "scoringScript");
}

bool says_something(const json::object& object, std::string_view key) {
  const json::value* value = find(object, key);
  if (value == nullptr) return false;
  if (value->is_array()) return !value->as_array().empty();
  if (value->is_object()) return !value->as_object().empty();
  return !(value->is_bool() && !value->as_bool());
}

Status refuse_others(const json::object& object) {
  for (const char* key : {"networkAccessRestriction", "sidecars"})
    if (says_something(object, key)) return wrong(key, "is not offered here");
  if (const json::value* ai = find(object, "aiChecker"); ai != nullptr && ai->is_object())
    if (TRY(flag(ai->as_object(), "enabled"))) return wrong("aiChecker", "is not offered here");
  return {};
}

Result<NojMeta> meta_of(const json::object& object) {
  NojMeta meta;
  if (find(object, "language") != nullptr)
    meta.language = static_cast<NojLanguage>(TRY(integer(object, "language", 0, 2)));
  TRY_STATUS(add_tasks(object, meta));
  TRY_STATUS(add_assets(object, meta));
  TRY_STATUS(add_modes(object, meta));
  TRY_STATUS(add_teacher(object, meta));
  TRY_STATUS(refuse_others(object));
  meta.custom_checker = TRY(flag(object, "customChecker")) && meta.mode != NojMode::Interactive;
  meta.scoring_script = TRY(scores_by_script(object));
  meta.resource_data = TRY(flag(object, "resourceData"));
  meta.resource_data_teacher = TRY(flag(object, "resourceDataTeacher"));
  if (meta.resource_data_teacher && meta.mode != NojMode::Interactive)
    return wrong("resourceDataTeacher", "needs a teacher, and only interactive problems have one");
  meta.allow_read = TRY(flag(object, "allowRead"));
  meta.allow_write = TRY(flag(object, "allowWrite"));
  return meta;
}

}  // namespace

std::string_view source_name(NojLanguage language) {
  constexpr std::array<std::string_view, 3> kNames{"main.c", "main.cpp", "main.py"};
  return kNames[static_cast<std::size_t>(language)];
}

std::string_view language_id(NojLanguage language) {
  constexpr std::array<std::string_view, 3> kIds{"c11", "cpp17", "python3"};
  return kIds[static_cast<std::size_t>(language)];
}

Result<NojMeta> parse_noj_meta(std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(text, error);
  if (error) return invalid("it is no JSON: " + error.message());
  const json::object* object = value.if_object();
  if (object == nullptr) return invalid("it is no JSON object");
  return meta_of(*object);
}

}  // namespace assay::package
