#include "judge/build_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay::judge {
namespace {

constexpr const char* kMakefile = "Makefile";
constexpr const char* kNative = "./{output}";  // how a language runs what it compiled to

// make, and then the rule of seed 000: one ELF executable, and it is a.out. What else make left,
// such as object files and scripts, is nobody's business.
constexpr const char* kMakeOne = R"sh("$@" || exit $?
is_elf() ( [ "$(head -c 4 "$1" | tail -c 3)" = ELF ] )
[ ! -f a.out ] || is_elf a.out || exit 213
find . -type f -perm /111 ! -path ./a.out | while IFS= read -r file; do
  if is_elf "$file"; then exit 213; fi
done
[ $? != 213 ] || exit 213
)sh";

bool has(const Project& project, std::string_view name) {
  return std::ranges::find(project.files, name, &SourceFile::name) != project.files.end();
}

bool is_interpreted(const Language& language) {
  return language.compile.empty();
}

bool is_native(const Language& language) {
  return !language.run.argv.empty() && language.run.argv.front() == kNative;
}

// In a template a brace begins a name.
std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name)
    text.append(c == '{' ? 2 : 1, c);
  return text;
}

Result<CompileOrder> plain_order(const LanguageSet& languages, const Submission& submission,
                                 Project project, std::span<const std::string> granted = {}) {
  CompileOrder order = TRY(compile_order(languages,
                                         {.language = submission.language,
                                          .sources = std::move(project.files),
                                          .extra_flags = submission.extra_flags},
                                         granted));
  order.directories = std::move(project.directories);
  return order;
}

std::shared_ptr<Language> made_by(const Language& make, const Language& language) {
  auto made = std::make_shared<Language>(language);
  made->compile = make.compile;
  made->source = make.source;
  made->output = make.output;
  made->flags = make.flags;
  made->from_memory = make.from_memory;
  made->warmth.reset();
  made->lint.reset();
  return made;
}

Result<CompileOrder> order_of(std::shared_ptr<const Language> made, const std::string& main,
                              Project project) {
  CompileOrder order{.language = made.get(),
                     .sources = {.compiled = {main}, .main = main, .entry = main},
                     .directories = std::move(project.directories),
                     .made = std::move(made)};
  std::set<std::string, std::less<>> seen;
  for (SourceFile& file : project.files) {
    TRY_STATUS(check_source_name(file.name));
    if (!seen.insert(file.name).second)
      return invalid(fmt::format("there are two source files '{}'", file.name));
    order.sources.names.push_back(file.name);
    order.files.push_back({std::move(file.name), std::move(file.content), file.executable});
  }
  return order;
}

Status check_flags(const Language& make, const Submission& submission) {
  const auto flags = filter_flags(make.flags, submission.extra_flags);
  return flags ? Status{} : Status(std::unexpected(flags.error()));
}

enum class Whose { Submitted, Problems };  // the problem's sources are not for the program to read

// a.out by make, run as what the language compiles to.
Result<CompileOrder> native_project(const Language& make, const Language& language, Whose whose,
                                    Project project) {
  auto made = made_by(make, language);
  made->keeps_sources = make.keeps_sources && whose == Whose::Submitted;
  Template& argv = made->compile.front().argv;
  const std::vector<std::string> wrapper{"sh", "-c", escaped(kMakeOne), "sh"};
  argv.insert(argv.begin(), wrapper.begin(), wrapper.end());
  return order_of(std::move(made), kMakefile, std::move(project));
}

Result<CompileOrder> normal_project(const LanguageSet& languages, const Submission& submission,
                                    Project project) {
  const Language* language = TRY(languages.find(submission.language));
  if (is_interpreted(*language)) {
    const bool nameless = project.files.size() == 1 && project.files[0].name.empty();
    if (nameless || has(project, language->source))
      return plain_order(languages, submission, std::move(project));
    return invalid(fmt::format("there is no '{}' at the root of the project", language->source));
  }
  if (!is_native(*language))
    return invalid(fmt::format("make builds no projects in {} here", language->name));
  const Language* make = TRY(languages.find("make"));
  TRY_STATUS(check_flags(*make, submission));
  if (!has(project, kMakefile))
    return invalid(fmt::format("there is no '{}' at the root of the project", kMakefile));
  return native_project(*make, *language, Whose::Submitted, std::move(project));
}

// The problem's files win over the submission's.
Project over(Project below, Project above) {
  std::erase_if(below.files, [&](const SourceFile& file) { return has(above, file.name); });
  std::ranges::move(below.files, std::back_inserter(above.files));
  return above;
}

