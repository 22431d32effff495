// What there is: languages and problems; and why there is not.
#include <fmt/format.h>

#include "wire/judging.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

void append_factor(std::string& out, judge::Factor factor) {
  fmt::format_to(std::back_inserter(out), "{}", static_cast<double>(factor.thousandths) / 1000);
}

void append_language(std::string& out, const judge::Language& language) {
  const auto text = [](std::string& to, const std::string& each) {
    append_text(to, each);
  };
  Object object(out);
  object.text("id", language.id);
  object.text("name", language.name);
  append_list(object.value("aliases"), language.aliases, text);
  append_list(object.value("extensions"), language.extensions, text);
  object.text("sourceFile", language.source);
  object.text("binaryFile", language.output);
  object.flag("compileEnabled", !language.compile.empty());
  append_factor(object.value("timeMultiplier"), language.time.multiplier);
  append_factor(object.value("memoryMultiplier"), language.memory.multiplier);
  object.close();
}

void append_problem(std::string& out, const service::ProblemInfo& problem) {
  Object object(out);
  object.text("problemId", problem.id);
  object.text("digest", problem.digest);
  object.count("tests", problem.tests);
  object.count("subtasks", problem.subtasks);
  object.close();
}

std::string_view code_of(Fault fault) {
  switch (fault) {
    case Fault::InvalidRequest:
      return "invalid_request";
    case Fault::NotFound:
      return "not_found";
    case Fault::Conflict:
      return "conflict";
    case Fault::Busy:
      return "busy";
    case Fault::System:
      break;
  }
  return "internal";
}

}  // namespace

std::string encode_languages(const judge::LanguageSet& languages) {
  std::string out;
  append_list(out, languages.all(), append_language);
  return out;
}

std::string encode_problem(const service::ProblemInfo& problem) {
  std::string out;
  append_problem(out, problem);
  return out;
}

std::string encode_problems(const std::vector<service::ProblemInfo>& problems) {
  std::string out;
  append_list(out, problems, append_problem);
  return out;
}

std::string encode_failure(const Error& error) {
  std::string out;
  Object object(out);
  Object inner(object.value("error"));
  inner.text("code", code_of(error.fault));
  inner.text("message", describe(error));
  inner.close();
  object.close();
  return out;
}

}  // namespace assay::wire
