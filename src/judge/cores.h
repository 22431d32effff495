// Who lends the cores that judging runs programs on. Nobody, in a program that judges one
// submission; the service, where judgings and requests share a machine.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/units.h"

namespace assay::judge {

class Cores {
 public:
  class Lease {  // given back when it goes
   public:
    virtual ~Lease() = default;
    std::vector<unsigned> cores{};  // empty: any
  };

  virtual ~Cores() = default;
  // Waits for one. `memory` is what the program may use. Null: `given_up` turned true.
  virtual std::unique_ptr<Lease> borrow(Bytes memory, const std::function<bool()>& given_up) = 0;
  virtual void look_again() = 0;  // some `given_up` may have turned
};

}  // namespace assay::judge
