#include "sandbox/inside/unpack.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace assay::sandbox::inside {
namespace {

std::string put_in(PutIn what, const std::string& rest) {
  std::string bytes(sizeof what, '\0');
  std::memcpy(bytes.data(), &what, sizeof what);
  return bytes + rest;
}

bool is_taken(const std::string& bytes) {
  const char* list = bytes.data();
  PutInPart part;
  return take_put_in(list, bytes.data() + bytes.size(), part);
}

TEST(Unpack, TakesAFileWithItsContent) {
  const std::string bytes =
      put_in({.kind = PutIn::Kind::File, .name = 2, .content = 3}, std::string("f\0abc", 5));
  const char* list = bytes.data();
  PutInPart part;
  ASSERT_TRUE(take_put_in(list, bytes.data() + bytes.size(), part));
  EXPECT_STREQ(part.name, "f");
  EXPECT_EQ(std::string(part.content, 3), "abc");
  EXPECT_EQ(list, bytes.data() + bytes.size());
}

TEST(Unpack, NothingBehindTheMessageIsTouched) {
  const std::string file("f\0abc", 5);
  EXPECT_FALSE(is_taken(put_in({.name = 2, .content = 4}, file)));
  EXPECT_FALSE(is_taken(put_in({.name = 6, .content = 0}, file)));
  EXPECT_FALSE(is_taken(put_in({.name = 2, .content = UINT32_MAX}, file)));
  EXPECT_FALSE(is_taken(put_in({.name = UINT32_MAX, .content = UINT32_MAX}, file)));
  EXPECT_FALSE(is_taken(std::string(sizeof(PutIn) - 1, '\1')));
}

TEST(Unpack, ANameAndALinkMustEnd) {
  EXPECT_FALSE(is_taken(put_in({.name = 0, .content = 0}, "")));
  EXPECT_FALSE(is_taken(put_in({.name = 2, .content = 0}, "fg")));
  EXPECT_FALSE(is_taken(
      put_in({.kind = PutIn::Kind::Link, .name = 2, .content = 1}, std::string("f\0g", 3))));
  EXPECT_TRUE(is_taken(
      put_in({.kind = PutIn::Kind::Link, .name = 2, .content = 2}, std::string("f\0g\0", 4))));
}

TEST(Unpack, CountsThatWrapAroundAreNotShaped) {
  RunRequest request{};
  request.descriptors = UINT32_MAX;
  request.copies = 4;
  EXPECT_FALSE(is_shaped(request, sizeof request, 3));
  request.descriptors = 3;
  request.copies = 0;
  EXPECT_TRUE(is_shaped(request, sizeof request, 3));
  request.strings = 1;
  EXPECT_FALSE(is_shaped(request, sizeof request, 3));
  request.long_strings = 1;
  EXPECT_TRUE(is_shaped(request, sizeof request, 4));
  request.program = 1;
  EXPECT_FALSE(is_shaped(request, sizeof request, 4));
  EXPECT_TRUE(is_shaped(request, sizeof request, 5));
  request.program = UINT32_MAX;
  EXPECT_FALSE(is_shaped(request, sizeof request, 3));
  request.program = 0;
  request.strings = kMaxStrings + 1;
  EXPECT_FALSE(is_shaped(request, sizeof request, 4));
}

TEST(Unpack, StringsThatDoNotEndOrDoNotFitAreRefused) {
  char strings[] = "cat\0-n";  // and the zero at its end
  char* pointers[3]{};
  char* text = strings;
  char** next = pointers;
  ASSERT_NE(point_at(text, strings + sizeof strings, next, pointers + 3, 2), nullptr);
  EXPECT_STREQ(pointers[1], "-n");
  EXPECT_EQ(pointers[2], nullptr);
  text = strings, next = pointers;
  EXPECT_EQ(point_at(text, strings + sizeof strings - 1, next, pointers + 3, 2), nullptr);
  text = strings, next = pointers;
  EXPECT_EQ(point_at(text, strings + sizeof strings, next, pointers + 2, 2), nullptr);
  text = strings, next = pointers;
  EXPECT_EQ(point_at(text, strings + sizeof strings, next, pointers, 0), nullptr);
}

}  // namespace
}  // namespace assay::sandbox::inside
