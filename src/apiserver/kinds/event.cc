// Events, of core/v1 and of events.k8s.io/v1.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cctype>
#include <string>

#include "apiserver/kinds/builtin.h"
#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

// Both versions are read through the old one's eyes.
const json::object& Involved(const json::object& event) {
  return ObjectOf(event, event.contains("regarding") ? "regarding" : "involvedObject");
}

void CheckInvolvedNamespace(const json::object& event, std::string_view name, FieldErrors& errors) {
  const std::string_view ns = Namespace(event);
  const std::string_view involved = GetString(Involved(event), {"namespace"});
  if (involved.empty()) {
    // Objects without a namespace have their events in "default".
    if (ns != "default" && ns != "kube-system") {
      errors.Invalid(Sub(name, "namespace"), involved, "does not match event.namespace");
    }
  } else if (involved != ns) {
    errors.Invalid(Sub(name, "namespace"), involved, "does not match event.namespace");
  }
}

json::array EventCells(const json::object& core_event, Time now) {
  const std::string_view event_time = GetString(core_event, {"eventTime"});
  const auto since = [&](std::string_view field) {
    const std::string_view at = GetString(core_event, {field});
    return at.empty() && !event_time.empty() ? Since(event_time, now) : Since(at, now);
  };
  std::string first = since("firstTimestamp");
  std::string last = since("lastTimestamp");
  std::int64_t count = GetInt(core_event, {"count"});
  if (const json::object* series = FindObject(core_event, {"series"})) {
    last = Since(GetString(*series, {"lastObservedTime"}), now);
    count = GetInt(*series, {"count"});
  } else if (count == 0) {
    count = 1;
  }
  const json::object& involved = ObjectOf(core_event, "involvedObject");
  std::string target = ToLower(GetString(involved, {"kind"}));
  if (const std::string_view name = GetString(involved, {"name"}); !name.empty()) {
    target += fmt::format("/{}", name);
  }
  std::string_view component = GetString(core_event, {"source", "component"});
  if (component.empty()) component = GetString(core_event, {"reportingComponent"});
  std::string_view host = GetString(core_event, {"source", "host"});
  if (host.empty()) host = GetString(core_event, {"reportingInstance"});
  const std::string source =
      host.empty() ? std::string(component) : fmt::format("{}, {}", component, host);
  std::string message(GetString(core_event, {"message"}));
  while (!message.empty() && std::isspace(static_cast<unsigned char>(message.back()))) {
    message.pop_back();
  }
  return {json::string(last),
          json::string(GetString(core_event, {"type"})),
          json::string(GetString(core_event, {"reason"})),
          json::string(target),
          json::string(GetString(involved, {"fieldPath"})),
          json::string(source),
          json::string(message),
          json::string(first),
          count,
          json::string(Name(core_event))};
}

bool EventFieldValue(const json::object& core_event, std::string_view field, std::string& value) {
  constexpr std::string_view kInvolved = "involvedObject.";
  if (field.starts_with(kInvolved)) {
    const std::string_view part = field.substr(kInvolved.size());
    for (const std::string_view known :
         {"kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"}) {
      if (part != known) continue;
      value = GetString(core_event, {"involvedObject", part});
      return true;
    }
    return false;
  }
  if (field == "source") {
    value = GetString(core_event, {"source", "component"});
    if (value.empty()) value = GetString(core_event, {"reportingComponent"});
    return true;
  }
  for (const std::string_view known : {"reason", "type", "reportingComponent"}) {
    if (field != known) continue;
    value = GetString(core_event, {field});
    return true;
  }
  return false;
}

void CheckEvent(const json::object& event, FieldErrors& errors) {
  CheckInvolvedNamespace(event, "involvedObject", errors);
  if (GetString(event, {"eventTime"}).empty()) return;
  const std::string_view controller = GetString(event, {"reportingComponent"});
  AddInvalid("reportingComponent", controller, syntax::QualifiedName(controller), errors);
  for (const char* field : {"reportingComponent", "reportingInstance", "action", "reason"}) {
    if (GetString(event, {field}).empty()) errors.Required(field);
  }
}

void CheckNewEvent(const json::object& event, FieldErrors& errors) {
  const std::string_view controller = GetString(event, {"reportingController"});
  AddInvalid("reportingController", controller, syntax::QualifiedName(controller), errors);
  for (const char* field :
       {"eventTime", "reportingController", "reportingInstance", "action", "reason"}) {
    if (GetString(event, {field}).empty()) errors.Required(field);
  }
  const auto at_most = [&](std::string_view field, std::size_t most, const char* name) {
    if (GetString(event, {field}).size() <= most) return;
    errors.Invalid(name, "", fmt::format("can have at most {} characters", most));
  };
  at_most("reportingInstance", 128, "reportingInstance");
  at_most("action", 128, "action");
  at_most("reason", 128, "reason");
  at_most("note", 1024, "message");
  const std::string_view type = GetString(event, {"type"});
  if (type != "Normal" && type != "Warning") {
    errors.Invalid("type", "", fmt::format("has invalid value: {}", type));
  }
  const json::object old_form = ToCoreEvent(event);
  for (const char* field : {"firstTimestamp", "lastTimestamp"}) {
    if (!GetString(old_form, {field}).empty()) errors.Invalid(field, "", "needs to be unset");
  }
  if (GetInt(old_form, {"count"}) != 0) errors.Invalid("count", "", "needs to be unset");
  if (!ObjectOf(old_form, "source").empty()) errors.Invalid("source", "", "needs to be unset");
  CheckInvolvedNamespace(event, "involvedObject", errors);
}

json::array NewEventCells(const json::object& event, Time now) {
  return EventCells(ToCoreEvent(event), now);
}

bool NewEventFieldValue(const json::object& event, std::string_view field, std::string& value) {
  return EventFieldValue(ToCoreEvent(event), field, value);
}

// Names of the same field in the two versions.
struct Renamed {
  std::string_view core;
  std::string_view events;
};
constexpr Renamed kRenamed[] = {{"involvedObject", "regarding"},
                                {"message", "note"},
                                {"source", "deprecatedSource"},
                                {"firstTimestamp", "deprecatedFirstTimestamp"},
                                {"lastTimestamp", "deprecatedLastTimestamp"},
                                {"count", "deprecatedCount"},
                                {"reportingComponent", "reportingController"}};

json::object Convert(const json::object& event, std::string_view api_version, bool to_core) {
  json::object result;
  for (const auto& [key, value] : event) {
    std::string_view name = key;
    for (const Renamed& renamed : kRenamed) {
      if (name == (to_core ? renamed.events : renamed.core)) {
        name = to_core ? renamed.core : renamed.events;
        break;
      }
    }
    result[name] = value;
  }
  result["apiVersion"] = api_version;
  return result;
}

}  // namespace

json::object ToCoreEvent(const json::object& event) { return Convert(event, "v1", true); }

json::object FromCoreEvent(const json::object& event) {
  json::object result = Convert(event, "events.k8s.io/v1", false);
  // Nothing but the old version has to say these where they are empty.
  for (const std::string_view field : {"reportingController", "reportingInstance"}) {
    if (GetString(result, {field}).empty()) result.erase(field);
  }
  return result;
}

std::span<const KindHooks> EventKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "core.Event",
       .check = CheckEvent,
       .cells = EventCells,
       .field_value = EventFieldValue},
      {.type = "events.Event",
       .check = CheckNewEvent,
       .cells = NewEventCells,
       .field_value = NewEventFieldValue},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
