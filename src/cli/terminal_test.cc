// Tells the *_test.story files of this folder: what somebody types, and what basalt prints then.
//
//   # A queue that is not there is named
//   cluster
//   $ basalt queue get q
//   ! basalt: error: queues.scheduling.volcano.sh "q" not found
//   = 1
//
// "cluster": an API server with our CRDs and nobody else, to which KUBECONFIG points; without it
// KUBECONFIG names a file that is not there. Lines that begin with "| " belong to the one above:
// "given": objects, made with their status; "file NAME"; "scheduler answers METHOD PATH [STATUS]"
// and "descheduler answers …": the JSON that such a role would send; "server answers …": an API
// server that knows nothing but these answers, in the place of a cluster. "environment NAME VALUE".
// "terminal WIDTH": from here on standard output is a terminal so wide; escapes show as \e.
//
// "$": a command, whose standard input is a file behind "<" and whose output goes to one behind
// ">". Below it stand its output, indented, its errors behind "! ", and its exit code behind "= "
// where it is not 0; "~" is an empty line. "&" at its end: it goes on; "sees TEXT" waits until it
// has printed that, errors and log too, and has below it what was printed since; "waits for TEXT"
// does the same and leaves out what; "stop" stops to read, "interrupt" ends it by SIGTERM, "hang
// up" by the SIGHUP of a terminal that is closed. What is otherwise each time has a word in its
// place (Settled).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <stdio_ext.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <boost/json/serialize.hpp>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>
#include <thread>

#include "base/base64.h"
#include "base/log.h"
#include "cli/api_server_thread.h"
#include "cli/applier.h"
#include "cli/cluster_session.h"
#include "cli/command.h"
#include "cli/crds.h"
#include "cli/kubeconfig_entries.h"
#include "cli/manifests.h"
#include "cli/up_identity.h"
#include "cli/version.h"
#include "descheduler/service/api_handler.h"
#include "net/token_server.h"
#include "scheduler/query/query_server.h"
#include "testing/stories/story_files.h"

namespace basalt::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

// As a shell has them: apart by spaces, but for what is in quotes.
std::vector<std::string> TypedWords(std::string_view line) {
  std::vector<std::string> words;
  char quote = '\0';
  bool within = false;
  for (const char c : line) {
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
      if (!within) words.emplace_back();
      within = true;
    } else if (quote == '\0' && c == ' ') {
      within = false;
    } else {
      if (!within) words.emplace_back();
      within = true;
      words.back() += c;
    }
  }
  return words;
}

// Without what is otherwise each time.
std::string Settled(std::string text, const std::string& folder) {
  const auto replace = [&](const std::string& what, std::string_view with) {
    for (std::size_t at = 0; !what.empty() && (at = text.find(what, at)) != text.npos;) {
      text.replace(at, what.size(), with);
      at += with.size();
    }
  };
  replace(folder, "FOLDER");
  replace(std::string(Version()), "VERSION");
  static const std::pair<std::regex, const char*> kChanging[] = {
      {std::regex("\"?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\"?"), "\"UID\""},
      {std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"), "TIME"},
      {std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}"), "YYYY-MM-DD"},
      {std::regex("(127\\.0\\.0\\.1|localhost):[0-9]+"), "HOST:PORT"},
      {std::regex("\033"), "\\e"},
      {std::regex("\r"), "\\r"},
      {std::regex("(resourceVersion\"?: ?\"?)[0-9]+"), "$1N"},
      {std::regex("( )[0-9]s\\b"), "$010s"}};
  for (const auto& [pattern, word] : kChanging) text = std::regex_replace(text, pattern, word);
  return text;
}

// A role's leader that answers what it is told to.
class AnsweringRole {
 public:
  explicit AnsweringRole(std::string name) {
    auto made = net::TokenServer::Create(
        loop_, {.name = std::move(name), .max_body_bytes = 1 << 20},
        [this](const net::HttpRequest& request,
               const std::shared_ptr<net::HttpExchange>& exchange) {
          const std::scoped_lock lock(mutex_);
          auto found = answers_.find(request.method + " " + request.target);
          if (found == answers_.end()) {
            found = answers_.find(request.method + " " +
                                  request.target.substr(0, request.target.find('?')));
          }
          exchange->Respond(found != answers_.end()
                                ? found->second
                                : net::HttpResponse{.status = 404,
                                                    .body = R"({"message":")" + request.method +
                                                            " " + request.target +
                                                            R"(: unknown here"})"});
        });
    server_ = std::move(made.value());
    thread_ = std::thread([this] { loop_.Run(); });
  }
  ~AnsweringRole() {
    loop_.Stop();
    thread_.join();
  }
  void Answer(const std::string& what, net::HttpResponse with) {
    const std::scoped_lock lock(mutex_);
    answers_[what] = std::move(with);
  }

  // As an API server.
  UpCluster Cluster() const {
    return {.server = "https://localhost:" + std::to_string(server_->port()),
            .ca_pem = server_->ca_pem(),
            .token = server_->token()};
  }

  json::object Secret(std::string_view name) const {
    return {{"apiVersion", "v1"},
            {"kind", "Secret"},
            {"metadata", {{"name", name}, {"namespace", "volcano-system"}}},
            {"data",
             {{"address", Base64Encode(server_->address())},
              {"ca.crt", Base64Encode(server_->ca_pem())},
              {"token", Base64Encode(server_->token())}}}};
  }

 private:
  AsioLoop loop_;
  std::mutex mutex_;  // guards the answers
  std::map<std::string, net::HttpResponse> answers_;
  std::unique_ptr<net::TokenServer> server_;
  std::thread thread_;
};

