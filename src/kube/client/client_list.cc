// The part of Client that reads a collection page by page.
#include <fmt/core.h>

#include <utility>

#include "base/log.h"
#include "kube/client/client.h"
#include "kube/client/list_page.h"
#include "kube/client/request_parts.h"

namespace basalt::kube {
namespace {

// More than any collection has: a chain of pages that is longer has no end.
constexpr int kMostPages = 20'000;

// For an object that does not fit: what it is called, without the rest of it.
constexpr std::string_view kMetadataOnly =
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

// Notices a chain of tokens that comes back to where it was, with one token remembered: after one,
// two, four, … steps the newest.
class TokenChain {
 public:
  // Empty, or what is wrong with a chain that goes on with `token`.
  std::string Follow(const std::string& token) {
    if (++length_ > kMostPages) return fmt::format("a list of more than {} pages", kMostPages);
    if (token == remembered_) return "a list that comes back to a page that it had";
    if (length_ == next_remembered_) {
      remembered_ = token;
      next_remembered_ *= 2;
    }
    return "";
  }

 private:
  int length_ = 0;
  int next_remembered_ = 1;
  std::string remembered_;
};

}  // namespace

struct Client::Listing {
  std::string path;
  std::string resource;
  ListOptions options;
  PageHandler page;
  ListHandler done;
  int limit = 0;               // of the page under way; 0: none
  bool metadata_only = false;  // the page under way: one object that does not fit
  std::string continue_token;
  TokenChain chain;
};

void Client::List(const Resource& resource, std::string_view ns, ListOptions options,
                  PageHandler page, ListHandler done) {
  if (!IsPathSegment(ns)) {
    return Refuse(fmt::format("{}: {} is not a namespace", resource.plural, ns),
                  [done = std::move(done)](Result<ApiResponse> refused) mutable {
                    done(std::unexpected(refused.error()));
                  });
  }
  auto listing = std::make_shared<Listing>();
  listing->path = resource.Path(ns);
  listing->resource = HookName(resource, "");
  listing->options = std::move(options);
  listing->page = std::move(page);
  listing->done = std::move(done);
  listing->limit = page_limits_.Of(listing->path, listing->options.limit);
  NextPage(std::move(listing));
}

void Client::NextPage(std::shared_ptr<Listing> listing) {
  const ListOptions& options = listing->options;
  ApiRequest request{.method = "GET", .path = listing->path};
  if (listing->metadata_only) request.accept = kMetadataOnly;
  AddIfSet(request, "labelSelector", options.label_selector);
  AddIfSet(request, "fieldSelector", options.field_selector);
  if (listing->limit > 0) request.query.emplace_back("limit", fmt::format("{}", listing->limit));
  if (listing->continue_token.empty()) {
    AddIfSet(request, "resourceVersion", options.resource_version);
    AddIfSet(request, "resourceVersionMatch", options.resource_version_match);
  } else {  // the token holds the version
    request.query.emplace_back("continue", listing->continue_token);
  }
  Submit(std::move(request), listing->resource,
         scope_.Guard(
             [this, listing](Result<ApiResponse> result) { OnPage(listing, std::move(result)); }),
         options.call);
}

// The same place in the list again, with less of it. False: there is no less.
bool Client::AskForLess(Listing& listing) {
  if (listing.metadata_only) return false;
  const int smaller = page_limits_.Shrink(listing.path, listing.limit);
  if (smaller == 0) {
    listing.metadata_only = true;
    return true;
  }
  listing.limit = smaller;
  log::Warning("a page of the list is too large and is read in smaller ones",
               {{"resource", listing.resource}, {"objects", smaller}});
  return true;
}

void Client::OnPage(std::shared_ptr<Listing> listing, Result<ApiResponse> result) {
  if (!result) {
    const bool too_large = result.error().code == ErrorCode::kTooLarge;
    if (too_large && AskForLess(*listing)) return NextPage(std::move(listing));
    return listing->done(
        std::unexpected(too_large ? result.error().Wrap("one object alone is too large to be read")
                                  : result.error()));
  }
  Result<ListPage> page = ReadListPage(result->body);
  if (!page) return listing->done(std::unexpected(page.error()));
  PageHandler left_out;
  if (std::exchange(listing->metadata_only, false)) {
    left_out = [listing](std::string metadata) {
      if (!listing->options.left_out) return;
      listing->options.left_out(
          std::move(metadata),
          {.code = ErrorCode::kTooLarge, .message = "the object is larger than a response may be"});
    };
  } else {
    listing->limit = page_limits_.Fitted(listing->path, listing->limit, listing->options.limit,
                                         result->body.size());
  }
  PageHandler& deliver = left_out ? left_out : listing->page;
  if (!page->continue_token.empty()) {  // fetched while the owner works on this one
    listing->continue_token = std::move(page->continue_token);
    if (const std::string problem = listing->chain.Follow(listing->continue_token);
        !problem.empty()) {
      return listing->done(Fail(ErrorCode::kInternal, "the server gives out " + problem));
    }
    NextPage(listing);
    return deliver(std::move(result->body));
  }
  // The owner may destroy this client in its page handler.
  auto finish = scope_.Guard([listing, version = std::move(page->resource_version)]() mutable {
    listing->done(std::move(version));
  });
  deliver(std::move(result->body));
  finish();
}

}  // namespace basalt::kube
