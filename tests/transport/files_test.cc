#include "transport/files.h"

#include "tests/transport/fixture.h"
#include "transport/multipart.h"

namespace assay::transport {
namespace {

class FileRoutes : public Served {};

TEST_F(FileRoutes, KeepAFormsFileUnderAnIdAndListItByName) {
  start();
  Client client = connect();
  EXPECT_EQ(client.ask("GET", "/file").body.substr(0, 2), "{}");
  const std::string id = add_file("a b.txt", "hello");
  EXPECT_GE(id.size(), 8U);
  const Response list = client.ask("GET", "/file");
  EXPECT_EQ(list.status, 200);
  EXPECT_EQ(list.field("Content-Type"), "application/json; charset=utf-8");
  EXPECT_NE(list.body.find("{\"" + id + "\":\"a b.txt\"}"), std::string::npos) << list.body;
}

TEST_F(FileRoutes, GiveAFileWithItsNameAndType) {
  start();
  const std::string id = add_file("notes.txt", std::string("bin\0ary", 7));
  Client client = connect();
  const Response response = client.ask("GET", "/file/" + id);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, std::string("bin\0ary", 7));
  EXPECT_EQ(response.field("Content-Type"), "text/plain; charset=utf-8");
  EXPECT_EQ(response.field("Content-Disposition"), "attachment; filename=\"notes.txt\"");
  EXPECT_EQ(response.field("Accept-Ranges"), "bytes");
  EXPECT_NE(response.field("Last-Modified"), "(none)");
  EXPECT_EQ(client.ask("HEAD", "/file/" + id).field("Content-Length"), "7");
  EXPECT_EQ(client.ask("GET", "/file/" + id).body.size(), 7U);
}

TEST_F(FileRoutes, AnswerUnknownIdsWithAnEmpty404) {
  start();
  Client client = connect();
  for (const char* method : {"GET", "DELETE"}) {
    for (const char* id : {"AAAAAAAA", "..", "%2e%2e%2fpasswd", "x%00y"}) {
      const Response response = client.ask(method, std::string("/file/") + id);
      EXPECT_EQ(response.status, 404) << method << id;
      // With a slash in it, it is another route's path.
      EXPECT_EQ(response.body, std::string_view(id).contains("%2f") ? "404 page not found" : "");
    }
  }
}

TEST_F(FileRoutes, DeleteAFileOnce) {
  start();
  const std::string id = add_file("x", "y");
  Client client = connect();
  const Response response = client.ask("DELETE", "/file/" + id);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(client.ask("DELETE", "/file/" + id).status, 404);
  EXPECT_EQ(client.ask("GET", "/file/" + id).status, 404);
}

TEST_F(FileRoutes, GiveTheAskedRange) {
  start();
  const std::string id = add_file("x", "0123456789");
  Client client = connect();
  const auto range = [&](const std::string& text) {
    return client.ask("GET", "/file/" + id, "", "Range: " + text + "\r\n");
  };
  const Response middle = range("bytes=2-4");
  EXPECT_EQ(middle.status, 206);
  EXPECT_EQ(middle.body, "234");
  EXPECT_EQ(middle.field("Content-Range"), "bytes 2-4/10");
  EXPECT_EQ(range("bytes=7-").body, "789");
  EXPECT_EQ(range("bytes=-3").body, "789");
  EXPECT_EQ(range("bytes=-99").body, "0123456789");
  EXPECT_EQ(range("bytes=8-99").body, "89");
  for (const char* wrong : {"bytes=10-", "bytes=5-2", "bytes=x-", "bytes=-", "lines=1-2",
                            "bytes=99999999999999999999-"}) {
    const Response refused = range(wrong);
    EXPECT_EQ(refused.status, 416) << wrong;
    EXPECT_EQ(refused.field("Content-Range"), "bytes */10");
  }
  EXPECT_EQ(range("bytes=0-1,3-4").body, "0123456789");  // everything, which is allowed
}

TEST_F(FileRoutes, SendNothingToThoseWhoHaveItAlready) {
  start();
  const std::string id = add_file("x", "0123456789");
  Client client = connect();
  const std::string modified = client.ask("GET", "/file/" + id).field("Last-Modified");
  const Response same =
      client.ask("GET", "/file/" + id, "", "If-Modified-Since: " + modified + "\r\n");
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  const std::string old = "Thu, 01 Jan 1970 00:00:01 GMT";
  EXPECT_EQ(client.ask("GET", "/file/" + id, "", "If-Modified-Since: " + old + "\r\n").status, 200);
  EXPECT_EQ(client.ask("GET", "/file/" + id, "", "If-Unmodified-Since: " + old + "\r\n").status,
            412);
  EXPECT_EQ(
      client.ask("GET", "/file/" + id, "", "If-Range: " + old + "\r\nRange: bytes=0-1\r\n").status,
      200);
  EXPECT_EQ(
      client.ask("GET", "/file/" + id, "", "If-Range: " + modified + "\r\nRange: bytes=0-1\r\n")
          .status,
      206);
}

TEST_F(FileRoutes, RefuseFormsWithoutTheirPartWith400AndNoBody) {
  start();
  Client client = connect();
  const std::string plain =
      "--XX\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nnot a file\r\n--XX--\r\n";
  const std::string cut = form_of("file", "x", "content").substr(0, 90);
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {form_of("other", "x", "y"), kFormField},
      {plain, kFormField},
      {cut, kFormField},
      {"hello", kFormField},
      {form_of("file", "x", "y"), "Content-Type: text/plain\r\n"},
      {form_of("file", "x", "y"), ""},
      {form_of("file", "x", "y"), "Content-Type: multipart/form-data\r\n"},
      {"", kFormField}};
  for (const auto& [body, fields] : wrong) {
    const Response response = client.ask("POST", "/file", body, fields);
    EXPECT_EQ(response.status, 400) << body;
    EXPECT_EQ(response.body, "");
  }
  EXPECT_EQ(client.ask("GET", "/file").body.substr(0, 2), "{}");
}

