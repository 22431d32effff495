// A journal in a directory of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "journal/journal.h"

namespace assay::journal {

class JournalTest : public testing::Test {
 protected:
  JournalTest();
  ~JournalTest() override;

  std::unique_ptr<Journal> open(Options options = {});
  [[nodiscard]] std::string place(const std::string& name) const { return directory_ + "/" + name; }
  [[nodiscard]] std::vector<std::string> names(const std::string& below = "") const;  // sorted
  // Accepts one, with so many files.
  Key accept(Journal& journal, const std::string& id, const Files& files = {}, Key problem = 0);
  static Status finish(Journal& journal, Key key, const std::string& id,
                       const std::string& result = "result", Moment at = Moment::clock::now());
  [[nodiscard]] std::shared_ptr<const os::OwnedFd> file_with(const std::string& text) const;
  static std::vector<std::string> ids(const std::vector<NewSubmission>& rows);
  static std::string text_of(const Result<os::OwnedFd>& file);

  std::string directory_;
  std::vector<std::string> said_{};
};

}  // namespace assay::journal
