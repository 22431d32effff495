#include "judge/unpacked_files.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace assay::judge {
namespace {

UnpackedFiles files_of(const std::vector<std::string>& paths) {
  UnpackedFiles::Files files;
  for (const std::string& path : paths)
    files.emplace(path, Content{.text = "of " + path});
  return UnpackedFiles(std::move(files));
}

std::string text_of(const UnpackedFiles& files, const std::string& path) {
  const auto text = files.text(path, 1_KiB);
  return text ? *text : describe(text.error());
}

TEST(UnpackedFiles, AreFoundByTheirPaths) {
  const UnpackedFiles files = files_of({"problem.toml", "tests/1.in"});
  EXPECT_EQ(text_of(files, "tests/1.in"), "of tests/1.in");
  EXPECT_EQ(text_of(files, "./tests/../tests//1.in"), "of tests/1.in");
  for (const char* path : {"tests", "1.in", "../problem.toml", "/problem.toml", ""}) {
    const auto found = files.file(path);
    ASSERT_FALSE(found) << path;
    EXPECT_EQ(found.error().code, ENOENT) << path;
    EXPECT_EQ(found.error().fault, Fault::InvalidRequest) << path;
  }
}

TEST(UnpackedFiles, TheOneFolderOfAllIsTheProblems) {
  EXPECT_EQ(text_of(files_of({"sum/problem.toml", "sum/a/1.in"}), "a/1.in"), "of sum/a/1.in");
  EXPECT_EQ(text_of(files_of({"sum/problem.toml", "__MACOSX/sum/._problem.toml"}), "problem.toml"),
            "of sum/problem.toml");
  EXPECT_TRUE(files_of({".DS_Store", "sum/problem.toml", "sum/.DS_Store"}).file("problem.toml"));
  EXPECT_FALSE(files_of({"sum/problem.toml", "other/x"}).file("problem.toml"));
  EXPECT_FALSE(files_of({"a/x", "b"}).file("x"));
  EXPECT_TRUE(files_of({"problem.toml"}).file("problem.toml"));
  EXPECT_FALSE(files_of({}).file("problem.toml"));
}

TEST(UnpackedFiles, FitAPatternInTheirOwnFolderOnly) {
  const UnpackedFiles files = files_of(
      {"a.h", "tests/10.in", "tests/2.in", "tests/2.ans", "tests/deep/3.in", "tests2/4.in"});
  const auto found = [&](const std::string& pattern) {
    return files.matching(pattern).value();
  };
  EXPECT_EQ(found("tests/*.in"), (std::vector<std::string>{"tests/2.in", "tests/10.in"}));
  EXPECT_EQ(found("./tests/*.in"), (std::vector<std::string>{"./tests/2.in", "./tests/10.in"}));
  EXPECT_EQ(found("*.h"), std::vector<std::string>{"a.h"});
  EXPECT_EQ(found("./*.h"), std::vector<std::string>{"./a.h"});
  EXPECT_EQ(found("tests/../*.h"), std::vector<std::string>{"tests/../a.h"});
  EXPECT_TRUE(found("tests/deep/*.ans").empty());
  EXPECT_EQ(files.matching("none/*.in").error().context, "the package has no folder 'none/'");
  EXPECT_FALSE(files.matching("tests/1.in"));
  EXPECT_FALSE(files.matching("te*/1.in"));
}

// The folder as it is written stands before the name of each file that fits: a package of some
// kilobytes took gigabytes.
TEST(UnpackedFiles, PathsAreOfBoundedLength) {
  const UnpackedFiles files = files_of({"problem.toml", "tests/1.in"});
  std::string folder;
  while (folder.size() < 1000)
    folder += "./";
  EXPECT_EQ(text_of(files, folder + "tests/1.in"), "of tests/1.in");
  EXPECT_EQ(files.matching(folder + "tests/*.in")->size(), 1U);
  while (folder.size() < 1'000'000)
    folder += "./";
  for (const std::string& why : {files.file(folder + "tests/1.in").error().context,
                                 files.matching(folder + "tests/*.in").error().context})
    EXPECT_TRUE(why.starts_with("a path of more than 1024 bytes: './././") && why.size() < 120)
        << why.substr(0, 200);
}

TEST(UnpackedFiles, TextsTogetherMayBeTooLong) {
  UnpackedFiles::Files all;
  all.emplace("a", Content{.text = std::string(4U << 20, 'x')});
  const UnpackedFiles files(std::move(all));
  for (int i = 0; i < 16; ++i)
    ASSERT_TRUE(files.text("a", 4_MiB)) << i;
  EXPECT_EQ(files.text("a", 4_MiB).error().context,
            "the programs of the problem are larger than 64.0 MiB");
}

TEST(UnpackedFiles, ATextMayBeTooLong) {
  EXPECT_EQ(files_of({"a", "b"}).text("a", Bytes{2}).error().context, "'a' is larger than 2 B");
}

}  // namespace
}  // namespace assay::judge
