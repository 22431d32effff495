// Sources that are read to be named, and what a runtime prints when it dies.
#include <algorithm>

#include "base/check.h"
#include "fuzz/shipped_languages.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "judge/crash_signs.h"
#include "judge/judge_result.h"
#include "judge/language_sources.h"

namespace assay::fuzz {
namespace {

const judge::Language& language_of_java() {
  static const judge::Language& java = **shipped_languages().find("java");
  return java;
}

// As a class is named: no path, no flag, nothing to quote.
bool is_java_name(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  });
}

void check_java(std::string_view text) {
  const judge::JavaFile file = judge::read_java(text);
  for (const std::string& type : {file.public_type, file.main_type, file.first_type})
    CHECK(is_java_name(type) && text.contains(type));
  CHECK(!file.first_type.empty() || (file.public_type.empty() && file.main_type.empty()));
  CHECK(file.package.size() <= text.size());
  CHECK(std::ranges::all_of(file.package, [](char c) { return c < 0 || c > ' '; }));
  CHECK(judge::read_java("/* { */ // (\n" + std::string(text)) == file);
}

void check_named(const judge::NamedSources& named, std::size_t texts) {
  CHECK(named.names.size() == texts && !named.compiled.empty());
  CHECK(named.main == named.compiled[0] && (texts > 1 || !named.entry.empty()));
  for (const std::string& name : named.compiled) {
    CHECK(judge::check_source_name(name));
    CHECK(std::ranges::find(named.names, name) != named.names.end());
  }
  CHECK(texts > 1 || named.main.ends_with(".java"));
}

const judge::Language& language_with_signs(std::size_t number) {
  static const auto kThose = [] {
    std::vector<const judge::Language*> those;
    for (const judge::Language& language : shipped_languages().all())
      if (!language.crashes.empty() && language.id == language.family) those.push_back(&language);
    return those;
  }();
  return *kThose[number % kThose.size()];
}

std::string as_long_as_a_log(std::string_view text) {
  std::string log;
  while (log.size() < judge::kLogLimit.count)
    log.append(text).append("\n");
  return log;
}

// In two pieces: what stands across them is found, too.
judge::Judged said_of(std::string_view text) {
  return [text](const auto& take) {
    take(text.substr(0, text.size() / 2));
    take(text.substr(text.size() / 2));
    return true;
  };
}

}  // namespace

// Names and texts in turn; a single text needs no name.
void java_source(std::string_view bytes) {
  Slices in(bytes);
  std::vector<judge::SourceText> texts;
  while (!in.is_empty()) {
    const std::string_view name = in.part();
    texts.push_back({.name = name, .content = in.part()});
    check_java(texts.back().content);
  }
  const auto named = judge::name_sources(language_of_java(), texts);
  if (!named) {
    CHECK(is_explained(named, bytes.size()));
    return;
  }
  check_named(*named, texts.size());
}

void crash_text(std::string_view bytes) {
  Slices in(bytes);
  const judge::Language& language = language_with_signs(in.byte());
  const auto protocol = static_cast<judge::Protocol>(in.byte() % 7);
  const bool long_one = in.byte() == 255;
  const std::string_view judged = in.part();
  const std::string_view errors = in.rest();
  const bool crashed = judge::reports_crash(language, errors);
  CHECK(crashed || !judge::reports_crash(language, errors, said_of(judged)));
  CHECK(!judge::reports_crash(language, errors, said_of(errors)));
  const judge::CheckerRun run{.end = sandbox::Exited{1}, .errors = errors};
  const judge::CheckResult said = judge::interpret(protocol, run);
  const judge::CheckResult result = judge::unless_crashed(said, language, protocol, run);
  CHECK(result.verdict == said.verdict ||
        (crashed && result.verdict == verdict::Verdict::JudgeFailed));
  CHECK(result.message.size() <= said.message.size() + 100);
  if (long_one) CHECK(judge::reports_crash(language, as_long_as_a_log(errors)) == crashed);
}

}  // namespace assay::fuzz
