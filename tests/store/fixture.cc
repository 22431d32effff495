#include "tests/store/fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <random>

#include "os/file.h"

namespace assay::store {

StoreTest::StoreTest() {
  for (const char* place : {"/dev/shm", "/tmp"}) {
    std::string form = std::string(place) + "/assay-store-test-XXXXXX";
    if (::mkdtemp(form.data()) == nullptr) continue;
    base_ = form;
    return;
  }
  ADD_FAILURE() << "no place for temporary files";
}

StoreTest::~StoreTest() {
  std::error_code ignored;
  if (!base_.empty()) std::filesystem::remove_all(base_, ignored);
}

std::string read_back(const Opened& opened) {
  std::string bytes;
  std::array<char, 65536> room;
  for (;;) {
    const ssize_t got = ::read(opened.file.get(), room.data(), room.size());
    if (got <= 0) return bytes;
    bytes.append(room.data(), static_cast<std::size_t>(got));
  }
}

std::string contents(Store& store, const std::string& id) {
  const auto opened = store.get(id);
  if (opened) return read_back(*opened);
  return opened.error().fault == Fault::NotFound ? "<not found>" : describe(opened.error());
}

std::string keep_bytes(Store& store, const std::string& name, std::string_view bytes) {
  auto file = store.scratch();
  if (!file || !os::write_all(file->get(), bytes)) return "<no scratch>";
  const auto id = store.keep(name, std::move(*file));
  return id ? *id : describe(id.error());
}

std::string noise(std::size_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes)
    byte = static_cast<char>(random());
  return bytes;
}

std::size_t entries(const std::string& directory) {
  std::size_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error))
    ++count;
  return count;
}

bool exists(const std::string& path) {
  struct stat state{};
  return ::lstat(path.c_str(), &state) == 0;
}

void set_last_use(const std::string& directory, const std::string& id, long seconds_ago) {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec -= seconds_ago;
  const std::array times{time, time};
  const std::string record = directory + "/ids/" + id;
  ASSERT_EQ(::utimensat(AT_FDCWD, record.c_str(), times.data(), AT_SYMLINK_NOFOLLOW), 0);
}

void overwrite(const std::string& file, std::size_t at, std::string_view bytes) {
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  const auto fd = os::open(file, O_WRONLY);
  ASSERT_TRUE(fd);
  ASSERT_EQ(::pwrite(fd->get(), bytes.data(), bytes.size(), static_cast<off_t>(at)),
            static_cast<ssize_t>(bytes.size()));
}

std::string only_entry(const std::string& directory) {
  const std::filesystem::directory_iterator first(directory);
  EXPECT_EQ(entries(directory), 1U);
  return first == std::filesystem::directory_iterator() ? "" : first->path().string();
}

}  // namespace assay::store
