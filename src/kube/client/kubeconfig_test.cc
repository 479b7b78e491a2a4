#include "kube/client/kubeconfig.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/base64.h"

namespace basalt::kube {
namespace {

using testing::HasSubstr;

class KubeconfigTest : public testing::Test {
 protected:
  KubeconfigTest() {
    std::string name = (std::filesystem::temp_directory_path() / "kubeconfig-XXXXXX").string();
    dir = mkdtemp(name.data());
  }
  ~KubeconfigTest() override { std::filesystem::remove_all(dir); }

  std::string Write(const std::string& name, std::string_view text) {
    const std::filesystem::path path = dir / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  Environment Given(std::map<std::string, std::string> variables) {
    return {.variable = [variables](const std::string& name) -> std::optional<std::string> {
              const auto found = variables.find(name);
              if (found == variables.end()) return std::nullopt;
              return found->second;
            },
            .service_account_dir = (dir / "sa").string()};
  }

  std::filesystem::path dir;
};

// A configuration with one context, whose cluster and user have the given fields.
std::string With(std::string_view cluster, std::string_view user) {
  return fmt::format(R"(
apiVersion: v1
kind: Config
current-context: dev
clusters: [{{name: c, cluster: {{{}}}}}]
users: [{{name: u, user: {{{}}}}}]
contexts: [{{name: dev, context: {{cluster: c, user: u, namespace: team}}}}]
)",
                     cluster, user);
}

TEST_F(KubeconfigTest, ReadsWhatIsInline) {
  const auto config = ParseKubeconfig(
      With(fmt::format("server: 'https://a.test:6443', tls-server-name: b.test, "
                       "certificate-authority-data: {}, certificate-authority: /not/read",
                       Base64Encode("ca")),
           fmt::format("client-certificate-data: {}, client-key-data: {}, token: abc",
                       Base64Encode("cert"), Base64Encode("key"))),
      "f");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->server, "https://a.test:6443");
  EXPECT_EQ(config->tls.server_name, "b.test");
  EXPECT_EQ(config->tls.ca_pem, "ca");
  EXPECT_EQ(config->tls.certificate_pem, "cert");
  EXPECT_EQ(config->tls.key_pem, "key");
  EXPECT_EQ(config->token, "abc");
  EXPECT_EQ(config->ns, "team");
  EXPECT_EQ(config->source, "kubeconfig f, context dev");
  EXPECT_FALSE(config->tls.insecure_skip_verify);
}

TEST_F(KubeconfigTest, JsonIsAsGoodAsYaml) {
  const auto config = ParseKubeconfig(
      R"({"current-context":"x","clusters":[{"name":"c","cluster":{"server":"http://a"}}],
          "contexts":[{"name":"x","context":{"cluster":"c"}}]})",
      "f");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->ns, "default");
}

TEST_F(KubeconfigTest, PathsAreRelativeToTheFile) {
  Write("sub/pki/ca.pem", "ca");
  Write("sub/me.pem", "cert");
  Write("sub/me.key", "key");
  Write("sub/token", "abc\n");
  const std::string file = Write(
      "sub/config", With("server: 'https://a', certificate-authority: pki/ca.pem",
                         "client-certificate: me.pem, client-key: ./me.key, tokenFile: token"));
  const auto config = LoadKubeconfig({file});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->tls.ca_pem, "ca");
  EXPECT_EQ(config->tls.certificate_pem, "cert");
  EXPECT_EQ(config->tls.key_pem, "key");
  EXPECT_EQ(config->token_file, (dir / "sub/token").string());
}

