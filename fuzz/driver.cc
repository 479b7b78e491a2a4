// The main program of every fuzzer: g++ has no libFuzzer, and clang 14 cannot compile
// std::expected.
//
//   fuzz_NAME [--seconds=N] [--seed=N] [--corpus=DIR]    mutates the corpus for N seconds
//   fuzz_NAME FILE...                                    runs just these inputs, to replay a crash
//
// An input that crashes, trips a sanitizer or runs for more than ten seconds is written to
// crash-NAME in the working directory before the program dies.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/coverage.h"
#include "fuzz/mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// Sanitizers read their defaults from these: what they find ends in SIGABRT, which saves the input.
extern "C" const char* __asan_default_options() { return "abort_on_error=1"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

namespace {

constexpr size_t kMaxInput = 4096;
constexpr size_t kMaxPool = 20'000;
constexpr unsigned kSecondsPerInput = 10;

// What a signal handler needs: the input at work, and where to write it.
const std::string* g_current = nullptr;
std::string g_crash_path;

void SaveCurrent() {
  if (g_current == nullptr) return;
  const int fd = open(g_crash_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) return;
  if (write(fd, g_current->data(), g_current->size()) >= 0) {
    constexpr std::string_view kSaved = "fuzz: the input is in ";
    if (write(2, kSaved.data(), kSaved.size()) >= 0 &&
        write(2, g_crash_path.data(), g_crash_path.size()) >= 0 && write(2, "\n", 1) >= 0) {
    }
  }
  close(fd);
  g_current = nullptr;
}

void OnSignal(int number) {
  SaveCurrent();
  signal(number, SIG_DFL);
  raise(number);
}

void RunOne(const std::string& input) {
  g_current = &input;
  alarm(kSecondsPerInput);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  g_current = nullptr;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "fuzz: cannot read %s\n", path.c_str());
    std::exit(2);
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

uint64_t NumberOrDie(std::string_view flag, std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    std::fprintf(stderr, "fuzz: %.*s wants a number, not \"%.*s\"\n", static_cast<int>(flag.size()),
                 flag.data(), static_cast<int>(text.size()), text.data());
    std::exit(2);
  }
  return value;
}

// Sorted, so that a seed means the same run everywhere.
std::vector<std::string> LoadCorpus(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  if (!folder.empty() && std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> pool = {"", "{}", "a=b", "1Gi", "/api/v1/pods"};
  for (const auto& file : files) pool.push_back(ReadFile(file));
  return pool;
}

void Fuzz(uint64_t seconds, uint64_t seed, const std::string& corpus) {
  std::vector<std::string> pool = LoadCorpus(corpus);
  const size_t seeds = pool.size();
  for (const std::string& input : pool) RunOne(input);
  basalt::fuzz::TookNewPath();
  basalt::fuzz::Mutator mutator(seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  uint64_t runs = pool.size();
  while (std::chrono::steady_clock::now() < end) {
    for (int n = 0; n < 64; ++n, ++runs) {
      std::string input = mutator.Next(pool, kMaxInput);
      RunOne(input);
      if (basalt::fuzz::TookNewPath() && pool.size() < kMaxPool) pool.push_back(std::move(input));
    }
  }
  std::printf(
      "%llu inputs in %llu s, %zu seeds, %zu more took new paths; --seed=%llu; nothing broke\n",
      static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seconds), seeds,
      pool.size() - seeds, static_cast<unsigned long long>(seed));
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seconds = 2;
  uint64_t seed = 1;
  std::string corpus;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg.starts_with("--seconds=")) {
      seconds = NumberOrDie("--seconds", arg.substr(10));
    } else if (arg.starts_with("--seed=")) {
      seed = NumberOrDie("--seed", arg.substr(7));
    } else if (arg.starts_with("--corpus=")) {
      corpus = arg.substr(9);
    } else if (arg.starts_with("--")) {
      std::fprintf(stderr, "usage: %s [--seconds=N] [--seed=N] [--corpus=DIR] | FILE...\n",
                   argv[0]);
      return 2;
    } else {
      files.emplace_back(arg);
    }
  }
  if (const char* wanted = std::getenv("BASALT_FUZZ_SECONDS")) {
    seconds = NumberOrDie("BASALT_FUZZ_SECONDS", wanted);
  }

  g_crash_path = "crash-" + std::filesystem::path(argv[0]).filename().string();
  // ASan turns the other deadly signals into SIGABRT, with a report.
  for (const int number : {SIGABRT, SIGALRM}) signal(number, OnSignal);
#ifndef __SANITIZE_ADDRESS__
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) signal(number, OnSignal);
#endif

  if (files.empty()) {
    Fuzz(seconds, seed, corpus);
  } else {
    for (const std::string& file : files) RunOne(ReadFile(file));
    std::printf("%zu inputs, nothing broke\n", files.size());
  }
  return 0;
}
