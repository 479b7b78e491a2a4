#include "apiserver/core/core.h"

#include <fmt/format.h>

namespace basalt::apiserver {
namespace {

// Versions count up from the time of the start in microseconds: a client that outlives a restart
// never finds its old version in the new server's history.
std::uint64_t FirstVersion(const Clock& clock) {
  const auto since_epoch = clock.Now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count());
}

}  // namespace

Core::Core(Loop& its_loop, ServerOptions its_options, WebhookCaller* webhooks)
    : loop(its_loop),
      options(std::move(its_options)),
      store(FirstVersion(loop), {.events = options.watch_history}),
      random(options.seed),
      admission(*this, webhooks) {}

Core::~Core() = default;

std::optional<json::object> Core::Get(std::string_view group, std::string_view plural,
                                      std::string_view ns, std::string_view name) const {
  const KindPtr kind = kinds.FindResource(group, plural);
  if (kind == nullptr) return std::nullopt;
  const StoredPtr stored = Store::Get(*kind->collection, kind->Key(ns, name));
  if (stored == nullptr) return std::nullopt;
  return kind->Load(*stored);
}

std::vector<json::object> Core::List(std::string_view group, std::string_view plural,
                                     std::string_view ns) const {
  std::vector<json::object> all;
  const KindPtr kind = kinds.FindResource(group, plural);
  if (kind == nullptr) return all;
  const bool one_namespace = kind->info.namespaced && !ns.empty();
  kind->collection->ForEach(one_namespace ? kind->Key(ns, "") : "",
                            [&](const StoredPtr& object) { all.push_back(kind->Load(*object)); });
  return all;
}

std::uint64_t Core::LastChange(std::string_view group, std::string_view plural) const {
  const Collection* collection = store.Find(group, plural);
  return collection == nullptr ? 0 : collection->last_change;
}

std::string Core::NewUid() {
  const std::uint64_t a = random.Next();
  const std::uint64_t b = random.Next();
  // RFC 9562, version 4.
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32, (a >> 16) & 0xffff, a & 0xfff,
                     0x8000 | ((b >> 48) & 0x3fff), b & 0xffffffffffff);
}

std::string Core::NewName(std::string_view base) {
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t kSuffix = 5;
  constexpr std::size_t kMostBase = 63 - kSuffix;
  std::string name(base.substr(0, kMostBase));
  for (std::size_t i = 0; i < kSuffix; ++i) name += kAlphabet[random.Below(kAlphabet.size())];
  return name;
}

}  // namespace basalt::apiserver
