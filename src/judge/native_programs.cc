// The programs of a problem's author as a problem.toml names them: checker, interactor, manager,
// scorer and graders.
#include "judge/native_fields.h"

namespace assay::judge {
namespace {

using sandbox::field;
using sandbox::Node;
using sandbox::wrong;

Status read_source(const Node& node, WrittenChecker& into) {
  if (!into.sources.empty()) return wrong(node.position, "'source' and 'sources' are the same");
  into.is_alone = true;
  return sandbox::read(node, into.sources.emplace_back());
}

Status read_sources(const Node& node, WrittenChecker& into) {
  if (!into.sources.empty()) return wrong(node.position, "'source' and 'sources' are the same");
  TRY_STATUS(read_strings(node, into.sources));
  return into.sources.empty() ? wrong(node.position, "has no file in it") : Status{};
}

constexpr std::array kFields{
    field<&WrittenChecker::name>("name"),
    field<&WrittenChecker::language>("language"),
    sandbox::Field<WrittenChecker>{"source", read_source},
    sandbox::Field<WrittenChecker>{"sources", read_sources},
    field<&WrittenChecker::protocol>("protocol"),
    field<&WrittenChecker::arguments, read_strings>("args"),
    field<&WrittenChecker::limits, read_limits>("limits"),
};

// A program without which there is nothing.
Status read_partner(const Node& node, const char* needs, WrittenChecker& into) {
  TRY_STATUS(read_table(node, into, kFields));
  into.position = node.position;
  if (!into.name.empty()) return wrong(node.position, "unknown key 'name'");
  return into.sources.empty() ? wrong(node.position, needs) : Status{};
}

Status read_grader(const Node& node, WrittenGrader& into) {
  static constexpr std::array kGraderFields{
      field<&WrittenGrader::language>("language"),
      field<&WrittenGrader::files, read_strings>("files"),
      field<&WrittenGrader::submission>("submission"),
  };
  into.position = node.position;
  TRY_STATUS(read_table(node, into, kGraderFields));
  return into.language.empty() ? wrong(node.position, "a grader needs a 'language'") : Status{};
}

}  // namespace

Status read_strings(const Node& node, std::vector<std::string>& into) {
  return read_each(node, into,
                   [](const Node& each, std::string& text) { return sandbox::read(each, text); });
}

Status read_checker(const Node& node, std::optional<WrittenChecker>& into) {
  WrittenChecker& checker = into.emplace();
  checker.position = node.position;
  if (std::holds_alternative<std::string>(node.value)) return sandbox::read(node, checker.name);
  TRY_STATUS(read_table(node, checker, kFields));
  if (checker.name.empty() != checker.sources.empty()) return {};
  return wrong(node.position, "a checker needs either a 'name' or a 'source'");
}

Status read_interactor(const Node& node, std::optional<WrittenChecker>& into) {
  return read_partner(node, "an interactor needs a 'source'", into.emplace());
}

Status read_manager(const Node& node, std::optional<WrittenChecker>& into) {
  return read_partner(node, "a manager needs a 'source'", into.emplace());
}

Status read_scorer(const Node& node, std::optional<WrittenChecker>& into) {
  static constexpr std::array kScorerFields{
      field<&WrittenChecker::language>("language"),
      sandbox::Field<WrittenChecker>{"source", read_source},
      field<&WrittenChecker::limits, read_limits>("limits"),
  };
  WrittenChecker& scorer = into.emplace();
  TRY_STATUS(read_table(node, scorer, kScorerFields));
  scorer.position = node.position;
  return scorer.sources.empty() ? wrong(node.position, "a scorer needs a 'source'") : Status{};
}

// An array, or a table whose keys are the languages.
Status read_graders(const Node& node, std::vector<WrittenGrader>& into) {
  const auto* table = std::get_if<Node::Table>(&node.value);
  if (table == nullptr) return read_each(node, into, read_grader);
  for (const sandbox::Entry& entry : *table) {
    into.emplace_back().language = entry.key;
    TRY_STATUS(read_grader(entry.value, into.back()));
  }
  return {};
}

}  // namespace assay::judge
