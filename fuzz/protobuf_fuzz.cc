// deps: basalt_apiserver
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/protobuf/decode_body.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  (void)basalt::apiserver::DecodeProtobufBody(body);
  return 0;
}
