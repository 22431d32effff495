#include "transport/failure.h"

#include "wire/judging.h"

namespace assay::transport {
namespace {

unsigned status_of(Fault fault) {
  switch (fault) {
    case Fault::InvalidRequest:
      return 400;
    case Fault::NotFound:
      return 404;
    case Fault::Conflict:
      return 409;
    case Fault::Busy:
      return 503;
    case Fault::System:
      break;
  }
  return 500;
}

}  // namespace

Answer failure_answer(const Error& error) {
  Answer answer = json_answer(status_of(error.fault), wire::encode_failure(error));
  if (error.fault == Fault::Busy) answer.fields.emplace_back("Retry-After", "1");
  return answer;
}

}  // namespace assay::transport
