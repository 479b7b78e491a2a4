#pragma once

#include <string_view>
#include <vector>

#include "apiserver/rest/call.h"

// What is asked and not stored: who somebody is, what he may do, a service account's token.
namespace basalt::apiserver {

// The kinds of reviews: answered, and nothing stored.
const std::vector<KindInfo>& Reviews();

// POST of a review; false: the path is something else.
bool ServeReview(Call& call, std::string_view path);

}  // namespace basalt::apiserver
