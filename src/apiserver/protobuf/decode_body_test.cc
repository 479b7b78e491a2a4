#include "apiserver/protobuf/decode_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <string_view>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

// As client-go's encoder writes them.
constexpr std::string_view kDeployment =
    "6b3873000a150a07617070732f7631120a4465706c6f796d656e7412f3010a1f0a0377656212001a0022002a00"
    "3200380042005a0a0a03617070120377656212c1010800120c0a0a0a0361707012037765621a99010a1c0a0012"
    "001a0022002a003200380042005a0a0a03617070120377656212790a0d0a017612089a01050a030a0163124c0a"
    "046d61696e1203693a312a00420f120d0a0363707512060a043130306d5a1c0a10120e0a001206080010501a00"
    "1a002200100018002000280030006a007200800100880100900100a201001a00320042004a0052005800600068"
    "008201008a01009a0100c20100220f0a00120b1209080110001a03323525280038001a0c080010001800200028"
    "0038001a002200";
constexpr std::string_view kSecret =
    "6b3873000a0c0a0276311206536563726574122a0a190a017312001a0022002a0032003800420808a5ebdcca06"
    "1000120b0a016b120668696464656e1a001a002200";
constexpr std::string_view kLease =
    "6b3873000a1f0a16636f6f7264696e6174696f6e2e6b38732e696f2f763112054c6561736512290a110a016c12"
    "001a0022002a0032003800420012140a026d65100f220c08a5ebdcca0610a0e2dcc3021a002200";
constexpr std::string_view kDeleteOptions =
    "6b3873000a130a027631120d44656c6574654f7074696f6e73120e0800220a4261636b67726f756e641a002200";

// Decoded, and with what Go's JSON leaves out left out.
json::value Decode(std::string_view hex, std::string_view type) {
  Result<json::object> object = DecodeProtobufBody(FromHex(hex));
  if (!object) return json::value(object.error().message);
  json::value value(std::move(*object));
  const Result<void> conformed = Conform(value, *FindBuiltinType(type));
  if (!conformed) return json::value(conformed.error().message);
  return value;
}

TEST(ProtobufBodyTest, ADeploymentIsWhatItsJsonWouldBe) {
  json::value want = json::parse(R"({
    "kind": "Deployment", "apiVersion": "apps/v1",
    "metadata": {"name": "web", "labels": {"app": "web"}},
    "spec": {
      "replicas": 0,
      "selector": {"matchLabels": {"app": "web"}},
      "strategy": {"rollingUpdate": {"maxSurge": "25%"}},
      "template": {
        "metadata": {"labels": {"app": "web"}},
        "spec": {
          "containers": [{
            "name": "main", "image": "i:1", "resources": {"requests": {"cpu": "100m"}},
            "readinessProbe": {"httpGet": {"port": 80}}}],
          "volumes": [{"name": "v", "configMap": {"name": "c"}}]}}}})");
  ASSERT_TRUE(Conform(want, *FindBuiltinType("apps.Deployment")));
  EXPECT_EQ(Decode(kDeployment, "apps.Deployment"), want);
}

TEST(ProtobufBodyTest, BytesAreBase64AndTimesAreText) {
  const json::value secret = Decode(kSecret, "core.Secret");
  ASSERT_TRUE(secret.is_object()) << secret;
  EXPECT_EQ(secret.at("data").at("k"), "aGlkZGVu");
  EXPECT_EQ(secret.at("metadata").at("creationTimestamp"), "2026-01-02T03:04:05Z");
}

TEST(ProtobufBodyTest, ALeaseKeepsItsMicroseconds) {
  const json::value lease = Decode(kLease, "coordination.Lease");
  ASSERT_TRUE(lease.is_object()) << lease;
  EXPECT_EQ(lease.at("spec").at("renewTime"), "2026-01-02T03:04:05.678900Z");
  EXPECT_EQ(lease.at("spec").at("leaseDurationSeconds"), 15);
}

TEST(ProtobufBodyTest, ATimeBeyondWhatNanosecondsHoldIsATime) {
  std::string body = FromHex(kLease);
  std::string far;  // 2999-01-01T00:00:00Z, as long as what was there
  for (std::uint64_t rest = 32'472'144'000; rest > 0; rest >>= 7) {
    far.push_back(static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0)));
  }
  const std::string now = FromHex("a5ebdcca06");
  ASSERT_EQ(far.size(), now.size());
  body.replace(body.find(now), now.size(), far);
  const Result<json::object> lease = DecodeProtobufBody(body);
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->at("spec").at("renewTime"), "2999-01-01T00:00:00.678900Z");
}

TEST(ProtobufBodyTest, AZeroBehindAPointerStays) {
  const json::value options = Decode(kDeleteOptions, "meta.DeleteOptions");
  ASSERT_TRUE(options.is_object()) << options;
  EXPECT_EQ(options.at("gracePeriodSeconds"), 0);
  EXPECT_EQ(options.at("propagationPolicy"), "Background");
}

TEST(ProtobufBodyTest, WhatIsNoProtobufIsRefused) {
  const Result<json::object> text = DecodeProtobufBody("{}");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(text.error().message, HasSubstr("cannot read the envelope"));
}

TEST(ProtobufBodyTest, ACutBodyIsRefusedWhereverItIsCut) {
  const std::string whole = FromHex(kDeployment);
  // The last fields of the envelope are empty: without them the object is still complete.
  // And cut right after its type it is a message too, one of an empty object.
  constexpr std::size_t kTypeEnds = 27;
  for (std::size_t size = 1; size + 4 < whole.size(); ++size) {
    if (size == kTypeEnds) continue;
    EXPECT_FALSE(DecodeProtobufBody(std::string_view(whole).substr(0, size))) << size;
  }
}

TEST(ProtobufBodyTest, AKindWithoutAProtobufFormIsUnsupported) {
  std::string body = FromHex(kSecret);
  body.replace(body.find("Secret"), 6, "Gadget");
  const Result<json::object> gadget = DecodeProtobufBody(body);
  ASSERT_FALSE(gadget);
  EXPECT_EQ(gadget.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace basalt::apiserver
