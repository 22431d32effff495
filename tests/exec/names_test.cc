// Names that no file can have: file errors of the command, never failures of ours.
#include <map>

#include "tests/exec/fixture.h"

namespace assay::exec {
namespace {

const std::string kLongPart(256, 'p');

const std::vector<std::string> kNoFiles{"",
                                        "..",
                                        "/",
                                        "d/",
                                        "d/..",
                                        kLongPart,
                                        kLongPart + "/f",
                                        "d/" + kLongPart,
                                        std::string(5000, '/') + "f",
                                        std::string("n\0l", 3)};

// Nothing ran, and this is why.
void expect_refused(const CommandResult& result, const std::string& name, FileErrorType type) {
  EXPECT_EQ(result.status, RunStatus::FileError) << name << ": " << result.error;
  EXPECT_EQ(result.time.count(), 0) << name;
  EXPECT_TRUE(result.files.empty()) << name;
  ASSERT_EQ(result.file_errors.size(), 1U) << name;
  EXPECT_EQ(result.file_errors[0].name, name);
  EXPECT_EQ(result.file_errors[0].type, type) << name;
  EXPECT_EQ(result.file_errors[0].message, result.error);
  EXPECT_LT(result.error.size(), 200U) << "a stranger's text is repeated only in part";
}

std::map<std::string, FileErrorType> types_of(const CommandResult& result) {
  std::map<std::string, FileErrorType> types;
  for (const FileError& error : result.file_errors)
    types[error.name] = error.type;
  return types;
}

TEST_F(Runs, WhatCannotBeAFileIsNotCopiedIn) {
  for (const std::string& name : kNoFiles) {
    Command command = shell("echo ran");
    command.copy_in = {{name, Content{"x"}}};
    expect_refused(run(command), name, FileErrorType::CopyInCreateFile);
  }
}

TEST_F(Runs, WhatCannotBeAFileIsNoLinkAndNoCollector) {
  for (const std::string& name : kNoFiles) {
    Command command = shell("echo ran");
    command.links = {{name, "target"}};
    expect_refused(run(command), name, FileErrorType::Symlink);
    command.links.clear();
    command.files[2] = out(name);
    expect_refused(run(command), name, FileErrorType::CopyInCreateFile);
  }
}

TEST_F(Runs, OneThatIsRefusedForANameLeavesTheOthersAlone) {
  Command odd = shell("echo ran");
  odd.copy_in = {{"d/", Content{"x"}}};
  const auto results = run_all({.commands = {odd, shell("echo ran")}});
  expect_refused(results[0], "d/", FileErrorType::CopyInCreateFile);
  EXPECT_EQ(results[1].status, RunStatus::Accepted) << results[1].error;
}

TEST_F(Runs, AnUnknownIdIsTheRequestsErrorWhateverItsName) {
  Command command = shell("true");
  command.copy_in = {{"d/", Content{"x"}}, {"", Stored{"AAAAAAAAAAAAAAAA"}}};
  EXPECT_FALSE(try_run({.commands = {command}}));
}

TEST_F(Runs, ADirectoryMayEndWithASlash) {
  Command command = shell("test -d d/e && echo there");
  command.copy_in = {{"d/e//", Directory{}}};
  EXPECT_EQ(run(command).files.at("stdout"), "there\n");
}

TEST_F(Runs, WhatCannotBeAFileIsAFileErrorAfterTheRun) {
  Command command = shell("mkdir d; echo x > f; echo ran");
  for (const std::string& name : kNoFiles)
    command.copy_out.push_back({name, false});
  command.copy_out.push_back({"f/", false});
  command.copy_out_cached = {{"no/", false}, {"d/.", false}};
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::FileError) << result.error;
  EXPECT_EQ(result.files.at("stdout"), "ran\n");
  const auto types = types_of(result);
  EXPECT_EQ(types.size(), kNoFiles.size() + 3);
  for (const auto& [name, type] : types)
    EXPECT_EQ(type, FileErrorType::CopyOutOpen) << name;
  EXPECT_TRUE(result.file_ids.empty());
  EXPECT_EQ(result.files.size(), 2U) << "the collectors alone";
}

TEST_F(Runs, AnOptionalOneIsAbsentOnlyWhereNothingIs) {
  Command command = shell("mkdir d; echo x > f");
  command.copy_out = {{"", true}, {"no/", true}, {"no/such/f", true}};
  const auto absent = run(command);
  EXPECT_EQ(absent.status, RunStatus::Accepted) << absent.error;
  EXPECT_TRUE(absent.file_errors.empty());
  command.copy_out = {{"d/", true}, {"f/", true}, {"/", true}, {kLongPart, true}};
  const auto types = types_of(run(command));
  for (const CopyOut& wish : command.copy_out)
    EXPECT_TRUE(types.contains(wish.name)) << wish.name;
}

TEST_F(Runs, AFailedProgramKeepsItsStatusThoughANameIsOdd) {
  Command command = shell("exit 3");
  command.copy_out = {{"", false}};
  const auto result = run(command);
  EXPECT_EQ(result.status, RunStatus::NonzeroExitStatus);
  EXPECT_EQ(result.file_errors.size(), 1U);
}

TEST_F(Runs, MessagesNameFilesAsTheClientDid) {
  Command command = shell("mkdir d");
  command.copy_out = {{"d/", false}, {"../w/no", false}};
  for (const FileError& error : run(command).file_errors)
    EXPECT_TRUE(error.message.starts_with(error.name)) << error.message;
}

}  // namespace
}  // namespace assay::exec