TEST_F(FileRoutes, KeepALargeFileThatLooksLikeItsBoundary) {
  start({.limits = {.buffered = 1_MiB}});
  std::string content;
  for (int i = 0; i < 200'000; ++i)
    content += "\r\n--X" + std::to_string(i);
  const std::string id = add_file("large.bin", content);
  EXPECT_EQ(connect().ask("GET", "/file/" + id).body, content);
}

TEST(Disposition, QuotesPlainNamesAndEncodesOthers) {
  EXPECT_EQ(disposition_of_file("a.txt"), "attachment; filename=\"a.txt\"");
  EXPECT_EQ(disposition_of_file("a\"b\\c"), "attachment; filename=\"a\\\"b\\\\c\"");
  EXPECT_EQ(disposition_of_file("Ä b"), "attachment; filename*=UTF-8''%C3%84%20b");
  EXPECT_EQ(disposition_of_file("x\r\nSet-Cookie: y"),
            "attachment; filename*=UTF-8''x%0D%0ASet-Cookie%3A%20y");
}

TEST(FileTypes, GoByExtensionInAnyCase) {
  EXPECT_EQ(type_of_file("x.PNG"), "image/png");
  EXPECT_EQ(type_of_file("a.tar.gz"), "application/gzip");
  EXPECT_EQ(type_of_file("noext"), "");
  EXPECT_EQ(type_of_file("x.unknown"), "");
}

TEST(Forms, AreTheSameHoweverTheyAreCut) {
  const std::string form =
      "preamble\r\n--B\r\nContent-Disposition: form-data; name=other\r\n\r\nskip\r\n--B  \r\n"
      "content-disposition: form-data; filename=\"dir/na\\\"me;.txt\"; "
      "name=\"file\"\r\n\r\nab\r\n--Bx\r\n--B\r\n"
      "Content-Disposition: form-data; name=\"file\"; filename=\"second\"\r\n\r\nnot "
      "me\r\n--B--\r\nepilogue";
  const std::string fixed =
      form.substr(0, form.find("\r\n--Bx")) + form.substr(form.find("\r\n--Bx") + 6);
  for (std::size_t step = 1; step < 60; ++step) {
    std::string name, bytes;
    FormReader reader("B", {.begin =
                                [&](const FormReader::Part& part) {
                                  if (part.name != "file" || !name.empty())
                                    return FormReader::Wish::Skip;
                                  name = part.file_name;
                                  return FormReader::Wish::Take;
                                },
                            .write =
                                [&](std::string_view b) {
                                  bytes += b;
                                  return true;
                                }});
    bool fine = true;
    for (std::size_t at = 0; at < fixed.size(); at += step)
      fine = fine && reader.put(std::string_view(fixed).substr(at, step));
    EXPECT_TRUE(fine && reader.is_complete()) << step;
    EXPECT_EQ(name, "na\"me;.txt");
    EXPECT_EQ(bytes, "ab");
  }
}

TEST(Forms, AreBrokenByADelimiterWithSomethingBehindIt) {
  FormReader reader("B", {.begin = [](const FormReader::Part&) { return FormReader::Wish::Take; },
                          .write =
                              [](std::string_view) {
                                return true;
                              }});
  EXPECT_FALSE(reader.put("--Bx\r\n"));
}

TEST(Forms, FindTheirParameters) {
  EXPECT_EQ(boundary_of("multipart/form-data; boundary=abc"), "abc");
  EXPECT_EQ(boundary_of("Multipart/Form-Data; charset=x; boundary=\"a b\""), "a b");
  EXPECT_EQ(boundary_of("multipart/mixed; boundary=abc"), "");
  EXPECT_EQ(boundary_of("multipart/form-data"), "");
  EXPECT_EQ(parameter_of("form-data; filename*=UTF-8''%C3%84.txt; filename=\"A\"", "filename"),
            "Ä.txt");
  EXPECT_EQ(parameter_of("form-data; filename=\"C:\\x.txt\"", "filename"), "C:\\x.txt");
  EXPECT_EQ(parameter_of("form-data; xname=1; name=2", "name"), "2");
}

TEST(Dates, AreReadInTheThreeFormsOfTheStandard) {
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777);
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT"), 784111777);
  EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994"), 784111777);
  EXPECT_EQ(parse_http_date("yesterday"), std::nullopt);
  EXPECT_EQ(parse_http_date(""), std::nullopt);
}

}  // namespace
}  // namespace assay::transport
