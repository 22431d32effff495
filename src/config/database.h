// Languages, profiles and policies as rows of an embedded database (SQLite). A row of a counter
// says that something changed; triggers keep it true whoever writes.
#pragma once

#include <memory>

#include "config/source.h"

namespace assay::config {

class Database : public Source {
 public:
  enum class Access { Read, Write };
  // Write makes what is missing; Read refuses a file that is no such database.
  static Result<std::unique_ptr<Database>> open(const std::string& path, Access access);
  ~Database() override;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  Database(Database&&) = delete;
  Database& operator=(Database&&) = delete;

  Result<std::string> version() override;
  Result<std::vector<EntryId>> list() override;
  Result<std::string> text(const EntryId& id) override;
  [[nodiscard]] std::string place(const EntryId& id) const override;

  // The text is not read here: whoever uses it says what is wrong with it.
  Status put(Kind kind, const std::string& name, std::string_view text);
  Status remove(Kind kind, const std::string& name);
  // Everything of another source, all or nothing; what is here and not there stays.
  Status take_over(Source& other);

 private:
  struct Parts;
  explicit Database(std::unique_ptr<Parts> parts);
  Status run(const char* sql);
  Status take_over_all(Source& other);
  std::unique_ptr<Parts> parts_;
};

}  // namespace assay::config