// Where standard output goes while a command runs: a file, or a pipe or a terminal that is read.
class Output {
 public:
  // `to` a file, or "": read. `width` of a terminal; 0: it is none.
  Output(const std::string& to, unsigned short width, bool with_errors = false) {
    int inner = -1;
    if (!to.empty()) {
      inner = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    } else if (width > 0) {
      const winsize size{.ws_row = 24, .ws_col = width, .ws_xpixel = 0, .ws_ypixel = 0};
      termios raw{};
      cfmakeraw(&raw);
      cfsetspeed(&raw, B38400);
      EXPECT_EQ(openpty(&outer_, &inner, nullptr, &raw, &size), 0);
    } else {
      int ends[2];
      EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
      outer_ = ends[0];
      inner = ends[1];
    }
    std::fflush(stdout);
    before_ = dup(STDOUT_FILENO);
    dup2(inner, STDOUT_FILENO);
    if (with_errors) {
      errors_before_ = dup(STDERR_FILENO);
      dup2(inner, STDERR_FILENO);
    }
    close(inner);
    if (outer_ >= 0) reader_ = std::thread([this] { Read(); });
  }
  ~Output() { Close(); }

  // What was printed, all of it once nothing more comes.
  std::string Close() {
    std::fflush(stdout);
    __fpurge(stdout);  // what could not be written
    std::clearerr(stdout);
    for (auto [before, number] :
         {std::pair{&errors_before_, STDERR_FILENO}, std::pair{&before_, STDOUT_FILENO}}) {
      if (*before < 0) continue;
      dup2(*before, number);  // the last way in: the reader comes to the end
      close(std::exchange(*before, -1));
    }
    StopReading();
    return std::exchange(text_, {});
  }
  void StopReading() {
    if (reader_.joinable()) {
      if (before_ >= 0) {
        const std::scoped_lock lock(mutex_);
        enough_ = true;
      }
      reader_.join();
    }
    if (outer_ >= 0) close(std::exchange(outer_, -1));
  }
  // Waits until `word` was printed; all that was until then and was not asked for yet.
  std::string Until(std::string_view word) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(news_.wait_for(lock, 30s, [&] { return text_.contains(word); }))
        << "it did not print " << word << ", but " << text_;
    return std::exchange(text_, {});
  }

 private:
  void Read() {
    char bytes[4096];
    while (true) {
      pollfd wait{.fd = outer_, .events = POLLIN, .revents = 0};
      const int ready = poll(&wait, 1, 20);
      const std::scoped_lock lock(mutex_);
      if (enough_) return;
      if (ready <= 0) continue;
      const ssize_t count = read(outer_, bytes, sizeof bytes);
      if (count <= 0) return;
      text_.append(bytes, static_cast<std::size_t>(count));
      news_.notify_all();
    }
  }

  int before_ = -1;  // standard output as it was
  int errors_before_ = -1;
  int outer_ = -1;  // the end that is read
  std::thread reader_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable news_;
  std::string text_;
  bool enough_ = false;
};

