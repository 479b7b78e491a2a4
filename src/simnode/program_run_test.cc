#include "simnode/program_run.h"

#include <gtest/gtest.h>

#include <string>

#include "kube/types/time.h"

namespace basalt::simnode {
namespace {

// "5s", "5s 3" with an exit code, "ever", "?" where it cannot be told, "!128" for a program that
// cannot be started.
std::string Told(const kube::Container& container) {
  const auto run = RunOf(container);
  if (!run) return "?";
  if (run->cannot_start) return "!" + std::to_string(run->exit_code);
  if (!run->duration) return "ever";
  std::string text = kube::FormatDuration(*run->duration);
  if (run->exit_code != 0) text += " " + std::to_string(run->exit_code);
  return text;
}

TEST(ProgramRunTest, ProgramsAloneAreKnownByTheirNames) {
  struct Case {
    std::vector<std::string> command;
    std::vector<std::string> args;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {{"sleep", "30"}, {}, "30s"},
           {{"/bin/sleep"}, {"1.5"}, "1.5s"},
           {{"sleep"}, {"2m"}, "2m0s"},
           {{"sleep", "1m", "5"}, {}, "1m5s"},
           {{}, {"sleep", "7"}, "7s"},
           {{"sleep", "infinity"}, {}, "ever"},
           {{"sleep", "1000000000000"}, {}, "ever"},
           {{"sleep"}, {}, "0s 1"},
           {{"sleep", "a while"}, {}, "?"},
           {{"sleep", "$(SECONDS)"}, {}, "?"},
           {{"true"}, {}, "0s"},
           {{"/bin/false"}, {}, "0s 1"},
           {{"echo", "hello"}, {}, "0s"},
           {{"tail", "-f", "/dev/null"}, {}, "ever"},
           {{"/usr/sbin/sshd", "-D"}, {}, "ever"},
           {{"nginx"}, {}, "?"},
           {{"python", "-c", "exit(3)"}, {}, "?"},
           {{}, {}, "?"},
           {{""}, {}, "?"},
           {{"exit", "1"}, {}, "!128"},
       }) {
    EXPECT_EQ(Told({.command = c.command, .args = c.args}), c.want)
        << testing::PrintToString(c.command) << testing::PrintToString(c.args);
  }
}

TEST(ProgramRunTest, ScriptsAreFollowedToTheirEnd) {
  struct Case {
    const char* script;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"sleep 9", "9s"},
           {" exec  sleep 9 ", "9s"},
           {"sleep 10s && exit 3", "10s 3"},
           {"sleep 5; echo x", "5s"},
           {"exit 7", "0s 7"},
           {"exit 256", "0s"},
           {"exit", "0s"},
           {"false; exit", "0s 1"},
           {"exit 1; sleep 100", "0s 1"},
           {"exit $CODE", "?"},
           {"false && sleep 100", "0s 1"},
           {"false || sleep 4", "4s"},
           {"true || sleep 100", "0s"},
           {"false || true && sleep 2", "2s"},
           {"true && false || exit 4", "0s 4"},
           {"false; sleep 3", "3s"},
           {"set -e; false; sleep 3", "0s 1"},
           {"set -ex\nfalse || true\nsleep 3\n", "3s"},
           {"set -o errexit; false && true; sleep 2; false; sleep 9", "2s 1"},
           {"echo 'a && b; exit 9' > /tmp/f 2>&1; sleep 1", "1s"},
           {"echo \"it's \\\" $HOME\" | tee /log; exit 2", "0s 2"},
           {"sleep 3 | sleep 8", "8s"},
           {"exit 5 | true; sleep 1", "1s"},
           {"A=1 B=2 sleep 6", "6s"},
           {"A=1; export B=2; cd /tmp; sleep 6", "6s"},
           {"# a comment\n\n  sleep 2 # another; exit 9\n", "2s"},
           {"echo a && \\\n  sleep 2 &&\n  echo b", "2s"},
           {"mkdir -p /var/run/sshd; /usr/sbin/sshd; sleep 10", "10s"},
           {"mkdir -p /var/run/sshd; /usr/sbin/sshd -D;", "ever"},
           {"echo begin; sleep infinity; exit 1", "ever"},
           {"", "0s"},
           {"while true; do sleep 1; done", "?"},
           {"for i in 1 2; do sleep 1; done", "?"},
           {"sleep 5 & wait", "?"},
           {"(sleep 5)", "?"},
           {"sleep $(cat /n)", "?"},
           {"echo `date`", "?"},
           {"python train.py && sleep 5", "?"},
           {"echo 'open", "?"},
           {"&& sleep 1", "?"},
           {"sleep 1 &&", "?"},
       }) {
    EXPECT_EQ(Told({.image = "ubuntu", .command = {"sh", "-c", c.script}}), c.want) << c.script;
  }
}

TEST(ProgramRunTest, ShellsAreCalledInManyWays) {
  const std::string script = "false; sleep 3";
  EXPECT_EQ(Told({.command = {"/bin/bash", "-c"}, .args = {script}}), "3s");
  EXPECT_EQ(Told({.command = {"sh", "-ec", script}}), "0s 1");
  EXPECT_EQ(Told({.command = {"/bin/sh", "-e", "-c", script, "name", "argument"}}), "0s 1");
  EXPECT_EQ(Told({.command = {"bash", "--norc", "-lc", script}}), "3s");
  EXPECT_EQ(Told({.command = {"sh", "-c"}}), "?");
  EXPECT_EQ(Told({.command = {"sh", "run.sh"}}), "?");
  EXPECT_EQ(Told({.command = {"sh", "-c", std::string(100'000, 'x')}}), "?");
}

TEST(ProgramRunTest, AProgramThatBusyboxLacksIsNotFound) {
  const auto script = [](const char* image, const char* text) {
    return Told({.image = image, .command = {"sh", "-c", text}});
  };
  EXPECT_EQ(script("busybox", "no-such-program --now"), "0s 127");
  EXPECT_EQ(script("docker.io/library/busybox:1.36", "sleep 2; python train.py"), "2s 127");
  EXPECT_EQ(script("busybox", "/usr/bin/python x || sleep 4"), "4s");
  EXPECT_EQ(script("busybox", "/scripts/run"), "?");
  EXPECT_EQ(script("busybox", "wget -q example.com"), "?");
  EXPECT_EQ(script("ubuntu", "no-such-program"), "?");
  EXPECT_EQ(Told({.image = "busybox", .command = {"python"}}), "!128");
  EXPECT_EQ(Told({.image = "ubuntu", .command = {"python"}}), "?");
}

}  // namespace
}  // namespace basalt::simnode
