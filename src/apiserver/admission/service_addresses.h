#pragma once

#include <cstdint>
#include <string>

#include "apiserver/object/object_reader.h"

namespace basalt::apiserver {

// Addresses for services that ask for none, from 10.96.0.0/12. Nothing is routed here: clients only
// want to see that a service has one, and that no other has the same. Counts on from the highest
// that is taken, in the upper half, which leaves the lower one to those that choose.
class ServiceAddresses {
 public:
  std::string Next(const ObjectReader& objects);

 private:
  std::uint32_t last_ = 0;  // 0: nobody has looked what is taken
};

}  // namespace basalt::apiserver
