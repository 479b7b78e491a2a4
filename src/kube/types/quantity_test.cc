#include "kube/types/quantity.h"

#include <gtest/gtest.h>

#include <limits>

namespace basalt::kube {
namespace {

Quantity Q(std::string_view text) {
  const Result<Quantity> quantity = Quantity::Parse(text);
  EXPECT_TRUE(quantity) << text << ": " << quantity.error().message;
  return quantity.value_or(Quantity());
}

struct QuantityCase {
  std::string text;
  std::string canonical;
  std::int64_t value;
  std::int64_t milli_value;
};

// The figures are those of Kubernetes' own resource.Quantity.
TEST(Quantity, ReadsEveryNotation) {
  const QuantityCase cases[] = {
      {"0", "0", 0, 0},
      {"1", "1", 1, 1000},
      {"0.5", "500m", 1, 500},
      {"1.5", "1500m", 2, 1500},
      {"500m", "500m", 1, 500},
      {"1500m", "1500m", 2, 1500},
      {"1000m", "1", 1, 1000},
      {"100u", "100u", 1, 1},
      {"1n", "1n", 1, 1},
      {"2k", "2k", 2000, 2'000'000},
      {"3M", "3M", 3'000'000, 3'000'000'000},
      {"4G", "4G", 4'000'000'000, 4'000'000'000'000},
      {"5T", "5T", 5'000'000'000'000, 5'000'000'000'000'000},
      {"6P", "6P", 6'000'000'000'000'000, 6'000'000'000'000'000'000},
      {"2E", "2E", 2'000'000'000'000'000'000, std::numeric_limits<std::int64_t>::max()},
      {"1Ki", "1Ki", 1024, 1'024'000},
      {"1024Mi", "1Gi", 1'073'741'824, 1'073'741'824'000},
      {"1.5Gi", "1536Mi", 1'610'612'736, 1'610'612'736'000},
      {"0.5Ki", "512", 512, 512'000},
      {"1023", "1023", 1023, 1'023'000},
      {"2Ti", "2Ti", 2'199'023'255'552, 2'199'023'255'552'000},
      {"1Pi", "1Pi", 1'125'899'906'842'624, 1'125'899'906'842'624'000},
      {"1e3", "1e3", 1000, 1'000'000},
      {"1E3", "1e3", 1000, 1'000'000},
      {"12e4", "120e3", 120'000, 120'000'000},
      {"1e-3", "1e-3", 1, 1},
      {"5e+2", "500", 500, 500'000},
      {"-1.5", "-1500m", -2, -1500},
      {"+2", "2", 2, 2000},
      {".5", "500m", 1, 500},
      {"1.", "1", 1, 1000},
      {"1.G", "1G", 1'000'000'000, 1'000'000'000'000},
      {"0.0000000001", "1n", 1, 1},  // never down to nothing
      {"1.0000000001", "1000000001n", 2, 1001},
      {"0.1Ki", "102400m", 103, 102'400},
      {"16Ei", "9223372036854775807", std::numeric_limits<std::int64_t>::max(),
       std::numeric_limits<std::int64_t>::max()},
      {"-16Ei", "-9223372036854775807", -std::numeric_limits<std::int64_t>::max(),
       std::numeric_limits<std::int64_t>::min()},
      {"12345678901234567890", "12345678901234567890", std::numeric_limits<std::int64_t>::max(),
       std::numeric_limits<std::int64_t>::max()},
      {".", "0", 0, 0},
      {"0Mi", "0", 0, 0},
      {"00012", "12", 12, 12000},
  };
  for (const QuantityCase& one : cases) {
    const Quantity quantity = Q(one.text);
    EXPECT_EQ(quantity.ToString(), one.canonical) << one.text;
    EXPECT_EQ(quantity.Value(), one.value) << one.text;
    EXPECT_EQ(quantity.MilliValue(), one.milli_value) << one.text;
    EXPECT_EQ(Q(quantity.ToString()), quantity) << one.text;
  }
}

TEST(Quantity, RefusesInKubernetesWords) {
  const std::string format =
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const std::string suffix = "unable to parse quantity's suffix";
  const std::string number = "unable to parse numeric part of quantity";
  const std::pair<std::string, std::string> cases[] = {
      {"", format},
      {"abc", format},
      {"1.5.2", format},
      {"1x", format},
      {" 1", format},
      {"1 ", format},
      {"--1", suffix},
      {"1Gi ", format},
      {"1K", suffix},
      {"1ki", suffix},
      {"1e", suffix},
      {"1Kii", suffix},
      {"1mm", suffix},
      {"1i", suffix},
      {"1-1", suffix},
      {"1e-", suffix},
      {".e-10", number},
      {"Ei", number},
      {"1e99999999999999999999", suffix},
  };
  for (const auto& [text, message] : cases) {
    const Result<Quantity> quantity = Quantity::Parse(text);
    ASSERT_FALSE(quantity) << text << " gave " << quantity->ToString();
    EXPECT_EQ(quantity.error().message, message) << text;
    EXPECT_EQ(quantity.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(Quantity, TakesWhatKubernetesTakesHoweverLarge) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const char* text : {"1e29", "100e27", "1e100", "100000000000E", "1e2147483647",
                           "123456789012345678901234567890123456789012345678.9"}) {
    const Result<Quantity> quantity = Quantity::Parse(text);
    ASSERT_TRUE(quantity) << text;
    EXPECT_EQ(quantity->Value(), kMost) << text;
    EXPECT_EQ(quantity->MilliValue(), kMost) << text;
    const Quantity negative = Quantity::Parse(std::string("-") + text).value();
    EXPECT_EQ(negative.Value(), std::numeric_limits<std::int64_t>::min()) << text;
    EXPECT_LT(negative, *quantity);
    EXPECT_EQ(*quantity + *quantity, *quantity) << text;
  }
  EXPECT_EQ(Quantity::Parse("1e-30")->MilliValue(), 1);
  EXPECT_EQ(Quantity::Parse("0e100")->Value(), 0);
  EXPECT_EQ(Quantity::Parse("-0").value(), Quantity());
}

TEST(Quantity, LargeOnesHaveTheApiServersText) {
  const std::pair<std::string, std::string> cases[] = {
      {"1e29", "100e27"},
      {"100e27", "100e27"},
      {"-1e29", "-100e27"},
      {"100000000000E", "100000000000E"},
      {"1234567890123456789012345678901", "1234567890123456789012345678901"},
      {"1234567890123456789012345678900000.5", "1234567890123456789012345678900000500m"},
      {"99999999999999999999999999999.9999999999", "100000000000E"},
  };
  for (const auto& [text, want] : cases) {
    EXPECT_EQ(Quantity::Normalize(text).value_or("refused"), want) << text;
  }
}

TEST(Quantity, NormalizesAsTheApiServerDoes) {
  const std::pair<std::string, std::string> cases[] = {
      {"0.5", "500m"},    {"1024Mi", "1Gi"}, {"1000m", "1"},    {"100Ki", "100Ki"},
      {"1.500", "1.500"}, {"+1", "+1"},      {"1.50", "1500m"}, {"01", "01"},
      {"1000", "1k"},     {"8Mi", "8Mi"},    {"+8Mi", "8Mi"},   {"1E3", "1E3"},
      {"1.234", "1.234"}, {"-0", "0"},       {"12e4", "120e3"},
  };
  for (const auto& [text, want] : cases) {
    EXPECT_EQ(Quantity::Normalize(text).value_or("refused"), want) << text;
  }
  EXPECT_FALSE(Quantity::Normalize("1x"));
}

TEST(Quantity, ComparesByAmount) {
  EXPECT_EQ(Q("1"), Q("1000m"));
  EXPECT_EQ(Q("1Ki"), Q("1024"));
  EXPECT_LT(Q("1M"), Q("1Mi"));
  EXPECT_GT(Q("0"), Q("-1n"));
  EXPECT_TRUE(Quantity().IsZero());
  EXPECT_EQ(Q("-3").Sign(), -1);
}

TEST(Quantity, AddsAndSubtractsExactly) {
  EXPECT_EQ((Q("100m") + Q("200m")).ToString(), "300m");
  EXPECT_EQ((Q("1Gi") - Q("1Mi")).ToString(), "1023Mi");
  EXPECT_EQ((Q("1") - Q("2500m")).ToString(), "-1500m");
  EXPECT_EQ((Q("0") + Q("1Gi")).ToString(), "1Gi");          // zero takes the other's notation
  EXPECT_EQ((Q("1Gi") + Q("1G")).ToString(), "2073741824");  // the left side's notation stays
  EXPECT_EQ((-Q("1Gi")).ToString(), "-1Gi");
}

TEST(Quantity, SumsStayAtTheLimit) {
  Quantity sum = Q("40000000000E");
  for (int i = 0; i < 10; ++i) sum += sum;
  EXPECT_GT(sum, Q("42000000000E"));
  EXPECT_EQ(sum.Value(), std::numeric_limits<std::int64_t>::max());
}

TEST(Quantity, IsMadeFromNumbers) {
  EXPECT_EQ(Quantity::Of(1024, Quantity::Format::kBinarySI).ToString(), "1Ki");
  EXPECT_EQ(Quantity::OfMilli(1500).ToString(), "1500m");
  EXPECT_DOUBLE_EQ(Q("1500m").ToDouble(), 1.5);
  static_assert(sizeof(Quantity) == 16);
}

}  // namespace
}  // namespace basalt::kube
