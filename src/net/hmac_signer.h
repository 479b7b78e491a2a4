#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/signer.h"

namespace basalt::net {

// HMAC-SHA256. Owned by what signs with it; one thread.
class HmacSigner final : public Signer {
 public:
  explicit HmacSigner(std::string_view key);
  ~HmacSigner() override;

  void SetKey(std::string_view key);
  std::string Sign(std::string_view text) const override;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace basalt::net
