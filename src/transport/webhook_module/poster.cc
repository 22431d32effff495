// The entry of libassay-webhook.so: posts by libcurl, one handle per attempt.
#include <curl/curl.h>

#include <memory>

#include "transport/webhook.h"

namespace assay::transport::module {
namespace {

constexpr long kConnectPatience = 5'000;    // milliseconds
constexpr std::size_t kMostAnswer = 65536;  // bytes that we let a receiver say

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Fields = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

std::size_t throw_away(char*, std::size_t size, std::size_t count, void* heard) {
  auto& total = *static_cast<std::size_t*>(heard);
  total += size * count;
  return total > kMostAnswer ? 0 : size * count;
}

int look_for_abort(void* abort, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::atomic<bool>*>(abort)->load() ? 1 : 0;
}

Fields to_list(const std::vector<std::string>& fields) {
  curl_slist* list = nullptr;
  for (const std::string& field : fields)
    list = curl_slist_append(list, field.c_str());
  list = curl_slist_append(list, "Expect:");  // no asking whether we may
  return {list, curl_slist_free_all};
}

// Where it may go was decided from the URL alone: nothing else has a word in it.
void stay_on_the_path(CURL* handle) {
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(handle, CURLOPT_PROXY, "");
  curl_easy_setopt(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
}

void be_patient(CURL* handle, std::chrono::milliseconds patience, const std::atomic<bool>& abort) {
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);  // a name server may hang, too
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(patience.count()));
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, kConnectPatience);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, look_for_abort);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &abort);
}

class CurlPoster final : public WebhookPoster {
 public:
  WebhookAnswer post(const WebhookRequest& request, const std::atomic<bool>& abort) override {
    const Handle handle(curl_easy_init(), curl_easy_cleanup);
    if (!handle) return {.trouble = "no memory for a connection"};
    const Fields fields = to_list(request.fields);
    std::size_t heard = 0;
    stay_on_the_path(handle.get());
    be_patient(handle.get(), request.patience, abort);
    curl_easy_setopt(handle.get(), CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(handle.get(), CURLOPT_USERAGENT, "assayd");
    curl_easy_setopt(handle.get(), CURLOPT_HTTPHEADER, fields.get());
    curl_easy_setopt(handle.get(), CURLOPT_POST, 1L);
    curl_easy_setopt(handle.get(), CURLOPT_CUSTOMREQUEST, request.method);
    curl_easy_setopt(handle.get(), CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    const char* body = request.body.data();  // NOLINT: its size is said in the line above
    curl_easy_setopt(handle.get(), CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, throw_away);
    curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &heard);
    return answer(handle.get(), curl_easy_perform(handle.get()));
  }

 private:
  // A receiver that says more than we read has answered all the same.
  static WebhookAnswer answer(CURL* handle, CURLcode code) {
    if (code != CURLE_OK && code != CURLE_WRITE_ERROR) return {.trouble = curl_easy_strerror(code)};
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return {.status = static_cast<int>(status), .trouble = "no status"};
  }
};

}  // namespace
}  // namespace assay::transport::module

extern "C" assay::transport::WebhookPoster* assay_webhook_start(std::string* error) {
  if (const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK) {
    *error = curl_easy_strerror(code);
    return nullptr;
  }
  return new assay::transport::module::CurlPoster;
}
