#pragma once

#include "kube/types/json_reader.h"
#include "kube/types/pod.h"

// Readers of pods and what is in them, for the codecs of other kinds that hold pod templates.
namespace basalt::kube::json {

bool Read(Reader& reader, Value& value, TaintEffect& out);
bool Read(Reader& reader, Value& value, PreemptionPolicy& out);
bool Read(Reader& reader, Value& value, PodTemplate& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, PodSpec& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, Taint& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, Toleration& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, TopologySpreadConstraint& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, Affinity& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, Container& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, ContainerStatus& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, ResourceRequirements& out);

}  // namespace basalt::kube::json