// An interpreted project is all its files, whether make changed them or not, and the main one.
Result<CompileOrder> interpreted_function(const LanguageSet& languages, const Language& language,
                                          const Submission& submission, Project project) {
  if (!has(project, kMakefile)) return plain_order(languages, submission, std::move(project));
  const Language* make = TRY(languages.find("make"));
  auto made = std::make_shared<Language>(language);
  made->compile = {make->compile.front()};
  std::vector<std::string>& outputs = made->compile.front().outputs;
  outputs.clear();
  for (const SourceFile& file : project.files)
    outputs.push_back(escaped(file.name));
  if (!has(project, language.source)) outputs.push_back(language.source);
  return order_of(std::move(made), language.source, std::move(project));
}

Result<CompileOrder> function_project(const LanguageSet& languages, const Submission& submission,
                                      Project own, Project theirs) {
  const Language* language = TRY(languages.find(submission.language));
  const bool is_python = language->source == "main.py";
  if (!is_python && language->family != "c" && language->family != "cpp")
    return invalid(
        fmt::format("function-only projects are in C, C++ or Python, not in {}", language->name));
  own.files[0].name = is_python ? "student_impl.py" : "function.h";
  const bool has_makefile = has(theirs, kMakefile);
  const bool has_main = has(theirs, language->source);
  Project project = over(std::move(own), std::move(theirs));
  if (is_python) {
    if (!has_makefile && !has_main) return invalid("the problem's project has no 'main.py'");
    return interpreted_function(languages, *language, submission, std::move(project));
  }
  if (!has_makefile) return invalid("the problem's project has no 'Makefile'");
  const Language* make = TRY(languages.find("make"));
  TRY_STATUS(check_flags(*make, submission));
  return native_project(*make, *language, Whose::Problems, std::move(project));
}

// A single file is called as its language's main one already now: it is not alone any more.
Result<Project> with_beside(const LanguageSet& languages, const Problem& problem,
                            const Submission& submission, Project own) {
  const Language* language = TRY(languages.find(submission.language));
  if (own.files.size() == 1 && !submission.archive) own.files[0].name = language->source;
  return over(std::move(own), {.files = problem.beside});
}

Result<const Grader*> grader_for(const LanguageSet& languages, const Problem& problem,
                                 const Language& language) {
  const Grader* family = nullptr;
  std::string known;
  for (const Grader& grader : problem.graders) {
    const Language* its = TRY(languages.find(grader.language));
    if (its->id == language.id) return &grader;
    if (its->id == language.family) family = &grader;
    known += (known.empty() ? "" : ", ") + its->name;
  }
  if (family != nullptr) return family;
  return invalid(fmt::format("this problem takes {}, not {}", known, language.name));
}

Result<CompileOrder> graded(const LanguageSet& languages, const Problem& problem,
                            const Submission& submission, Project own) {
  const Language* language = TRY(languages.find(submission.language));
  const Grader* grader = TRY(grader_for(languages, problem, *language));
  Project project{.files = grader->files};
  own.files[0].name = grader->submission;
  project.files.push_back(std::move(own.files[0]));
  CompileOrder order =
      TRY(plain_order(languages, submission, std::move(project), problem.granted_flags));
  if (is_interpreted(*language) && order.sources.main == grader->submission)
    return invalid("the problem's grader has no main file");
  return order;
}

// A function comes alone, however it is packed.
Status check_number(const Problem& problem, std::size_t files) {
  const bool function_only =
      problem.build == BuildStrategy::MakeFunctionOnly || !problem.graders.empty();
  if (function_only && files != 1)
    return invalid("this problem takes a single source file with the function, not a project");
  return {};
}

}  // namespace

Status check_handed_in(const Problem& problem, const Submission& submission) {
  if (submission.archive && !submission.sources.empty())
    return invalid("there are sources and an archive: only one of them can be judged");
  if (!submission.archive && submission.sources.empty()) return invalid("there is no source");
  if (submission.archive) return {};  // who knows what is in it
  return check_number(problem, submission.sources.size());
}

Result<CompileOrder> build_order(const LanguageSet& languages, const Problem& problem,
                                 const Submission& submission, Project own, Project theirs) {
  TRY_STATUS(check_number(problem, own.files.size()));
  if (!problem.beside.empty() && problem.build != BuildStrategy::MakeFunctionOnly)
    own = TRY(with_beside(languages, problem, submission, std::move(own)));
  switch (problem.build) {
    case BuildStrategy::MakeNormal:
      return normal_project(languages, submission, std::move(own));
    case BuildStrategy::MakeFunctionOnly:
      return function_project(languages, submission, std::move(own), std::move(theirs));
    case BuildStrategy::MakeInteractive:
      if (submission.archive || has(own, kMakefile))
        return normal_project(languages, submission, std::move(own));
      break;
    case BuildStrategy::Compile:
      break;
  }
  if (!problem.graders.empty()) return graded(languages, problem, submission, std::move(own));
  return plain_order(languages, submission, std::move(own), problem.granted_flags);
}

}  // namespace assay::judge
