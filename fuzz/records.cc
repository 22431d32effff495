// What we wrote in an earlier life, on a disk that somebody may have changed since.
#include <fcntl.h>

#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "judge/compile_entry.h"
#include "service/order_form.h"
#include "store/digest.h"
#include "store/record.h"

namespace assay::fuzz {
namespace {

const journal::Sources& sources() {
  static const journal::Sources kSources{
      .file = [](std::size_t number) -> Result<os::OwnedFd> {
        if (number > 3) return system_error(ENOENT, "open a file of the journal");
        return os::OwnedFd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      },
      .host_file = [](const std::string& path) -> Result<judge::Content> {
        return judge::Content{.path = path};
      }};
  return kSources;
}

// What was read is written in one way only.
template <typename T>
void read_form(std::string_view bytes) {
  const auto value = journal::from_lasting<T>(bytes, sources());
  if (!value) {
    CHECK(!value.error().context.empty());
    return;
  }
  const journal::Lasting written = journal::to_lasting(*value);
  if (written.files.size() > 4) return;  // more than the source has
  const auto again = journal::from_lasting<T>(written.bytes, sources());
  CHECK(again.has_value());
  CHECK(journal::to_lasting(*again).bytes == written.bytes);
}

}  // namespace

void journal_order(std::string_view bytes) {
  read_form<service::JudgeOrder>(bytes);
}

void journal_result(std::string_view bytes) {
  read_form<service::OverForm>(bytes);
}

void store_record(std::string_view bytes) {
  const auto record = store::decode_record(bytes);
  if (!record) return;
  const auto again = store::decode_record(store::encode(*record));
  CHECK(again && again->digest == record->digest && again->size == record->size &&
        again->form == record->form && again->added == record->added &&
        again->name == record->name);
}

// The digest that guards it is put right, or nothing behind it would ever be read.
void compile_entry(std::string_view bytes) {
  (void)judge::decode_entry(bytes);
  const std::string sealed =
      "assay-compile-1 " + store::digest_of(bytes) + "\n" + std::string(bytes);
  const auto entry = judge::decode_entry(sealed);
  if (!entry) return;
  const auto again = judge::decode_entry(judge::encode(*entry));
  CHECK(again && again->files == entry->files && again->result.log == entry->result.log);
}

}  // namespace assay::fuzz
