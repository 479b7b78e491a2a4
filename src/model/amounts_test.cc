#include "model/amounts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace basalt::model {
namespace {

constexpr auto kZero = Undefined::kZero;
constexpr auto kInfinity = Undefined::kInfinity;

TEST(ResourceTest, ADimensionThatIsNotDefinedIsZeroOrInfinite) {
  Amounts with, without;
  with.Set(5, 10);
  // Zero: 10 of it do not fit into none of it. Infinity: they do.
  EXPECT_FALSE(with.LessEqual(without, kZero));
  EXPECT_TRUE(with.LessEqual(without, kInfinity));
  // The other way round an infinite amount is not less.
  EXPECT_TRUE(without.LessEqual(with, kZero));
  EXPECT_FALSE(without.LessEqual(with, kInfinity));
}

TEST(ResourceTest, EqualAllowsATenth) {
  EXPECT_TRUE(Amounts(1000.09, 0).LessEqual(Amounts(1000, 0), kZero));
  EXPECT_FALSE(Amounts(1000.1, 0).LessEqual(Amounts(1000, 0), kZero));
}

TEST(ResourceTest, PodsAloneAreNothing) {
  Amounts resource;
  resource.Set(kPods, 1);
  EXPECT_TRUE(resource.IsEmpty());
  resource.Set(5, 1);
  EXPECT_FALSE(resource.IsEmpty());
}

// ---- Volcano's own tables, where they are there

std::filesystem::path Corpus() {
  namespace fs = std::filesystem;
  if (const char* env = std::getenv("BASALT_CONFORMANCE")) return env;
  for (fs::path at = fs::current_path(); at != at.root_path(); at = at.parent_path()) {
    if (fs::exists(at / "shared/conformance/INDEX.tsv")) return at / "shared/conformance";
  }
  return {};
}

class ResourceRows : public testing::Test {
 protected:
  Amounts Read(const boost::json::value* value) {
    Amounts resource;
    if (!value || !value->is_object()) return resource;
    for (const auto& entry : value->as_object()) {
      if (entry.key() == "MilliCPU") resource.Set(kCpu, entry.value().to_number<double>());
      if (entry.key() == "Memory") resource.Set(kMemory, entry.value().to_number<double>());
      if (entry.key() != "ScalarResources" || !entry.value().is_object()) continue;
      for (const auto& scalar : entry.value().as_object()) {
        resource.Set(*dimensions_.Offer(scalar.key()), scalar.value().to_number<double>());
      }
    }
    return resource;
  }
  std::vector<std::string> Strings(const boost::json::value* value) {
    std::vector<std::string> strings;
    if (value && value->is_array()) {
      for (const auto& item : value->as_array()) strings.emplace_back(item.as_string());
    }
    std::ranges::sort(strings);
    return strings;
  }
  // A failure's text; "": the row holds.
  std::string Check(const std::string& call, const boost::json::object& row);

