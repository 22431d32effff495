// A place for stores that is gone after the test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "store/store.h"

namespace assay::store {

class StoreTest : public ::testing::Test {
 protected:
  StoreTest();
  ~StoreTest() override;

  // In memory unless a test asks for a disk.
  [[nodiscard]] std::string path(const std::string& name = "store") const {
    return base_ + "/" + name;
  }
  [[nodiscard]] Options options() const { return {.directory = path()}; }

 private:
  std::string base_;
};

std::string read_back(const Opened& opened);
std::string contents(Store& store, const std::string& id);  // "<not found>" when there is none
std::string keep_bytes(Store& store, const std::string& name, std::string_view bytes);
std::string noise(std::size_t size, unsigned seed = 1);  // does not compress
std::size_t entries(const std::string& directory);
bool exists(const std::string& path);  // a link that leads nowhere counts
void set_last_use(const std::string& directory, const std::string& id, long seconds_ago);
void overwrite(const std::string& file, std::size_t at, std::string_view bytes);
std::string only_entry(const std::string& directory);  // its full path

}  // namespace assay::store
