#include "transport/multipart.h"

#include <gtest/gtest.h>

namespace assay::transport {
namespace {

// What the form has in it, or "broken".
std::string read(const std::string& body, std::size_t piece) {
  std::string said;
  FormReader reader("X", {.begin =
                              [&](const FormReader::Part& part) {
                                said += "[" + part.name + "]";
                                return FormReader::Wish::Take;
                              },
                          .write =
                              [&](std::string_view bytes) {
                                said += bytes;
                                return true;
                              }});
  for (std::size_t at = 0; at < body.size(); at += piece)
    if (!reader.put(std::string_view(body).substr(at, piece))) return "broken";
  return reader.is_complete() ? said : said + "…";
}

std::string form(const std::string& padding, const std::string& more_header = "") {
  return "--X" + padding + "\r\nContent-Disposition: form-data; name=\"a\"\r\n" + more_header +
         "\r\nhello\r\n--X--\r\n";
}

TEST(FormReader, AFormIsTheSameInWhateverPiecesItComes) {
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 100000U})
    EXPECT_EQ(read(form(" \t"), piece), "[a]hello") << piece;
}

// Found while its fuzzer was written: more blanks than that were taken when they came at once, and
// refused when they came one by one.
TEST(FormReader, BlanksBehindABoundaryAreCountedInWhateverPiecesTheyCome) {
  for (const std::size_t piece : {1U, 13U, 100000U}) {
    EXPECT_EQ(read(form(std::string(256, ' ')), piece), "[a]hello") << piece;
    EXPECT_EQ(read(form(std::string(257, ' ')), piece), "broken") << piece;
  }
}

TEST(FormReader, TheHeaderOfAPartHasTheSameLimitInWhateverPiecesItComes) {
  const std::string front = "\r\nContent-Disposition: form-data; name=\"a\"\r\nX: ";
  for (const std::size_t piece : {1U, 13U, 100000U}) {
    const auto header = [&](std::size_t size) {
      return "X: " + std::string(size - front.size(), 'x') + "\r\n";
    };
    EXPECT_EQ(read(form("", header(16384)), piece), "[a]hello") << piece;
    EXPECT_EQ(read(form("", header(16385)), piece), "broken") << piece;
  }
}

}  // namespace
}  // namespace assay::transport
