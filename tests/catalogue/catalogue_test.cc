// Languages, profiles and policies from files and from a database, and what happens when they
// change: F17 and F31.
#include "config/catalogue.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "config/database.h"
#include "config/files.h"
#include "os/file.h"

namespace assay::config {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = Catalogue::Clock;

const Directories kShipped{.languages = ASSAY_SOURCE_DIR "/languages",
                           .profiles = ASSAY_SOURCE_DIR "/profiles",
                           .policies = ASSAY_SOURCE_DIR "/policies"};

std::string language_text(const std::string& name, const std::string& extension) {
  return "name = \"" + name + "\"\npackages = [\"p\"]\nextensions = [\"" + extension +
         "\"]\nsource = \"main." + extension +
         "\"\ndetection = { argv = \"x -v\", version = 'X' }\nrun = { argv = \"x {source}\" }\n";
}

// Both sources behind one face: what a test changes, and what it reads.
class Store {
 public:
  virtual ~Store() = default;
  virtual void put(Kind kind, const std::string& name, const std::string& text) = 0;
  virtual void remove(Kind kind, const std::string& name) = 0;
  virtual std::unique_ptr<Source> source() = 0;
};

class FileStore : public Store {
 public:
  explicit FileStore(fs::path root) : root_(std::move(root)) {
    fs::copy(kShipped.languages, root_ / "language", fs::copy_options::recursive);
    fs::copy(kShipped.profiles, root_ / "profile", fs::copy_options::recursive);
    fs::copy(kShipped.policies, root_ / "policy", fs::copy_options::recursive);
  }
  // As an editor does: another file takes the name.
  void put(Kind kind, const std::string& name, const std::string& text) override {
    const fs::path path = path_of(kind, name);
    std::ofstream(path.string() + ".new") << text;
    fs::rename(path.string() + ".new", path);
  }
  void remove(Kind kind, const std::string& name) override { fs::remove(path_of(kind, name)); }
  std::unique_ptr<Source> source() override {
    return std::make_unique<Files>(
        Directories{root_ / "language", root_ / "profile", root_ / "policy"});
  }

 private:
  [[nodiscard]] fs::path path_of(Kind kind, const std::string& name) const {
    return root_ / name_of(kind) / (name + ".toml");
  }
  fs::path root_;
};

class DatabaseStore : public Store {
 public:
  explicit DatabaseStore(const fs::path& root)
      : path_(root / "config.db"),
        database_(Database::open(path_, Database::Access::Write).value()) {
    Files shipped(kShipped);
    EXPECT_TRUE(database_->take_over(shipped));
  }
  void put(Kind kind, const std::string& name, const std::string& text) override {
    EXPECT_TRUE(database_->put(kind, name, text));
  }
  void remove(Kind kind, const std::string& name) override {
    EXPECT_TRUE(database_->remove(kind, name));
  }
  std::unique_ptr<Source> source() override {
    return Database::open(path_, Database::Access::Read).value();
  }

 private:
  std::string path_;
  std::unique_ptr<Database> database_;
};

class CatalogueTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "assay-catalogue-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    if (GetParam() == "Files") store_ = std::make_unique<FileStore>(root_);
    if (GetParam() == "Database") store_ = std::make_unique<DatabaseStore>(root_);
  }
  void TearDown() override {
    store_.reset();
    fs::remove_all(root_);
  }

  std::unique_ptr<Catalogue> open() {
    CatalogueOptions options{.say = [this](const std::string& text) { said.push_back(text); },
                             .now =
                                 [this] {
                                   return now;
                                 }};
    auto catalogue = Catalogue::open(store_->source(), std::move(options));
    EXPECT_TRUE(catalogue) << describe(catalogue.error());
    return *std::move(catalogue);
  }
  static bool knows(const Catalogue::Snapshot& set, const std::string& language) {
    return set->languages.find(language).has_value();
  }
  Store& store() { return *store_; }

  Clock::time_point now = Clock::now();
  std::vector<std::string> said{};

 private:
  fs::path root_;
  std::unique_ptr<Store> store_;
};

TEST_P(CatalogueTest, HasAllThatIsShipped) {
  const auto set = open()->current();
  EXPECT_TRUE(knows(set, "cpp17"));
  EXPECT_TRUE(set->profiles.contains("native"));
  ASSERT_TRUE(set->policy("rbx"));
  EXPECT_EQ((*set->policy("rbx"))->name, "rbx");
  const auto unknown = set->policy("anarchy\n");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().fault, Fault::NotFound);
  EXPECT_TRUE(unknown.error().context.starts_with("no policy 'anarchy?'; there are assay, "));
}