// A folder of its own to work in, and KUBECONFIG.
class Terminal {
 public:
  Terminal() : before_(fs::current_path()) {
    folder_ =
        fs::canonical(fs::temp_directory_path()) / ("basalt-terminal-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::current_path(folder_);
    setenv("KUBECONFIG", (folder_ / "kubeconfig").c_str(), 1);
    for (const char* name : {"KUBERNETES_SERVICE_HOST", "NO_COLOR", "TERM"}) unsetenv(name);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_DFL);  // whoever runs the tests may have had it ignored
  }
  ~Terminal() {
    for (const std::string& name : environment_) unsetenv(name.c_str());
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  void StartCluster() {
    AsioLoop loop;
    const UpIdentity identity = IdentityOf(nullptr, loop.Now()).value();
    const auto certificate =
        net::MakeCertificate(identity.authority, {.common_name = "basalt",
                                                  .dns_names = {"localhost"},
                                                  .ip_addresses = {"127.0.0.1"},
                                                  .now = loop.Now(),
                                                  .lifetime = 1h});
    server_ =
        ApiServerThread::Start({.certificate = certificate.value(), .bearer_token = identity.token})
            .value();
    PointTo({.server = "https://127.0.0.1:" + std::to_string(server_->port()),
             .ca_pem = identity.authority.certificate_pem,
             .token = identity.token});
    Give(std::string(CrdManifests()));
  }

  void SetEnvironment(const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 1);
    environment_.push_back(name);
  }
  void SetWidth(unsigned short width) {
    width_ = width;
    if (std::getenv("TERM") == nullptr) SetEnvironment("TERM", "xterm");
  }

  void Give(const std::string& yaml) {
    auto manifests = ParseManifests(yaml, "given");
    ASSERT_TRUE(manifests) << manifests.error().message;
    AsioLoop loop;
    const kube::ClusterConfig config = kube::LoadConfig({}).value();
    Connection connection = Connect(loop, config, 0, 0).value();
    Applier applier(*connection.client);
    Result<void> applied;
    applier.Apply(*manifests, [&](Result<void> result) {
      applied = std::move(result);
      loop.Stop();
    });
    loop.Run();
    EXPECT_TRUE(applied) << applied.error().message;
    for (const Manifest& manifest : *manifests) {
      if (manifest.object.contains("status") && manifest.kind != "CustomResourceDefinition") {
        GiveStatus(manifest);
      }
    }
  }

  void Answer(std::string_view role, const std::string& what, net::HttpResponse with) {
    std::unique_ptr<AnsweringRole>& answering = roles_[std::string(role)];
    if (!answering && role == "server") {
      answering = std::make_unique<AnsweringRole>("localhost");
      PointTo(answering->Cluster());
    } else if (!answering) {
      const bool scheduler = role == "scheduler";
      answering = std::make_unique<AnsweringRole>(
          std::string(scheduler ? scheduler::query::kServerName : descheduler::kApiServerName));
      Give("{apiVersion: v1, kind: Namespace, metadata: {name: volcano-system}}");
      Give(json::serialize(
          answering->Secret(scheduler ? scheduler::query::kSecretName : descheduler::kApiSecret)));
    }
    answering->Answer(what, std::move(with));
  }

  // What a command prints, as stories have it.
  std::string Run(std::vector<std::string> words) {
    std::ifstream input;
    std::streambuf* const keyboard = std::cin.rdbuf();
    if (const std::string from = TakeFile(words, "<"); !from.empty()) {
      input.open(from);
      std::cin.rdbuf(input.rdbuf());
    }
    const std::string to = TakeFile(words, ">");
    testing::internal::CaptureStderr();
    Output output(to, width_);
    const int code = Call(words);
    const std::string printed = output.Close();
    const std::string complained = testing::internal::GetCapturedStderr();
    std::cin.rdbuf(keyboard);
    std::string out = Behind("  ", printed) + Behind("! ", complained);
    if (code != 0) out += "= " + std::to_string(code) + "\n";
    return Settled(out, folder_.string());
  }

  // A command that goes on.
  void Start(std::vector<std::string> words) {
    words.pop_back();
    output_ = std::make_unique<Output>("", width_, true);
    has_ended_ = false;
    going_on_ = std::thread([this, words = std::move(words)] {
      left_with_ = Call(words);
      has_ended_ = true;
    });
  }
  std::string Sees(std::string_view word) {
    return Settled(Behind("  ", output_->Until(word)), folder_.string());
  }
  // It ends by itself once nobody reads any more.
  std::string Stop() {
    output_->StopReading();
    return Ended();
  }
  std::string Interrupt(int signal) {
    EXPECT_FALSE(has_ended_) << "it has ended by itself";
    // To the thread that set the handler up.
    if (!has_ended_) pthread_kill(going_on_.native_handle(), signal);
    return Ended();
  }

 private:
  // Its exit code where it is not 0.
  std::string Ended() {
    going_on_.join();
    output_.reset();
    return left_with_ == 0 ? "" : "= " + std::to_string(left_with_) + "\n";
  }

  static int Call(const std::vector<std::string>& words) {
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    return RunBasalt(static_cast<int>(arguments.size()), arguments.data());
  }

  // The file behind the sign, which is taken out; "": there is none.
  static std::string TakeFile(std::vector<std::string>& words, std::string_view sign) {
    const auto at = std::ranges::find(words, sign);
    if (at == words.end()) return "";
    const std::string file = *(at + 1);
    words.erase(at, at + 2);
    return file;
  }

