#include "llm/curl_transport.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "util/text.hpp"

namespace kgen::llm {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr int kPollMs = 25;
constexpr std::size_t kMaxHeaders = 200;

// CURL and CURLM are both void: one deleter each.
struct EasyDelete {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiDelete {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct ListDelete {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, ListDelete>;

void check(CURLcode code, const char* call) {
  if (code != CURLE_OK) throw std::logic_error(std::string(call) + ": " + curl_easy_strerror(code));
}
void check(CURLMcode code, const char* call) {
  if (code != CURLM_OK) throw std::logic_error(std::string(call) + ": " + curl_multi_strerror(code));
}
#define KGEN_CURL(call) check(call, #call)

void start_curl_once() {
  static std::once_flag once;
  std::call_once(once, [] { KGEN_CURL(curl_global_init(CURL_GLOBAL_DEFAULT)); });
}

/// One transfer in flight; libcurl's callbacks write into it.
struct Exchange {
  const HttpSink* sink = nullptr;
  std::size_t max_body_bytes = 0;
  HttpHead head;
  bool head_given = false;
  bool stopped = false;  ///< the sink wants no more
  bool too_big = false;
  std::size_t body_bytes = 0;
  SteadyTime last_byte = std::chrono::steady_clock::now();
};

void give_head(Exchange& exchange) {
  if (std::exchange(exchange.head_given, true)) return;
  if (exchange.sink->head) exchange.sink->head(exchange.head);
}

std::size_t on_header(char* bytes, std::size_t, std::size_t count, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  exchange.last_byte = std::chrono::steady_clock::now();
  const std::string_view line(bytes, count);
  if (line.starts_with("HTTP/")) {  // a new response: what came before was a 1xx or a proxy's
    exchange.head = HttpHead{};
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos)
      exchange.head.status = std::atoi(std::string(line.substr(space + 1, 3)).c_str());
  } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    std::string name(util::trimmed(line.substr(0, colon)));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (exchange.head.headers.size() < kMaxHeaders)
      exchange.head.headers[name] = std::string(util::trimmed(line.substr(colon + 1)));
  }
  return count;
}

std::size_t on_body(char* bytes, std::size_t, std::size_t count, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  exchange.last_byte = std::chrono::steady_clock::now();
  give_head(exchange);
  exchange.body_bytes += count;
  if (exchange.body_bytes > exchange.max_body_bytes) {
    exchange.too_big = true;
    return 0;
  }
  if (exchange.sink->data && !exchange.sink->data({bytes, count})) {
    exchange.stopped = true;
    return 0;
  }
  return count;
}

class CurlTransport : public HttpTransport {
 public:
  explicit CurlTransport(CurlSettings settings) : settings_(std::move(settings)) { start_curl_once(); }

  HttpOutcome post(const HttpRequest& request, const HttpSink& sink) override {
    Exchange exchange;
    exchange.sink = &sink;
    exchange.max_body_bytes = settings_.max_body_bytes;
    const std::unique_ptr<CURLM, MultiDelete> multi(curl_multi_init());
    const std::unique_ptr<CURL, EasyDelete> easy(curl_easy_init());
    if (!multi || !easy) throw std::bad_alloc();
    const HeaderList headers = header_list(request);
    char words[CURL_ERROR_SIZE] = "";
    set_options(easy.get(), request, headers.get(), exchange, words);

    KGEN_CURL(curl_multi_add_handle(multi.get(), easy.get()));
    HttpOutcome outcome = drive(multi.get(), easy.get(), request, exchange, words);
    KGEN_CURL(curl_multi_remove_handle(multi.get(), easy.get()));
    if (exchange.head.status > 0 && outcome.end == TransferEnd::done) give_head(exchange);
    outcome.status = exchange.head.status;
    outcome.headers = std::move(exchange.head.headers);
    return outcome;
  }

 private:
  static HeaderList header_list(const HttpRequest& request) {
    HeaderList list;
    const auto append = [&list](const std::string& line) {
      curl_slist* longer = curl_slist_append(list.get(), line.c_str());
      if (longer == nullptr) throw std::bad_alloc();
      if (list == nullptr) list.reset(longer);  // else the first node stays the first
    };
    append("Expect:");
    for (const auto& [name, value] : request.headers) {
      std::string line = name;
      append(line.append(": ").append(value));
    }
    return list;
  }

  void set_options(CURL* easy, const HttpRequest& request, curl_slist* headers, Exchange& exchange,
                   char* words) const {
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str()));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https"));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_QUICK_EXIT,
                               1L));  // a hanging name look-up must not hold up cancelling
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_POST, 1L));
    KGEN_CURL(
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size())));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.c_str()));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_USERAGENT, "kgen"));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                               static_cast<long>(request.connect_timeout_s * 1000)));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_HEADERDATA, &exchange));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_WRITEDATA, &exchange));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L));
    KGEN_CURL(curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, words));
    if (!settings_.ca_file.empty())
      KGEN_CURL(curl_easy_setopt(easy, CURLOPT_CAINFO, settings_.ca_file.c_str()));
    if (!settings_.ca_folder.empty())
      KGEN_CURL(curl_easy_setopt(easy, CURLOPT_CAPATH, settings_.ca_folder.c_str()));
  }

  static HttpOutcome drive(CURLM* multi, CURL* easy, const HttpRequest& request, Exchange& exchange,
                           const char* words) {
    const SteadyTime start = std::chrono::steady_clock::now();
    const auto seconds_since = [](SteadyTime then) {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
    };
    HttpOutcome outcome;
    curl_off_t sent_bytes = 0;
    for (int running = 1;;) {
      KGEN_CURL(curl_multi_perform(multi, &running));
      curl_off_t sent_now = 0;
      KGEN_CURL(curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &sent_now));
      if (sent_now != std::exchange(sent_bytes, sent_now))
        exchange.last_byte = std::chrono::steady_clock::now();
      outcome.sent = sent_now > 0 || exchange.head.status > 0;
      if (running == 0) return finish(multi, exchange, words, std::move(outcome));
      if (exchange.sink->cancelled && exchange.sink->cancelled()) {
        outcome.end = TransferEnd::cancelled;
      } else if (seconds_since(start) > request.total_timeout_s) {
        outcome.end = TransferEnd::too_slow;
      } else if (seconds_since(exchange.last_byte) > request.idle_timeout_s) {
        outcome.end = TransferEnd::idle;
      }
      if (outcome.end != TransferEnd::done) return outcome;
      KGEN_CURL(curl_multi_poll(multi, nullptr, 0, kPollMs, nullptr));
    }
  }

  static HttpOutcome finish(CURLM* multi, const Exchange& exchange, const char* words, HttpOutcome outcome) {
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(multi, &left);
    const CURLcode code = message != nullptr ? message->data.result : CURLE_OK;
    if (code == CURLE_OK || exchange.stopped) return outcome;
    outcome.detail = words[0] != '\0' ? words : curl_easy_strerror(code);
    outcome.end = exchange.too_big            ? TransferEnd::too_big
                  : exchange.head.status == 0 ? TransferEnd::connection_failed
                                              : TransferEnd::cut;
    return outcome;
  }

  CurlSettings settings_;
};

}  // namespace

std::unique_ptr<HttpTransport> make_curl_transport(CurlSettings settings) {
  return std::make_unique<CurlTransport>(std::move(settings));
}

}  // namespace kgen::llm
