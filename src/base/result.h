// Result<T>: a value, or the Error that explains why there is none.
#pragma once

#include <cerrno>
#include <expected>
#include <string>
#include <utility>

namespace assay {

// Whose fault a failure is. The transports map it to a status code; nothing else looks at it.
enum class Fault { InvalidRequest, NotFound, Conflict, Busy, System };

struct Error {
  Fault fault = Fault::System;
  int code = 0;         // errno, or 0 when no system call failed
  std::string context;  // what we were doing: "open 'cpu.stat' of box 3"
};

template <typename T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

// The failure of a system call that has just returned.
inline std::unexpected<Error> system_error(std::string context) {
  return std::unexpected(Error{Fault::System, errno, std::move(context)});
}

inline std::unexpected<Error> system_error(int code, std::string context) {
  return std::unexpected(Error{Fault::System, code, std::move(context)});
}

inline std::unexpected<Error> invalid(std::string context) {
  return std::unexpected(Error{Fault::InvalidRequest, 0, std::move(context)});
}

// One sentence for a person: the context, and what the kernel said where it said something.
std::string describe(const Error& error);

}  // namespace assay

// The value of `expression`, or an early return of its Error. Do not nest. Not in braces behind a
// member that owns something: g++ 12 does not destroy what it has made of the object so far.
#define TRY(expression)                                                       \
  (__extension__({                                                            \
    auto try_result_ = (expression);                                          \
    if (!try_result_) return std::unexpected(std::move(try_result_).error()); \
    *std::move(try_result_);                                                  \
  }))

// The same for a Status, which has no value to hand over.
#define TRY_STATUS(expression)                                \
  do {                                                        \
    if (auto try_status_ = (expression); !try_status_)        \
      return std::unexpected(std::move(try_status_).error()); \
  } while (false)
