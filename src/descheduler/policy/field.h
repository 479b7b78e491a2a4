#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace basalt::descheduler {

// The first thing that is wrong with a file; the rest is read as if it were absent. Lives while one
// file is read; one thread, as its Fields.
class Complaint {
 public:
  void Say(std::string_view path, std::string_view what) {
    if (text_.empty()) text_ = std::string(path) + ": " + std::string(what);
  }
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A value of the file with its whole path. Types are those of JSON, as Kubernetes reads YAML: a
// number in quotes is a string, null is as good as absent. What is of another type than asked for
// is complained of. A plain value; its Complaint must outlive it.
class Field {
 public:
  Field(YAML::Node node, std::string path, Complaint& complaint)
      : node_(std::move(node)), path_(std::move(path)), complaint_(complaint) {}

  const std::string& path() const { return path_; }
  std::string PathOf(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  // null is absent.
  bool present() const { return node_.IsDefined() && !node_.IsNull(); }
  void Refuse(std::string_view what) const { complaint_.Say(path_, what); }

  // Refuses what is no map, what is named twice, and what is not among `known`.
  void CheckMap(std::initializer_list<std::string_view> known) const;
  // Refuses what is no map of names, and what is named twice.
  void CheckKeys() const;
  std::vector<std::string> Keys() const;
  Field operator[](std::string_view key) const;
  // The items of a list; none where it is absent.
  std::vector<Field> Items() const;

  // Each leaves `*target` alone where the field is absent.
  void Read(bool* target) const;
  void Read(std::string* target) const;
  void Read(std::vector<std::string>* target) const;
  // A whole number from `least` to `most`.
  void Read(std::int64_t* target, std::int64_t least, std::int64_t most) const;
  void Read(std::optional<std::int64_t>* target, std::int64_t least, std::int64_t most) const;
  // Go's duration. `seconds`: a bare number is so many of them.
  enum class BareNumber : bool { kRefused, kSeconds };
  void Read(Duration* target, BareNumber bare = BareNumber::kRefused) const;
  // A number that is none of the odd ones: nothing, where it is another type.
  std::optional<double> Number() const;

 private:
  enum class Kind : unsigned char { kNull, kBool, kNumber, kString, kList, kMap };
  Kind kind() const;
  std::string_view KindName() const;
  std::optional<std::int64_t> Whole(std::int64_t least, std::int64_t most) const;

  YAML::Node node_;
  std::string path_;
  Complaint& complaint_;
};

}  // namespace basalt::descheduler
