// What the intake of Normal-OJ needs of the house: `POST /submit/<id>` and `GET /status`, with a
// token of its own. Results are sent by whoever made the doors.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "wire/noj_intake.h"

namespace assay::transport {

struct NojForm {
  wire::NojFields fields{};
  std::string archive{};
  bool has_archive = false;
};
Result<NojForm> read_noj_form(std::string_view body, std::string boundary);

struct NojDoors {
  std::string token{};
  // An InvalidRequest is its answer, word for word; a Conflict says that the id is in work, and
  // everything else that the same may be sent again.
  std::function<Status(const std::string& id, const wire::NojSubmission& what, std::string archive)>
      submit{};
  std::function<wire::NojQueue()> queue{};
};

}  // namespace assay::transport
