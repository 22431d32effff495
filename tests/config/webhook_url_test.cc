#include "app/daemon/config/webhook_url.h"

#include <gtest/gtest.h>

namespace assay::daemon {
namespace {

std::string refusal(std::string_view text) {
  const auto url = parse_webhook_url(text);
  return url ? "it was accepted" : url.error().context;
}

bool allows(std::string_view prefix, std::string_view url) {
  const auto parsed = parse_webhook_prefix(prefix);
  EXPECT_TRUE(parsed) << prefix << ": " << describe(parsed.error());
  return parsed && check_webhook({*parsed}, url).has_value();
}

TEST(WebhookUrl, IsTakenApart) {
  EXPECT_EQ(parse_webhook_url("http://A.Example/x/y?z=%20").value(),
            (WebhookUrl{.host = "a.example", .port = 80, .path = "/x/y", .query = "?z=%20"}));
  EXPECT_EQ(parse_webhook_url("https://[::1]:8443").value(),
            (WebhookUrl{.secure = true, .host = "[::1]", .port = 8443}));
  EXPECT_EQ(parse_webhook_url("https://a?b").value(),
            (WebhookUrl{.secure = true, .host = "a", .port = 443, .query = "?b"}));
  EXPECT_EQ(parse_webhook_url("http://[::1]/").value().port, 80);
}

TEST(WebhookUrl, EachMistakeHasItsReason) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"", "does not begin with http:// or https://"},
      {"ftp://a/", "does not begin with http:// or https://"},
      {"file:///etc/passwd", "does not begin with http:// or https://"},
      {"HTTP://a/", "does not begin with http:// or https://"},
      {"http:/a", "does not begin with http:// or https://"},
      {"//a/", "does not begin with http:// or https://"},
      {"http://", "has no host that we understand"},
      {"http:///x", "has no host that we understand"},
      {"http://:80/", "has no host that we understand"},
      {"http://a\\b/", "has no host that we understand"},
      {"http://a%2eb/", "has no host that we understand"},
      {"http://[::1/", "has no host that we understand"},
      {"http://[]/", "has no host that we understand"},
      {"http://[::1%25eth0]/", "has no host that we understand"},
      {"http://a:b:80/", "has no host that we understand"},
      {"http://user@a/", "has a user name in it"},
      {"http://user:word@a/", "has a user name in it"},
      {"http://@a/", "has a user name in it"},
      {"http://a:0/", "has a port that is none from 1 to 65535"},
      {"http://a:65536/", "has a port that is none from 1 to 65535"},
      {"http://a:/", "has a port that is none from 1 to 65535"},
      {"http://a:8x/", "has a port that is none from 1 to 65535"},
      {"http://a/#b", "has a fragment"},
      {"http://a#@b/", "has a fragment"},
      {"http://a/ b", "has a blank, a control character or a letter beyond ASCII in it"},
      {"http://a/\r\nX: y", "has a blank, a control character or a letter beyond ASCII in it"},
      {std::string("http://a/\0b", 11),
       "has a blank, a control character or a letter beyond ASCII in it"},
      {"http://\xc3\xa4/", "has a blank, a control character or a letter beyond ASCII in it"},
      {"http://a/..", "has a '.' or '..' in its path"},
      {"http://a/x/../y", "has a '.' or '..' in its path"},
      {"http://a/./y", "has a '.' or '..' in its path"},
      {"http://a/x/%2e%2e/y", "has an escaped '/', '\\', '.' or '%' in its path"},
      {"http://a/x%2fy", "has an escaped '/', '\\', '.' or '%' in its path"},
      {"http://a/x%5cy", "has an escaped '/', '\\', '.' or '%' in its path"},
      {"http://a/%252e", "has an escaped '/', '\\', '.' or '%' in its path"},
      {"http://a/%0d%0a", "has an escaped control character in it"},
      {"http://a/?%00", "has an escaped control character in it"},
      {"http://a/%4", "has a '%' without two hex digits after it"},
      {"http://a/%zz", "has a '%' without two hex digits after it"},
      {"http://a/\\b", "has a character in it that must be escaped"},
      {"http://a/{b}", "has a character in it that must be escaped"},
      {"http://a/" + std::string(2048, 'x'), "is longer than 2048 characters"},
  };
  for (const auto& [text, said] : mistakes)
    EXPECT_EQ(refusal(text), said) << text;
}

TEST(WebhookUrl, APrefixAllowsItsOwnHostOnly) {
  EXPECT_TRUE(allows("http://a.example", "http://a.example"));
  EXPECT_TRUE(allows("http://a.example", "http://a.example/any/where?x=1"));
  EXPECT_TRUE(allows("http://a.example", "http://A.EXAMPLE/"));
  EXPECT_TRUE(allows("http://a.example", "http://a.example:80/"));
  EXPECT_TRUE(allows("https://a.example:443", "https://a.example/"));
  for (const char* other :
       {"http://a.example.evil/", "http://a.example.evil", "http://b.a.example/",
        "https://a.example/", "http://a.example:81/", "http://a.example./", "http://a.exampl/",
        "http://a.example@evil/", "http://evil/?http://a.example", "http://evil/a.example"})
    EXPECT_FALSE(allows("http://a.example", other)) << other;
}

TEST(WebhookUrl, APrefixAllowsWholeSegmentsOfItsPath) {
  for (const char* prefix : {"http://a/hooks", "http://a/hooks/"}) {
    EXPECT_TRUE(allows(prefix, "http://a/hooks"));
    EXPECT_TRUE(allows(prefix, "http://a/hooks/"));
    EXPECT_TRUE(allows(prefix, "http://a/hooks/1?x"));
    EXPECT_TRUE(allows(prefix, "http://a/hooks?x"));
    for (const char* other : {"http://a/", "http://a", "http://a/hook", "http://a/hooksx",
                              "http://a/Hooks/1", "http://a/hooks/../admin", "http://a//hooks/1"})
      EXPECT_FALSE(allows(prefix, other)) << other;
  }
}

TEST(WebhookUrl, NothingIsAllowedWithoutAPrefixAndARefusalTellsNothing) {
  EXPECT_EQ(check_webhook({}, "http://a/").error().context,
            "this server does not call that address");
  EXPECT_EQ(check_webhook({}, "http://u:secret@a/").error().context,
            "the address has a user name in it");
}

}  // namespace
}  // namespace assay::daemon