TEST_P(CatalogueTest, ANewLanguageIsThereForTheNextJobAndNotForOneThatRuns) {
  const auto catalogue = open();
  const auto running = catalogue->current();
  store().put(Kind::Language, "klingon", language_text("Klingon", "kl"));
  now += 2s;
  const auto next = catalogue->current();
  EXPECT_TRUE(knows(next, "klingon"));
  EXPECT_FALSE(knows(running, "klingon"));
  store().remove(Kind::Language, "klingon");
  now += 2s;
  EXPECT_FALSE(knows(catalogue->current(), "klingon"));
  EXPECT_TRUE(knows(next, "klingon"));
  EXPECT_TRUE(said.empty());
}

TEST_P(CatalogueTest, AChangedLanguageIsThereForTheNextJob) {
  store().put(Kind::Language, "klingon", language_text("Klingon", "kl"));
  const auto catalogue = open();
  store().put(Kind::Language, "klingon", language_text("Vulcan", "kl"));
  now += 2s;
  EXPECT_EQ((*catalogue->current()->languages.find("klingon"))->name, "Vulcan");
}

TEST_P(CatalogueTest, NothingIsReadAgainAsLongAsNothingChanges) {
  const auto catalogue = open();
  const auto set = catalogue->current();
  const std::size_t reads = catalogue->reads();
  now += 29min;
  EXPECT_EQ(catalogue->current(), set);
  EXPECT_EQ(catalogue->reads(), reads);
  store().put(Kind::Language, "klingon", language_text("Klingon", "kl"));
  now += 10s;
  EXPECT_NE(catalogue->current(), set);
  EXPECT_EQ(catalogue->reads(), reads + 1);  // the others are remembered
}

TEST_P(CatalogueTest, AfterHalfAnHourAllIsReadAgain) {
  const auto catalogue = open();
  const std::size_t reads = catalogue->reads();
  now += 31min;
  (void)catalogue->current();
  EXPECT_EQ(catalogue->reads(), 2 * reads);
}

TEST_P(CatalogueTest, ALookIsNotTakenForEveryJob) {
  const auto catalogue = open();
  store().put(Kind::Language, "klingon", language_text("Klingon", "kl"));
  now += 999ms;
  EXPECT_FALSE(knows(catalogue->current(), "klingon"));
  now += 1ms;
  EXPECT_TRUE(knows(catalogue->current(), "klingon"));
}

TEST_P(CatalogueTest, ABrokenTextKeepsTheOldSetAndIsSaidOnce) {
  const auto catalogue = open();
  const auto set = catalogue->current();
  store().put(Kind::Policy, "rbx", "about = 7\n");
  for (int i = 0; i < 3; ++i) {
    now += 2s;
    EXPECT_EQ(catalogue->current(), set);
  }
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("stay as they were"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("rbx"), std::string::npos) << said[0];
  store().remove(Kind::Policy, "rbx");
  now += 2s;
  EXPECT_FALSE(catalogue->current()->policy("rbx"));
  ASSERT_EQ(said.size(), 2U);
  EXPECT_NE(said[1].find("can be used again"), std::string::npos) << said[1];
}

TEST_P(CatalogueTest, ALanguageWithoutItsProfileIsRefused) {
  const auto catalogue = open();
  store().put(Kind::Language, "klingon",
              language_text("Klingon", "kl") + "[profiles]\nrun = \"bird_of_prey\"\n");
  now += 2s;
  EXPECT_FALSE(knows(catalogue->current(), "klingon"));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("'bird_of_prey', which does not exist"), std::string::npos) << said[0];
}

TEST_P(CatalogueTest, ManyMayAskWhileItChanges) {
  CatalogueOptions options{.check_every = 0s};
  const auto catalogue = Catalogue::open(store().source(), std::move(options)).value();
  std::vector<std::jthread> askers;
  for (int i = 0; i < 4; ++i)
    askers.emplace_back([&catalogue] {
      for (int n = 0; n < 200; ++n)
        EXPECT_TRUE(knows(catalogue->current(), "cpp"));
    });
  for (int n = 0; n < 20; ++n)
    store().put(Kind::Language, "klingon", language_text("Klingon" + std::to_string(n), "kl"));
}

INSTANTIATE_TEST_SUITE_P(From, CatalogueTest, ::testing::Values("Files", "Database"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace assay::config
