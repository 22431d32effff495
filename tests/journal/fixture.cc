#include "tests/journal/fixture.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "os/file.h"

namespace assay::journal {

JournalTest::JournalTest() {
  char name[] = "/tmp/assay-journal-XXXXXX";
  directory_ = ::mkdtemp(name);
}

JournalTest::~JournalTest() {
  std::filesystem::remove_all(directory_);
}

std::unique_ptr<Journal> JournalTest::open(Options options) {
  options.directory = place("journal");
  options.say = [this](const std::string& sentence) {
    said_.push_back(sentence);
  };
  auto opened = Journal::open(std::move(options));
  EXPECT_TRUE(opened) << describe(opened.error());
  return opened ? *std::move(opened) : nullptr;
}

std::vector<std::string> JournalTest::names(const std::string& below) const {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(place("journal" + below)))
    found.push_back(entry.path().filename());
  std::ranges::sort(found);
  return found;
}

Key JournalTest::accept(Journal& journal, const std::string& id, const Files& files, Key problem) {
  const auto key = journal.reserve(files);
  EXPECT_TRUE(key) << describe(key.error());
  const Status done = journal
                          .accept({.key = *key,
                                   .id = id,
                                   .digest = "digest of " + id,
                                   .problem = problem,
                                   .order = "order of " + id,
                                   .files = files.size(),
                                   .received = Moment::clock::now()})
                          .get();
  EXPECT_TRUE(done) << describe(done.error());
  return *key;
}

Status JournalTest::finish(Journal& journal, Key key, const std::string& id,
                           const std::string& result, Moment at) {
  return journal
      .finish({.key = key, .id = id, .digest = "digest of " + id, .result = result, .finished = at})
      .get();
}

std::shared_ptr<const os::OwnedFd> JournalTest::file_with(const std::string& text) const {
  auto file = os::open(directory_, O_TMPFILE | O_RDWR, 0600);
  EXPECT_TRUE(file && os::write_all(file->get(), text));
  return std::make_shared<const os::OwnedFd>(*std::move(file));
}

std::vector<std::string> JournalTest::ids(const std::vector<NewSubmission>& rows) {
  std::vector<std::string> all;
  for (const NewSubmission& row : rows)
    all.push_back(row.id);
  return all;
}

std::string JournalTest::text_of(const Result<os::OwnedFd>& file) {
  if (!file) return describe(file.error());
  return os::read_from_start(file->get()).value_or("unreadable");
}

}  // namespace assay::journal
