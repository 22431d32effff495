// What is below a directory of the box after a run.
#include <fcntl.h>

#include <algorithm>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

class TreesOut : public BoxTest {
 protected:
  struct Tree {
    sandbox::Facts facts{};
    std::vector<sandbox::FoundFile> found{};
    [[nodiscard]] std::vector<std::string> names() const {
      std::vector<std::string> names;
      for (const sandbox::FoundFile& file : found)
        names.push_back(file.name);
      std::ranges::sort(names);
      return names;
    }
  };

  Tree look(const std::string& script, sandbox::TreeOut tree = {}) {
    Tree result;
    Prepared job({.arguments = {"/bin/sh", "-c", script},
                  .limits = {.cpu_time = scaled(10s), .wall_time = scaled(30s)}});
    tree.found = &result.found;
    job.spec.trees_out = {tree};
    auto facts = engine().run(job.spec);
    EXPECT_TRUE(facts) << describe(facts.error());
    if (facts) result.facts = *std::move(facts);
    EXPECT_EQ(result.facts.end, sandbox::End(sandbox::Exited{0}));
    return result;
  }
};

TEST_F(TreesOut, AreAllRegularFilesAndNothingElse) {
  const Tree tree = look(
      "mkdir -p a/b empty; echo 1 > one; echo 2 > a/two; echo 3 > a/b/three; mkfifo fifo;"
      "ln -s one link; ln -s /etc etc; ln -s a/b ab");
  EXPECT_EQ(tree.names(), (std::vector<std::string>{"a/b/three", "a/two", "one"}));
  EXPECT_TRUE(tree.facts.file_errors.empty());
}

TEST_F(TreesOut, AreOpenedWhereThatIsWanted) {
  const Tree tree = look("mkdir d; printf hello > d/file", {.open = true});
  ASSERT_EQ(tree.found.size(), 1U);
  EXPECT_EQ(content_of(tree.found[0].file.get()), "hello");
  EXPECT_FALSE(look("echo x > y").found.at(0).file.is_open());
}

TEST_F(TreesOut, NamesAreWhateverTheProgramMadeOfThem) {
  const Tree tree = look("mkdir 'd d'; : > \"d d/$(printf 'a\\nb\\377')\"; : > -rf; : > ...");
  EXPECT_EQ(tree.names(), (std::vector<std::string>{"-rf", "...", "d d/a\nb\377"}));
}

TEST_F(TreesOut, ADirectoryThatTheProgramClosedIsRead) {
  NEEDS_METERS();  // without ids of its own the box's root has no more rights than the program
  const Tree tree = look("mkdir shut; : > shut/file; chmod 0 shut/file shut", {.open = true});
  EXPECT_EQ(tree.names(), (std::vector<std::string>{"shut/file"}));
}

TEST_F(TreesOut, OnlySoManyAreLookedFor) {
  const Tree tree = look("i=0; while [ $i -lt 60 ]; do : > f$i; i=$((i+1)); done", {.most = 50});
  EXPECT_EQ(tree.found.size(), 50U);
}

TEST_F(TreesOut, APathThatIsTooLongForAnyCallHidesNothingElse) {
  const Tree tree = look(
      "n=$(printf '%0200d' 0); i=0; : > top; while [ $i -lt 30 ]; do mkdir $n && cd $n; : > in;"
      "i=$((i+1)); done");
  const std::vector<std::string> names = tree.names();
  EXPECT_TRUE(std::ranges::find(names, "top") != names.end());
  EXPECT_GE(names.size(), 15U);
  EXPECT_LE(names.size(), 31U);
}

TEST_F(TreesOut, MayBelongToAnotherPlaceOfTheBox) {
  EXPECT_EQ(look(": > /tmp/x; : > y", {.directory = "/tmp"}).names(),
            (std::vector<std::string>{"x"}));
}

TEST_F(TreesOut, ADirectoryThatIsNoneIsAFileError) {
  EXPECT_EQ(look("true", {.directory = "nothing"}).facts.file_errors.at(0).error, ENOENT);
  EXPECT_EQ(look("ln -s / d", {.directory = "d"}).facts.file_errors.at(0).error, ELOOP);
}

TEST_F(TreesOut, TheNextRunFindsNothingOfThem) {
  (void)look("mkdir d; : > d/f; : > g", {.open = true});
  EXPECT_TRUE(look("true").found.empty());
}

}  // namespace
}  // namespace assay::test
