// Who lends the cores that judging runs programs on. Nobody, in a program that judges one
// submission; the service, where judgings and requests share a machine.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/units.h"

namespace assay::judge {

// What is to be borrowed, all of it at once: whoever held one core and waited for the next could
// wait for ever.
struct CoreWish {
  Bytes memory{};       // that the programs may use together
  unsigned places = 1;  // one per program, or as many as there are at all
};

class Cores {
 public:
  class Lease {  // given back when it goes
   public:
    virtual ~Lease() = default;
    std::vector<std::vector<unsigned>> places{};  // the cores of each; empty: any
  };

  virtual ~Cores() = default;
  // Waits. Null: `given_up` turned true.
  virtual std::unique_ptr<Lease> borrow(const CoreWish& wish,
                                        const std::function<bool()>& given_up) = 0;
  virtual void look_again() = 0;  // some `given_up` may have turned
};

}  // namespace assay::judge
