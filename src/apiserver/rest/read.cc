#include "apiserver/rest/read.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/rest/handlers.h"

namespace basalt::apiserver {
namespace {

ApiStatus TooLargeVersion(std::uint64_t wanted, std::uint64_t current) {
  return {504, "Timeout",
          fmt::format("Timeout: Too large resource version: {}, current: {}", wanted, current),
          StatusDetails{.causes = {{.reason = "ResourceVersionTooLarge",
                                    .message = "Too large resource version"}},
                        .retry_after_seconds = 1}};
}

// A page from a state that the history no longer tells. The token lets the client go on from the
// same place in today's state, which is then not consistent with the pages before.
ApiStatus ContinueExpired(const ContinueToken& token, std::uint64_t current) {
  ApiStatus status = refusal::Expired(
      "the continue token is too old for a consistent list: start a new one, or go on with the "
      "token in this answer from what is there now");
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
    return Refuse(
        refusal::BadRequest("resourceVersion: " + VersionError(options.resource_version)));
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

}  // namespace

ApiResult<Selection> Selection::Parse(const KindPtr& served, const Query& query,
                                      std::string_view ns, std::string_view name) {
  Selection selection;
  const ServedKind& kind = *served;
  selection.kind_ = served;
  selection.ns_ = ns;
  Result<kube::LabelSelector> labels = kube::LabelSelector::Parse(query.Get("labelSelector"));
  if (!labels) return Refuse(refusal::BadRequest(labels.error().message));
  selection.labels_ = std::move(*labels);

  std::string fields(query.Get("fieldSelector"));
  if (!name.empty())
    fields += (fields.empty() ? "metadata.name=" : ",metadata.name=") + std::string(name);
  Result<kube::FieldSelector> parsed = kube::FieldSelector::Parse(fields);
  if (!parsed) return Refuse(refusal::BadRequest(parsed.error().message));
  selection.fields_ = std::move(*parsed);
  for (const kube::FieldSelector::Requirement& requirement : selection.fields_.requirements()) {
    if (requirement.field == "metadata.name" || requirement.field == "metadata.namespace") continue;
    std::string value;
    if (!kind.info.rules->FieldValue({}, requirement.field, value)) {
      return Refuse(refusal::BadRequest("field label not supported: " + requirement.field));
    }
  }
  if (kind.info.namespaced && !ns.empty()) selection.key_prefix_ = kind.Key(ns, "");
  return selection;
}

bool Selection::Matches(const StoredObject& object) const {
  if (!ns_.empty() && object.ns() != ns_) return false;
  for (const kube::LabelRequirement& requirement : labels_.requirements()) {
    if (!requirement.Holds(object.Label(requirement.key))) return false;
  }
  return fields_.empty() || MatchesFields(object);
}

bool Selection::MatchesFields(const StoredObject& object) const {
  std::optional<json::object> parsed;  // only where a field of the kind's own is asked for
  for (const kube::FieldSelector::Requirement& requirement : fields_.requirements()) {
    std::string value;
    if (requirement.field == "metadata.name") {
      value = object.name();
    } else if (requirement.field == "metadata.namespace") {
      value = object.ns();
    } else if (const auto kept =
                   std::ranges::find(kind_->collection->kept_fields, requirement.field);
               kept != kind_->collection->kept_fields.end()) {
      value = object.Field(static_cast<std::size_t>(kept - kind_->collection->kept_fields.begin()));
    } else {
      if (!parsed) parsed = kind_->Load(object);
      kind_->info.rules->FieldValue(*parsed, requirement.field, value);
    }
    if ((value == requirement.value) != requirement.equal) return false;
  }
  return true;
}

void HandleGet(const CallPtr& call) {
  if (const StoredPtr stored = call->FindOrRefuse()) call->Reply(200, *stored);
}

void HandleList(const CallPtr& call) {
  if (call->format.shape == OutputFormat::Shape::kPartialMetadata && !call->format.of_list) {
    return call->Refuse(refusal::NotAcceptable("PartialObjectMetadataList"));
  }
  const ApiResult<ListOptions> options = ListOptions::Parse(call->query, false);
  if (!options) return call->Refuse(options.error());
  const ApiResult<Selection> selection =
      Selection::Parse(call->kind, call->query, call->path.ns, "");
  if (!selection) return call->Refuse(selection.error());
  const ApiResult<Page> page = ReadPage(call->core, *call->kind, *selection, *options);
  if (!page) return call->Refuse(page.error());
  call->ReplyText(200, RenderList(*call->kind, call->format, *page, call->core.loop.Now()));
}

}  // namespace basalt::apiserver
