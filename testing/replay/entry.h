#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/client/api_client.h"

namespace basalt::scheduler {

// One line of a recording: "KIND NUMBER TEXT". What the text is depends on the kind; it has no line
// ends.
struct Entry {
  std::string kind;
  std::uint64_t number = 0;
  std::string text;
  bool operator==(const Entry&) const = default;
};

inline constexpr std::string_view kRecordingHeader = "basalt-recording 1";

std::string ToLine(const Entry& entry);
Result<Entry> ParseEntry(std::string_view line);

// Texts, so that any of them fits a line.
std::string QuoteText(std::string_view text);
Result<std::string> UnquoteText(std::string_view quoted);
std::string ErrorText(const Error& error);
Result<Error> ParseErrorText(std::string_view text);
std::string RequestText(const kube::ApiRequest& request);

}  // namespace basalt::scheduler
