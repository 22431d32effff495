#include "service/contents.h"
#include "service/service.h"

namespace assay::service {

Status Supply::count_source(Bytes size) {
  if (size > kLargestSource) return invalid("larger than " + format_bytes(kLargestSource));
  const Bytes together{sources_.count + size.count};
  if (together > kMostSourceBytes)
    return invalid("the sources of a request have at most " + format_bytes(kMostSourceBytes) +
                   " together");
  if (cover_ && !cover_(together.count))
    return std::unexpected(Error{Fault::Busy, 0, kTooManyBytes});
  sources_ = together;
  return {};
}

Result<std::string> Supply::source(const judge::Content& content) {
  TRY_STATUS(count_source(TRY(judge::size_of(content))));
  return judge::whole(content, kLargestSource);
}

}  // namespace assay::service
