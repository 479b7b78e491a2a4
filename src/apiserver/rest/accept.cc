#include "apiserver/rest/accept.h"

namespace basalt::apiserver {

std::string_view TrimSpace(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

ApiResult<OutputFormat> NegotiateOutput(std::string_view accept) {
  OutputFormat format;
  if (TrimSpace(accept).empty()) return format;
  const bool found = AnyMediaRange(accept, [&format](const MediaRange& range) {
    if (!range.IsJson()) return false;
    if (range.as.empty()) {
      format.shape = OutputFormat::Shape::kObject;
      return true;
    }
    if (range.group != "meta.k8s.io" || (range.version != "v1" && range.version != "v1beta1")) {
      return false;
    }
    if (range.as == "Table") {
      format.shape = OutputFormat::Shape::kTable;
      return true;
    }
    if (range.as == "PartialObjectMetadata" || range.as == "PartialObjectMetadataList") {
      format.shape = OutputFormat::Shape::kPartialMetadata;
      format.of_list = range.as == "PartialObjectMetadataList";
      return true;
    }
    return false;
  });
  if (found) return format;
  const bool json = AnyMediaRange(accept, [](const MediaRange& range) { return range.IsJson(); });
  if (json) return Refuse(refusal::NotAcceptable("application/json"));
  return Refuse({.code = 406,
                 .reason = "NotAcceptable",
                 .message = "406: Not Acceptable\n\nAvailable representations: application/json",
                 .details = StatusDetails{}});
}

}  // namespace basalt::apiserver
