#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/signer.h"

namespace basalt::testutil {

// Tags that depend on every byte of the text and on the key; no secret worth the name, and the same
// in every run.
class TestSigner final : public Signer {
 public:
  explicit TestSigner(std::uint64_t key = 1) : key_(key) {}

  std::string Sign(std::string_view text) const override {
    std::uint64_t sum = key_;
    for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    std::string tag;
    for (int i = 0; i < 32; ++i) {
      sum = sum * 6364136223846793005u + 1442695040888963407u;
      tag += static_cast<char>(sum >> 56);
    }
    return tag;
  }

 private:
  std::uint64_t key_;
};

// The one of a test's processes, which have the same key as those of a cluster do.
inline std::shared_ptr<const Signer> SharedTestSigner() {
  return std::make_shared<const TestSigner>();
}

}  // namespace basalt::testutil
