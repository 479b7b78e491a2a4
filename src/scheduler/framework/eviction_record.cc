#include "scheduler/framework/eviction_record.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>

#include "kube/types/time.h"

namespace basalt::scheduler {
namespace {

namespace json = boost::json;

std::optional<EvictionRecord> ReadOne(const json::value& value) {
  const json::object* object = value.if_object();
  if (!object) return std::nullopt;
  bool complete = true;
  const auto text = [&](std::string_view key) {
    const json::value* field = object->if_contains(key);
    const json::string* found = field ? field->if_string() : nullptr;
    complete = complete && found && !found->empty();
    return found ? std::string(*found) : std::string();
  };
  EvictionRecord record{.victim_uid = text("uid"),
                        .victim = text("pod"),
                        .victim_origin = text("origin"),
                        .beneficiary_uid = text("forUid"),
                        .beneficiary = text("for")};
  const Result<Time> at = kube::ParseTime(text("at"));
  if (!complete || !at) return std::nullopt;
  record.at = *at;
  return record;
}

}  // namespace

std::string WriteEvictions(const std::vector<EvictionRecord>& records) {
  json::array list;
  for (const EvictionRecord& record : records) {
    list.push_back(json::object{{"pod", record.victim},
                                {"uid", record.victim_uid},
                                {"origin", record.victim_origin},
                                {"for", record.beneficiary},
                                {"forUid", record.beneficiary_uid},
                                {"at", kube::FormatTime(record.at)}});
  }
  return json::serialize(list);
}

std::vector<EvictionRecord> ReadEvictions(std::string_view text) {
  std::vector<EvictionRecord> records;
  if (text.size() > kLongestEvictions) return records;
  boost::system::error_code error;
  const json::value parsed = json::parse(text, error);
  const json::array* list = error ? nullptr : parsed.if_array();
  if (!list) return records;
  for (const json::value& value : *list) {
    if (records.size() == kMostCarriedEvictions) break;
    if (auto record = ReadOne(value)) records.push_back(*std::move(record));
  }
  return records;
}

}  // namespace basalt::scheduler