TEST_F(KubeconfigTest, WrongOnesSayWhereAndWhat) {
  struct Row {
    std::string text;
    std::string_view message;
  };
  const Row rows[] = {
      {"", "current-context: is not set; set it with kubectl config use-context"},
      {"[1]", "must be a map"},
      {"kind: Pod", "kind: must be Config"},
      {"a: [", "kubeconfig f: line "},
      {"clusters: {}", "clusters: must be a list"},
      {"clusters: [1]", "clusters[0]: must be a map"},
      {"clusters: [{cluster: {}}]", "clusters[0].name: is missing"},
      {"users: [{name: u, user: 1}]", "users[u]: must be a map"},
      {"users: [{name: u}, {name: u}]", "users[u]: is given twice"},
      {"current-context: x", "there is no context 'x'"},
      {"current-context: x\ncontexts: [{name: x}]", "contexts[x].cluster: is missing"},
      {"current-context: x\ncontexts: [{name: x, context: {cluster: c}}]",
       "contexts[x].cluster: there is no cluster 'c'"},
      {"current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
       "clusters: [{name: c, cluster: {server: 'https://a'}}]",
       "contexts[x].user: there is no user 'u'"},
      {With("", ""), "clusters[c].server: is missing"},
      {With("server: 'a:6443'", ""), "clusters[c].server: 'a:6443' is not a URL"},
      {With("server: 'https://a', proxy-url: 'http://p'", ""),
       "clusters[c].proxy-url: proxies are not supported"},
      {With("server: 'https://a', certificate-authority-data: '*'", ""),
       "clusters[c].certificate-authority-data: is not base64"},
      {With("server: 'https://a', certificate-authority: /no/such/file", ""),
       "clusters[c].certificate-authority: /no/such/file: No such file"},
      {With("server: 'https://a', insecure-skip-tls-verify: maybe", ""), "must be true or false"},
      {With("server: 'https://a', insecure-skip-tls-verify: true, certificate-authority-data: YQ==",
            ""),
       "contradicts certificate-authority"},
      {With("server: 'https://a'", "exec: {command: x}"), "users[u].exec: credential plugins"},
      {With("server: 'https://a'", "exec: {command: x}"), "kubectl create token"},
      {With("server: 'https://a'", "auth-provider: {name: x}"), "users[u].auth-provider: "},
      {With("server: 'https://a'", "username: x, password: y"), "users[u].username: "},
      {With("server: 'https://a'", "as: root"), "users[u].as: impersonation"},
      {With("server: 'https://a'", "client-certificate-data: YQ=="),
       "users[u].client-key: is missing"},
      {With("server: 'https://a'", "client-key-data: YQ=="),
       "users[u].client-certificate: is missing"},
      {With("server: 'https://a'", "tokenFile: /no/such/file"), "users[u].tokenFile: /no/such"},
  };
  for (const Row& row : rows) {
    const auto config = ParseKubeconfig(row.text, "f");
    ASSERT_FALSE(config) << row.text;
    EXPECT_EQ(config.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(config.error().message, testing::StartsWith("kubeconfig f: ")) << row.text;
    EXPECT_THAT(config.error().message, HasSubstr(std::string(row.message))) << row.text;
  }
}

TEST_F(KubeconfigTest, SeveralFilesAreOneAndTheFirstWins) {
  const std::string first = Write("first", R"(
current-context: a
contexts: [{name: a, context: {cluster: shared, user: me}}]
clusters: [{name: shared, cluster: {server: "https://first"}}]
)");
  Write("sub/ca", "second ca");
  const std::string second = Write("sub/second", R"(
current-context: b
contexts: [{name: a, context: {cluster: none}}, {name: b, context: {cluster: own, user: me}}]
clusters: [{name: shared, cluster: {server: "https://second"}},
           {name: own, cluster: {server: "https://own", certificate-authority: ca}}]
users: [{name: me, user: {token: t}}]
)");
  const auto current = LoadKubeconfig({first, second});
  ASSERT_TRUE(current) << current.error().message;
  EXPECT_EQ(current->server, "https://first");
  EXPECT_EQ(current->token, "t");
  const auto chosen = LoadKubeconfig({first, second}, "b");
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(chosen->server, "https://own");
  EXPECT_EQ(chosen->tls.ca_pem, "second ca");
}

TEST_F(KubeconfigTest, TheFlagGoesFirstThenThePodThenTheVariableThenHome) {
  const std::string flag = Write("flag", With("server: 'https://flag'", ""));
  const std::string listed = Write("listed", With("server: 'https://listed'", ""));
  Write("home/.kube/config", With("server: 'https://home'", ""));
  Write("sa/token", "t");
  Write("sa/ca.crt", "ca");
  Write("sa/namespace", "mine\n");
  std::map<std::string, std::string> all = {{"KUBERNETES_SERVICE_HOST", "fd00::1"},
                                            {"KUBERNETES_SERVICE_PORT", "443"},
                                            {"KUBECONFIG", "/no/such/file:" + listed},
                                            {"HOME", (dir / "home").string()}};
  EXPECT_EQ(LoadConfig({.kubeconfig = flag}, Given(all))->server, "https://flag");
  const auto pod = LoadConfig({}, Given(all));
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_EQ(pod->server, "https://[fd00::1]:443");
  EXPECT_EQ(pod->tls.ca_pem, "ca");
  EXPECT_EQ(pod->token_file, (dir / "sa/token").string());
  EXPECT_EQ(pod->ns, "mine");
  all.erase("KUBERNETES_SERVICE_HOST");
  EXPECT_EQ(LoadConfig({}, Given(all))->server, "https://listed");
  all.erase("KUBECONFIG");
  EXPECT_EQ(LoadConfig({}, Given(all))->server, "https://home");
  all["HOME"] = "/no/such/home";
  const auto none = LoadConfig({}, Given(all));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(none.error().message, HasSubstr("--kubeconfig PATH"));
  EXPECT_THAT(none.error().message, HasSubstr("/no/such/home/.kube/config does not exist"));
}

TEST_F(KubeconfigTest, AContextIsOfAKubeconfigAndNotOfThePod) {
  Write("sa/token", "t");
  Write("sa/ca.crt", "ca");
  Write("home/.kube/config", R"(
current-context: dev
contexts: [{name: dev, context: {cluster: dev}}, {name: live, context: {cluster: live}}]
clusters: [{name: dev, cluster: {server: "https://dev"}}, {name: live, cluster: {server: "https://live"}}]
)");
  const Environment pod = Given({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
                                 {"KUBERNETES_SERVICE_PORT", "443"},
                                 {"HOME", (dir / "home").string()}});
  EXPECT_EQ(LoadConfig({}, pod)->server, "https://10.0.0.1:443");
  EXPECT_EQ(LoadConfig({.context = "live"}, pod)->server, "https://live");
  EXPECT_EQ(LoadConfig({.context = "live", .server = "https://other"}, pod)->server,
            "https://other");
  const auto none = LoadConfig({.context = "gone"}, pod);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("there is no context 'gone'"));
}

TEST_F(KubeconfigTest, AFlagThatNamesNoFileIsAnErrorNotAReasonToLookElsewhere) {
  Write("home/.kube/config", With("server: 'https://home'", ""));
  const auto config =
      LoadConfig({.kubeconfig = "/no/such/file"}, Given({{"HOME", (dir / "home").string()}}));
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().message, HasSubstr("kubeconfig /no/such/file: No such file"));
}

TEST_F(KubeconfigTest, APodWithoutAServiceAccountIsPassedOver) {
  const auto config = LoadConfig(
      {}, Given({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "443"}}));
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().message, HasSubstr("sa/token: No such file"));
}

}  // namespace
}  // namespace basalt::kube
