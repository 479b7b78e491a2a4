#include "webhook/review_answer.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/base64.h"

namespace basalt::webhook {
namespace json = boost::json;

namespace {

// API servers cut warnings that are longer.
constexpr std::size_t kLongestWarning = 256;
// Nobody reads more, and what a client sent may stand in it.
constexpr std::size_t kLongestMessage = 16 * 1024;

std::string_view ReasonOf(int code) {
  switch (code) {
    case 400: return "BadRequest";
    case 403: return "Forbidden";
    default: return "Invalid";
  }
}

// At most `size` bytes, and no part of a character.
std::string_view CutTo(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

}  // namespace

std::string WriteAnswer(std::string_view uid, const Review& review) {
  json::object response{{"uid", uid}, {"allowed", review.allowed()}};
  if (!review.allowed()) {
    const std::string message = fmt::format("{}", fmt::join(review.problems, "; "));
    response["status"] = json::object{{"status", "Failure"},
                                      {"code", review.code},
                                      {"reason", ReasonOf(review.code)},
                                      {"message", CutTo(message, kLongestMessage)}};
  } else if (!review.patch.empty()) {
    response["patchType"] = "JSONPatch";
    response["patch"] = Base64Encode(json::serialize(review.patch));
  }
  if (!review.warnings.empty()) {
    json::array warnings;
    for (const std::string& warning : review.warnings) {
      warnings.emplace_back(CutTo(warning, kLongestWarning));
    }
    response["warnings"] = std::move(warnings);
  }
  return json::serialize(json::object{{"apiVersion", "admission.k8s.io/v1"},
                                      {"kind", "AdmissionReview"},
                                      {"response", std::move(response)}});
}

}  // namespace basalt::webhook