  Dimensions dimensions_;
};

bool Close(const Amounts& a, const Amounts& b) {
  for (int d = 0; d < std::max(a.bound(), b.bound()); ++d) {
    if (std::abs(a[d] - b[d]) > 1e-9) return false;
  }
  return true;
}

std::string ResourceRows::Check(const std::string& call, const boost::json::object& row) {
  const auto has = [&](std::string_view part) { return call.find(part) != call.npos; };
  const auto field = [&](std::initializer_list<const char*> names) -> const boost::json::value* {
    for (const char* name : names) {
      if (const auto* value = row.if_contains(name)) return value;
    }
    return nullptr;
  };
  Amounts left = Read(field({"resource1", "r", "r1", "resource"}));
  const Amounts right = Read(field({"resource2", "rr", "r2"}));
  const Undefined undefined = has("Infinity)") ? kInfinity : kZero;
  const auto* request_field = field({"req"});
  const bool no_request = request_field && request_field->is_null();
  const Amounts request = Read(request_field);

  const auto names = [&](DimensionSet got, bool want_flag, bool got_flag) -> std::string {
    if (want_flag != got_flag) return "flag";
    return dimensions_.Names(got) == Strings(field({"wantNames", "expectedResourceNames"}))
               ? ""
               : "names";
  };
  const auto flag = [&](std::initializer_list<const char*> keys) {
    const auto* value = field(keys);
    return value && value->is_bool() && value->as_bool();
  };
  if (has("WithDimensionAndResourcesName")) {
    const DimensionSet over = !request_field || no_request ? left.Exceeding(right, kZero)
                                                           : left.ExceedingAlong(right, request);
    return names(over, flag({"expectedFlag"}), over == 0);
  }
  if (has("GreaterPartlyWith") || has("PartlyWithDimension")) {
    DimensionSet got = 0;
    if (!no_request) {
      got = has("RelevantDimensions")                ? left.GreaterAlongRelevant(right, request)
            : has("GreaterPartlyWithDimension")      ? left.GreaterAlong(right, request)
            : has("PartlyWithDimensionZeroFiltered") ? left.FittingAlongNonZero(right, request)
                                                     : left.FittingAlong(right, request);
    }
    return names(got, flag({"wantBool"}), got != 0);
  }
  if (has("Intersection")) {
    DimensionSet got = left.NonZero() & right.NonZero();
    if (has("IgnoredScalar")) got &= ~Bit(kPods);
    return dimensions_.Names(got) == Strings(field({"want"})) ? "" : "names";
  }
  if (has("Diff(")) {
    const auto [more, less] = left.Diff(right, undefined);
    return Close(more, Read(field({"expectedIncreased"}))) &&
                   Close(less, Read(field({"expectedDecreased"})))
               ? ""
               : "difference";
  }
  if (has("IsZero(")) {
    const auto d = dimensions_.Offer(row.at("resourceName").as_string());
    return left.IsZero(*d) == flag({"expected"}) ? "" : "flag";
  }
  if (has(".Add(")) left.Add(right);
  if (has(".Sub(")) left.Sub(right);
  if (has("SetMaxResource")) left.RaiseTo(right);
  if (has("MinDimensionResource")) left.LowerTo(right, undefined);
  if (const auto* expected = field({"expected"}); expected && !expected->is_bool()) {
    return Close(left, Read(expected)) ? "" : "amounts";
  }
  const bool got = has("LessEqualPartly(") ? left.LessEqualPartly(right, undefined)
                   : has("LessPartly(")    ? left.LessPartly(right, undefined)
                   : has("LessEqual(")     ? left.LessEqual(right, undefined)
                   : has("Less(")          ? left.Less(right, undefined)
                                           : left.Equal(right);
  return got == flag({"expected"}) ? "" : "flag";
}

TEST_F(ResourceRows, OfVolcanosTablesHold) {
  const std::filesystem::path corpus = Corpus();
  if (corpus.empty()) GTEST_SKIP() << "the conformance corpus is not there";
  int rows = 0;
  for (const char* table :
       {"TestAddResource", "TestDiff", "TestEqual", "TestGreaterPartlyWithDimension",
        "TestGreaterPartlyWithRelevantDimensions", "TestIntersection",
        "TestIntersectionWithIgnoredScalarResources", "TestIsZero", "TestLess", "TestLessEqual",
        "TestLessEqualPartly", "TestLessEqualPartlyWithDimension",
        "TestLessEqualPartlyWithDimensionZeroFiltered",
        "TestLessEqualWithDimensionAndResourcesName", "TestLessPartly",
        "TestMinDimensionResourceInfinity", "TestMinDimensionResourceZero", "TestSetMaxResource",
        "TestSubResource"}) {
    for (const auto& file : std::filesystem::directory_iterator(corpus / "api" / table)) {
      std::ifstream stream(file.path());
      std::stringstream text;
      text << stream.rdbuf();
      const auto unit = boost::json::parse(text.str()).at("unit");
      const std::string call(unit.at("call").as_array().at(0).as_string());
      EXPECT_EQ(Check(call, unit.at("row").as_object()), "")
          << file.path() << "\n"
          << boost::json::serialize(unit.at("row"));
      ++rows;
    }
  }
  EXPECT_GE(rows, 90);
}

}  // namespace
}  // namespace basalt::model
