#include "judge/compile_entry.h"

#include <gtest/gtest.h>

#include "store/digest.h"

namespace assay::judge {
namespace {

using std::chrono_literals::operator""ms;

CompileEntry entry() {
  return {.result = {.ok = true,
                     .exit_code = 0,
                     .time = 12ms,
                     .memory = 34_MiB,
                     .log = std::string("a warning\nwith 3 lines\0\n", 24)},
          .files = {{"main", true, 5_B, store::digest_of("12345"), "ABCDEFGH22222222"},
                    {"sub dir/x.class", false, 0_B, store::digest_of(""), "ABCDEFGH33333333"}}};
}

TEST(CompileEntries, ComeBackAsTheyWere) {
  const auto back = decode_entry(encode(entry()));
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->result.ok);
  EXPECT_EQ(back->result.exit_code, 0);
  EXPECT_EQ(back->result.time, 12ms);
  EXPECT_EQ(back->result.memory, 34_MiB);
  EXPECT_EQ(back->result.log, entry().result.log);
  EXPECT_EQ(back->files, entry().files);
}

TEST(CompileEntries, AreNothingWhenAnyByteChanged) {
  const std::string whole = encode(entry());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(decode_entry(changed)) << i;
  }
}

TEST(CompileEntries, AreNothingWhenCutOrLengthened) {
  const std::string whole = encode(entry());
  for (std::size_t i = 0; i < whole.size(); ++i)
    EXPECT_FALSE(decode_entry(whole.substr(0, i))) << i;
  EXPECT_FALSE(decode_entry(whole + "\n"));
}

// With a right digest over wrong fields: what a hand that knows the format could write.
std::string signed_body(const std::string& body) {
  return "assay-compile-1 " + store::digest_of(body) + "\n" + body;
}

TEST(CompileEntries, AreNothingWhenTheirFieldsAreNonsense) {
  const std::string head = "1 0\n1 0\n1 0\n0 \n";
  EXPECT_TRUE(decode_entry(signed_body(head + "1 0\n")));
  for (const std::string& body :
       {std::string(), head, head + "1 1\n", head + "20 99999999999999999999\n",
        head + "18446744073709551615 x\n", head + "1 0\nx", head + "-1 \n", head + "1 0 \n",
        std::string("1 x\n1 0\n1 0\n0 \n1 0\n"),
        head + "1 1\n0 \n1 1\n1 5\n64 " + std::string(64, 'a') + "\n16 ABCDEFGH22222222\n",
        head + "1 1\n1 m\n1 1\n1 5\n3 abc\n16 ABCDEFGH22222222\n",
        head + "1 1\n1 m\n1 1\n1 5\n64 " + std::string(64, 'a') + "\n7 ../../x\n"})
    EXPECT_FALSE(decode_entry(signed_body(body))) << body;
}

}  // namespace
}  // namespace assay::judge
