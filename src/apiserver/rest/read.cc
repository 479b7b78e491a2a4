#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <utility>
#include <vector>

#include "apiserver/object/json_text.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/list_options.h"
#include "apiserver/rest/render.h"
#include "apiserver/rest/selection.h"

namespace basalt::apiserver {
namespace {

// What a list shows.
struct Page {
  std::uint64_t version = 0;  // of the state that it shows
  std::vector<StoredPtr> objects;
  std::string continue_token;
  std::uint64_t remaining = 0;  // after this page; unknown with selectors: 0
};

ApiStatus TooLargeVersion(std::uint64_t wanted, std::uint64_t current) {
  StatusDetails details{.retry_after_seconds = 1};
  details.causes.push_back(
      {.reason = "ResourceVersionTooLarge", .message = "Too large resource version"});
  return {.code = 504,
          .reason = "Timeout",
          .message =
              fmt::format("Timeout: Too large resource version: {}, current: {}", wanted, current),
          .details = std::move(details)};
}

// A page from a state that the history no longer tells. The token lets the client go on from the
// same place in today's state, which is then not consistent with the pages before.
ApiStatus ContinueExpired(const ContinueToken& token, std::uint64_t current) {
  ApiStatus status = refusal::Expired(
      "The provided continue parameter is too old to display a consistent list result. You can "
      "start a new list without the continue parameter, or use the continue token in this response "
      "to retrieve the remainder of the results. Continuing with the provided token results in an "
      "inconsistent list - objects that were created, modified, or deleted between the time the "
      "first chunk was returned and now may show up in the list.");
  status.continue_token = ContinueToken{.version = current, .start = token.start}.Encode();
  return status;
}

// The state to show, and where in it to start.
struct Start {
  std::uint64_t version = 0;
  std::string key;
  std::uint64_t rest = 0;  // objects from there on; 0: not known
};

ApiResult<Start> StartOf(const Store& store, const ListOptions& options,
                         const std::string& prefix) {
  Start start{.version = store.version(), .key = prefix};
  if (!options.continue_token.empty()) {
    if (!options.resource_version.empty() && options.resource_version != "0") {
      return Refuse(
          refusal::BadRequest("specifying resource version is not allowed when using continue"));
    }
    const ApiResult<ContinueToken> token = ContinueToken::Decode(options.continue_token);
    if (!token) return Refuse(token.error());
    if (token->version < store.oldest_version()) {
      return Refuse(ContinueExpired(*token, store.version()));
    }
    start.version = std::min(token->version, store.version());
    start.key = prefix + token->start;
    start.rest = token->rest;
    return start;
  }
  if (options.resource_version.empty() || options.resource_version == "0") return start;
  const std::optional<std::uint64_t> version = ParseVersion(options.resource_version);
  if (!version) {
    return Refuse(refusal::BadRequest(
        fmt::format("invalid resource version: resourceVersion: Invalid value: \"{}\": {}",
                    options.resource_version, VersionError(options.resource_version))));
  }
  if (*version > store.version()) return Refuse(TooLargeVersion(*version, store.version()));
  // A version with a limit and no match rule means that very version, as it always has.
  const bool exact = options.resource_version_match == "Exact" ||
                     (options.resource_version_match.empty() && options.limit > 0);
  if (!exact) return start;
  if (*version < store.oldest_version()) {
    return Refuse(refusal::Expired("The resourceVersion for the provided list is too old."));
  }
  start.version = *version;
  return start;
}

ApiResult<Page> ReadPage(const Core& core, const ServedKind& kind, const Selection& selection,
                         const ListOptions& options) {
  const std::string& prefix = selection.key_prefix();
  const ApiResult<Start> start = StartOf(core.store, options, prefix);
  if (!start) return Refuse(start.error());
  Page page{.version = start->version};
  const std::size_t limit = static_cast<std::size_t>(std::max<std::int64_t>(options.limit, 0));
  std::string next;
  core.store.Scan(*kind.collection, start->version, start->key, [&](const StoredPtr& object) {
    if (!object->key.starts_with(prefix)) return false;
    if (!selection.Matches(*object)) return true;
    if (limit > 0 && page.objects.size() == limit) {
      if (next.empty()) {
        next = object->key.substr(prefix.size());
        // With selectors Kubernetes does not count the rest.
        if (selection.has_selectors()) return false;
        if (start->rest > limit) {
          page.remaining = start->rest - limit;
          return false;
        }
      }
      ++page.remaining;
      return true;
    }
    page.objects.push_back(object);
    return true;
  });
  if (!next.empty()) {
    page.continue_token =
        ContinueToken{.version = page.version, .start = next, .rest = page.remaining}.Encode();
  }
  return page;
}

void AppendListMetadata(std::string& out, const Page& page, bool always_continue) {
  out += fmt::format("\"metadata\":{{\"resourceVersion\":\"{}\"", page.version);
  if (!page.continue_token.empty() || always_continue) {
    out += ",\"continue\":";
    AppendJsonString(out, page.continue_token);
  }
  if (page.remaining > 0) out += fmt::format(",\"remainingItemCount\":{}", page.remaining);
  out += '}';
}

// The page as a document: `head` goes before its metadata, `list` between that and the items, which
// `append` writes.
template <class Append>
std::string PageText(const Page& page, std::string_view head, std::string_view list,
                     bool always_continue, Append append) {
  std::size_t size = 256;
  for (const StoredPtr& object : page.objects) size += object->text.size() + 64;
  std::string out;
  out.reserve(size);
  out += head;
  AppendListMetadata(out, page, always_continue);
  out += list;
  for (std::size_t i = 0; i < page.objects.size(); ++i) {
    if (i > 0) out += ',';
    append(out, *page.objects[i]);
  }
  out += "]}";
  return out;
}

std::string HeadOf(std::string_view kind, std::string_view api_version) {
  return fmt::format("{{\"kind\":{},\"apiVersion\":{},", Quoted(kind), Quoted(api_version));
}

std::string ListText(const ServedKind& kind, const Page& page) {
  return PageText(page, HeadOf(kind.info.list_kind, kind.info.ApiVersion()), ",\"items\":[",
                  kind.custom != nullptr, [&kind](std::string& out, const StoredObject& object) {
                    kind.AppendItem(out, object);
                  });
}

std::string TableText(const ServedKind& kind, const Page& page, Time now,
                      std::string_view include_object) {
  const std::string list =
      fmt::format(",\"columnDefinitions\":{},\"rows\":[", ToText(json::value(TableColumns(kind))));
  return PageText(page, HeadOf("Table", "meta.k8s.io/v1"), list, false,
                  [&](std::string& out, const StoredObject& object) {
                    AppendJson(out, TableRow(kind, kind.Load(object), now, include_object));
                  });
}

std::string PartialListText(const ServedKind& kind, const Page& page) {
  return PageText(page, HeadOf("PartialObjectMetadataList", "meta.k8s.io/v1"), ",\"items\":[",
                  false, [&kind](std::string& out, const StoredObject& object) {
                    AppendJson(out, PartialMetadata(kind.Load(object)));
                  });
}

}  // namespace

void HandleGet(const CallPtr& call) {
  if (const StoredPtr stored = call->FindOrRefuse()) call->Reply(200, *stored);
}

void HandleList(const CallPtr& call) {
  if (call->format.shape == OutputFormat::Shape::kPartialMetadata && !call->format.of_list) {
    const std::string& group = call->info().group;
    return call->Refuse(
        {.code = 406,
         .reason = "NotAcceptable",
         .message = fmt::format(
             "you requested PartialObjectMetadata, but the requested object is a list (*{}.{})",
             group.empty() ? "core" : group.substr(0, group.find('.')), call->info().list_kind)});
  }
  const ApiResult<ListOptions> options = ListOptions::Parse(call->query, false);
  if (!options) return call->Refuse(options.error());
  const ApiResult<Selection> selection =
      Selection::Parse(call->kind, call->query, call->path.ns, "");
  if (!selection) return call->Refuse(selection.error());
  const ApiResult<Page> page = ReadPage(call->core, *call->kind, *selection, *options);
  if (!page) return call->Refuse(page.error());
  switch (call->format.shape) {
    case OutputFormat::Shape::kObject: return call->ReplyJson(200, ListText(*call->kind, *page));
    case OutputFormat::Shape::kTable:
      return call->ReplyJson(
          200, TableText(*call->kind, *page, call->core.loop.Now(), call->format.include_object));
    case OutputFormat::Shape::kPartialMetadata:
      return call->ReplyJson(200, PartialListText(*call->kind, *page));
  }
}

}  // namespace basalt::apiserver
