#include "kube/client/token_source.h"

#include <utility>

#include "kube/client/files.h"

namespace basalt::kube {

TokenSource::TokenSource(const Clock& clock, std::string token, std::string token_file)
    : clock_(clock), token_(std::move(token)), file_(std::move(token_file)) {}

Result<std::string_view> TokenSource::Get() {
  if (file_.empty()) return token_;
  const Duration now = clock_.Monotonic();
  if (!read_ || now - read_at_ >= 10s) {
    read_ = true;
    read_at_ = now;
    const auto text = ReadFile(file_);
    const std::string_view token = text ? TrimSpace(*text) : std::string_view();
    if (!token.empty()) {
      token_ = token;
    } else if (token_.empty()) {
      read_ = false;
      return std::unexpected(
          text ? Error{.code = ErrorCode::kUnauthorized, .message = file_ + ": is empty"}
               : text.error().Wrap("token"));
    }
  }
  return token_;
}

}  // namespace basalt::kube
