#pragma once

#include <gtest/gtest.h>

#include <boost/json/value.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/asio_loop.h"
#include "base/error.h"
#include "kube/client/client.h"

namespace basalt::testutil {

// A test on the real API server that $BASALT_TEST_KUBECONFIG names, with a namespace of its own.
// Calls wait for their answer: the test's thread runs the loop.
class RealClusterTest : public testing::Test {
 protected:
  RealClusterTest();
  ~RealClusterTest() override;
  void SetUp() override;
  void TearDown() override;

  // Runs the loop until `done`; fails the test when that takes longer than `limit`.
  void RunUntil(std::string_view what, const std::function<bool()>& done, Duration limit = 60s);

  // The same for what takes calls to find out: asks again and again.
  void WaitFor(std::string_view what, const std::function<bool()>& done, Duration limit = 90s);
  // Runs the loop for a moment: between two looks at the server.
  void Pause(Duration duration = 100ms);

  using Answer = Result<boost::json::value>;
  Answer Get(const kube::Target& target);
  // All in one page.
  Answer List(const kube::Resource& resource, std::string_view ns = "");
  // The objects of the test's namespace.
  std::vector<boost::json::value> Items(const kube::Resource& resource);
  Answer Create(const kube::Target& target, std::string body);
  Answer Update(const kube::Target& target, std::string body);
  Answer Patch(const kube::Target& target, kube::PatchKind kind, std::string body);
  Answer Delete(const kube::Target& target, const kube::DeleteOptions& how = {});
  // Retries until the API server takes it: a new namespace has no service account for a moment.
  void CreatePod(std::string body);
  std::string PhaseOf(std::string_view pod);
  // Basalt's own kinds, until they are served.
  void InstallKinds();

  AsioLoop loop_;
  std::unique_ptr<kube::ApiClient> api_;
  std::unique_ptr<kube::Client> client_;
  std::string ns_;

 private:
  Answer Await(const std::function<void(kube::ApiHandler)>& call);
};

}  // namespace basalt::testutil