  static void PointTo(const UpCluster& cluster) {
    json::object config = ParseKubeconfig("").value();
    AddCluster(config, "basalt", cluster);
    std::ofstream("kubeconfig") << json::serialize(config);
  }

  static std::string Behind(std::string_view sign, const std::string& text) {
    std::istringstream lines(text);
    std::string out;
    for (std::string line; std::getline(lines, line);) {
      out += std::string(sign) + (line.empty() ? "~" : line) + "\n";
    }
    return out;
  }

  void GiveStatus(const Manifest& manifest) {
    std::string plural;
    for (const char c : manifest.kind) {
      plural += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const std::string group =
        (manifest.api_version.contains('/') ? "/apis/" : "/api/") + manifest.api_version;
    const bool everywhere = manifest.kind == "Queue" || manifest.kind == "Node";
    const std::string ns = manifest.ns.empty() ? "default" : manifest.ns;
    auto cluster = ClusterSession::Open({}).value();
    const auto told = cluster->Send(
        {.method = "PATCH",
         .path = group + (everywhere ? "" : "/namespaces/" + ns) + "/" + plural + "s/" +
                 manifest.name + "/status",
         .body = json::serialize(json::object{{"status", manifest.object.at("status")}}),
         .content_type = "application/merge-patch+json"});
    EXPECT_TRUE(told) << manifest.name << ": " << told.error().message;
  }

  fs::path before_;
  fs::path folder_;
  std::unique_ptr<ApiServerThread> server_;
  std::map<std::string, std::unique_ptr<AnsweringRole>> roles_;
  std::vector<std::string> environment_;  // names
  unsigned short width_ = 0;
  std::unique_ptr<Output> output_;  // of the command that goes on
  std::thread going_on_;
  std::atomic<bool> has_ended_ = false;
  int left_with_ = 0;
};

class TerminalTeller {
 public:
  std::string Tell(std::string_view story) {
    std::istringstream lines{std::string(story)};
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(' ') || line.starts_with('!') || line.starts_with("= ")) continue;
      if (line.starts_with("| ") || line == "|") {
        below_ += (line.size() > 2 ? line.substr(2) : "") + "\n";
        out_ += line + "\n";
        continue;
      }
      Finish();
      out_ += line + "\n";
      if (!line.empty() && line[0] != '#') Begin(line);
    }
    Finish();
    return out_;
  }

 private:
  void Begin(const std::string& line) {
    std::vector<std::string> words = TypedWords(line);
    if (words[0] == "$") {
      words.erase(words.begin());
      if (words.back() == "&") {
        terminal_.Start(std::move(words));
      } else {
        out_ += terminal_.Run(std::move(words));
      }
    } else if (words[0] == "sees") {
      out_ += terminal_.Sees(line.substr(5));
    } else if (words[0] == "waits") {
      terminal_.Sees(line.substr(std::string_view("waits for ").size()));
    } else if (words[0] == "stop") {
      out_ += terminal_.Stop();
    } else if (words[0] == "interrupt") {
      out_ += terminal_.Interrupt(SIGTERM);
    } else if (words[0] == "hang") {
      out_ += terminal_.Interrupt(SIGHUP);
    } else if (words[0] == "environment") {
      terminal_.SetEnvironment(words.at(1), words.at(2));
    } else if (words[0] == "terminal") {
      terminal_.SetWidth(static_cast<unsigned short>(std::stoi(words.at(1))));
    } else if (words[0] == "cluster") {
      terminal_.StartCluster();
    } else {
      open_ = std::move(words);
    }
  }

  // Does what a line and those that belong to it ask for.
  void Finish() {
    const std::vector<std::string> words = std::exchange(open_, {});
    const std::string text = std::exchange(below_, {});
    if (words.empty()) return;
    if (words[0] == "given") {
      terminal_.Give(text);
    } else if (words[0] == "file") {
      std::ofstream(words.at(1)) << text;
    } else if (words.size() > 3 && words[1] == "answers") {
      terminal_.Answer(words[0], words[2] + " " + words[3],
                       {.status = words.size() > 4 ? std::stoi(words[4]) : 200, .body = text});
    } else {
      ADD_FAILURE() << "a story at a terminal knows no " << words[0];
    }
  }

  Terminal terminal_;
  std::vector<std::string> open_;
  std::string below_;
  std::string out_;
};

std::string TellAtTerminal(std::string_view story) { return TerminalTeller().Tell(story); }

[[maybe_unused]] const bool kTerminalStories = testutil::RegisterStories(__FILE__, TellAtTerminal);

}  // namespace
}  // namespace basalt::cli
