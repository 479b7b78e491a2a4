#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

// Small checks that many kinds share. All of them pass what is absent unless they say otherwise.
namespace basalt::apiserver {

// An empty list where there is none.
const json::array& ListOf(const json::object& object, std::string_view field);
// An empty object where there is none.
const json::object& ObjectOf(const json::object& object, std::string_view field);

// The names of a list's elements: lists are as long as their client likes, so looking one up must
// not walk them.
using NameSet = std::set<std::string_view>;
NameSet NamesIn(const json::array& list);

void RequireNonNegative(const json::object& object, std::string_view field, const std::string& path,
                        FieldErrors& errors);
// `supported` is quoted in the order given.
void RequireOneOf(const json::object& object, std::string_view field, const std::string& path,
                  const std::vector<std::string>& supported, FieldErrors& errors);
// The same, and it must not be absent.
void RequireEnum(const json::object& object, std::string_view field, const std::string& path,
                 const std::vector<std::string>& allowed, FieldErrors& errors);
// A number that is not negative, or a percentage.
void ValidateIntOrPercent(const json::value& value, const std::string& path, FieldErrors& errors);
void ValidateAtMostHundredPercent(const json::value& value, const std::string& path,
                                  FieldErrors& errors);
// The number in front of the percent sign; -1 where there is none.
int PercentOf(const json::value& value);

// Whether a metav1.LabelSelector, null included, selects the labels. One that is not well-formed
// selects nothing.
bool SelectorMatches(const json::object* selector, const json::object* labels);

}  // namespace basalt::apiserver
