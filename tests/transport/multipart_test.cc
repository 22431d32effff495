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

std::string empty_parts(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i)
    body += "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n";
  return body + "--X--\r\n";
}

TEST(FormReader, AFormHasAtMostAThousandPartsOrSo) {
  for (const std::size_t piece : {1U, 1000U, 10000000U}) {
    EXPECT_NE(read(empty_parts(1024), piece), "broken") << piece;
    EXPECT_EQ(read(empty_parts(1025), piece), "broken") << piece;
  }
}

// Each part had everything behind it moved: 17 MB of them took minutes, before any token was read.
// What is left is told by what is read after the first part too many: nothing.
TEST(FormReader, AHugeFormOfTinyPartsIsLeftAtOnce) {
  std::size_t begun = 0;
  FormReader reader("X", {.begin =
                              [&](const FormReader::Part&) {
                                ++begun;
                                return FormReader::Wish::Take;
                              },
                          .write =
                              [](std::string_view) {
                                return true;
                              }});
  EXPECT_FALSE(reader.put(empty_parts(300000)));
  EXPECT_EQ(begun, 1024U);
}

// A part that is larger than a piece keeps its bytes, wherever the pieces meet.
TEST(FormReader, LargePartsAreWholeInWhateverPiecesTheyCome) {
  std::string large;
  for (std::size_t i = 0; large.size() < 300000; ++i)
    large += std::to_string(i) + "\r\n--";
  const std::string body = "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + large +
                           "\r\n--X\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nlast" +
                           "\r\n--X--\r\n";
  for (const std::size_t piece : {999U, 65536U, 10000000U})
    EXPECT_EQ(read(body, piece), "[a]" + large + "[b]last") << piece;
}

}  // namespace
}  // namespace assay::transport
