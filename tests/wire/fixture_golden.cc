#include <gtest/gtest.h>

#include <boost/json/src.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/wire/golden.h"

namespace assay::wire {
namespace {

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << "no golden file " << path << "; ASSAY_GOLDEN_UPDATE=1 makes it";
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string full_path(const std::string& path) {
  return std::string(ASSAY_SOURCE_DIR) + "/" + path;
}

}  // namespace

std::string golden(const std::string& name) {
  return read_whole(full_path("tests/golden/wire/" + name));
}

void expect_golden(const std::string& path, std::string_view actual) {
  const char* update = std::getenv("ASSAY_GOLDEN_UPDATE");  // NOLINT(concurrency-mt-unsafe)
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(full_path(path), std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(read_whole(full_path(path)), actual) << path;
}

bool is_json(std::string_view text) {
  boost::json::error_code error;
  boost::json::parse(text, error);
  return !error;
}

std::string text_in_json(std::string_view json) {
  return std::string(boost::json::parse(json).as_string());
}

}  // namespace assay::wire
