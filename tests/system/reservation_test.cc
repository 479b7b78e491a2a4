// deps: basalt_testing
// `basalt reservation` against a whole cluster in one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <chrono>

#include "tests/system/up_fixture.h"

namespace basalt::systemtest {
namespace {

using testing::HasSubstr;

constexpr std::string_view kDeployment = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      schedulerName: volcano
      containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
)";

class ReservationCommandTest : public UpTest {
 protected:
  struct Answer {
    int exit_code = -1;
    std::string out;
    std::string errors;
  };
  Answer Ask(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--kubeconfig", kubeconfig_});
    ChildProcess process = ChildProcess::Basalt(std::move(arguments));
    Answer answer;
    answer.exit_code = process.Wait().value_or(-1);
    answer.out = process.Output();
    answer.errors = process.Errors();
    return answer;
  }
  Answer AskUntil(const std::vector<std::string>& arguments, std::string_view text) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (true) {
      Answer answer = Ask(arguments);
      const bool done = answer.out.find(text) != std::string::npos;
      if (done || std::chrono::steady_clock::now() > deadline) return answer;
    }
  }
};

TEST_F(ReservationCommandTest, RoomIsReservedTakenShownAndGivenBack) {
  ChildProcess up = Up({"--nodes", "2", "--node-cpu", "2", "--listen", "127.0.0.1:0"});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  const std::string file = WriteFile("web.yaml", kDeployment);

  const Answer created = Ask({"reservation", "create", "room", "-f", file, "--ttl", "1h"});
  EXPECT_EQ(created.exit_code, 0) << created.errors;
  EXPECT_EQ(created.out, "reservation default/room created\n");
  EXPECT_THAT(AskUntil({"reservation", "list"}, "Available").out, HasSubstr("2/2"));
  const Answer shown = Ask({"reservation", "show", "room"});
  EXPECT_THAT(shown.out, HasSubstr("pods with app=web"));
  EXPECT_THAT(shown.out, HasSubstr("node-"));
  const auto list = json::parse(Ask({"reservation", "list", "-A", "-o", "json"}).out);
  EXPECT_EQ(list.at("items").as_array().size(), 1u);
  EXPECT_EQ(list.at("items").at(0).at("spec").at("queue"), "default");
  EXPECT_THAT(Ask({"explain", "reservation", "room"}).out, HasSubstr("Reservation default/room"));

  EXPECT_EQ(Ask({"reservation", "create", "large", "-f", file, "--replicas", "9"}).exit_code, 0);
  EXPECT_THAT(AskUntil({"reservation", "show", "large"}, "cpu").out, HasSubstr("Pending"));
  EXPECT_THAT(Ask({"explain", "reservation", "large", "-o", "json"}).out, HasSubstr("\"stage\""));
  EXPECT_EQ(Ask({"reservation", "delete", "large"}).out, "reservation default/large deleted\n");

  const Answer again = Ask({"reservation", "create", "room", "-f", file});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.errors, HasSubstr("already exists"));
  const Answer refused = Ask({"reservation", "create", "bad", "-f", file, "--queue", "none"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("spec.queue"));
  const Answer missing = Ask({"reservation", "show", "none"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.errors, HasSubstr("\"none\" not found"));
  EXPECT_EQ(Ask({"reservation", "create", "x", "--for", "deployment", "none"}).exit_code, 1);
  EXPECT_EQ(Ask({"reservation", "create", "x"}).exit_code, 2);
  EXPECT_EQ(Ask({"reservation", "list", "x"}).exit_code, 2);
}

}  // namespace
}  // namespace basalt::systemtest
