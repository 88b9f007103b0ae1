#include "llm/http_client.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <random>
#include <thread>
#include <utility>

#include "llm/http_attempt.hpp"
#include "llm/redact.hpp"

namespace kgen::llm {
namespace {

using Kind = AttemptResult::Kind;

/// A reply that was cut is asked for again this often: each time may be paid for.
constexpr int kMaxTruncatedRetries = 2;

class HttpClient : public Client {
 public:
  explicit HttpClient(HttpClientParts parts) : parts_(std::move(parts)) {}

  std::string name() const override { return parts_.codec->name(); }
  std::string model() const override { return parts_.defaults.model; }

  Result<Reply> ask(const Request& request) override {
    const ModelOptions options = merged(request.options);
    const EncodedRequest encoded = parts_.codec->encode(request.prompt, options);
    const double start_s = parts_.surroundings.now_s();
    Reply reply;  // gathers what all attempts used
    reply.model = options.model;
    reply.usage_complete = true;
    std::string longest_part;
    int cuts = 0;
    for (;; ++reply.retries) {
      AttemptResult result = attempt_once(parts_, encoded, request);
      reply.usage += result.usage;
      const bool complete = result.kind == Kind::complete;
      if (result.possibly_paid && !(complete && result.usage_known)) reply.usage_complete = false;
      if (!result.decoded.model.empty()) reply.model = result.decoded.model;
      if (!result.request_id.empty()) reply.request_id = result.request_id;
      reply.seconds = parts_.surroundings.now_s() - start_s;
      if (complete) return finished(std::move(reply), result.decoded);

      const bool cut = result.kind == Kind::truncated;
      if (result.decoded.text.size() > longest_part.size()) longest_part = result.decoded.text;
      const RetryDecision decision = decide(result, reply.retries, cut ? cuts++ : 0);
      const bool again = decision.action == RetryDecision::Action::retry;
      report(request, result, reply, again ? std::optional(decision.delay_s) : std::nullopt);
      if (result.kind == Kind::cancelled) return interrupted();
      if (!again) {
        if (!cut || longest_part.empty()) return failed(result, decision, reply.retries);
        result.decoded.text = std::move(longest_part);
        result.decoded.stop = StopReason::truncated;
        return finished(std::move(reply), result.decoded);
      }
      if (!parts_.surroundings.sleep(decision.delay_s, request.cancelled)) return interrupted();
    }
  }

 private:
  ModelOptions merged(ModelOptions options) const {
    const ModelOptions& defaults = parts_.defaults;
    if (options.model.empty()) options.model = defaults.model;
    if (!options.max_output_tokens) options.max_output_tokens = defaults.max_output_tokens;
    if (options.effort.empty()) options.effort = defaults.effort;
    if (!options.temperature) options.temperature = defaults.temperature;
    return options;
  }

  RetryDecision decide(const AttemptResult& result, int retries, int cuts) const {
    if (result.kind == Kind::cancelled || result.kind == Kind::final) return {};
    if (result.kind == Kind::truncated && (cuts >= kMaxTruncatedRetries || result.retry_useless)) return {};
    return next_delay(parts_.limits, retries, result.failure, parts_.surroundings.random(),
                      parts_.surroundings.now_unix());
  }

  std::optional<double> cost(const std::string& model, const Usage& usage) const {
    const std::optional<Price> price = parts_.models.find_price(model);
    return price ? std::optional(cost_usd(*price, usage)) : std::nullopt;
  }

  void report(const Request& request, const AttemptResult& result, const Reply& so_far,
              std::optional<double> wait_s) const {
    if (!request.attempt_failed) return;
    FailedAttempt failed;
    failed.number = so_far.retries + 1;
    failed.problem = result.problem;
    failed.usage = result.usage;
    failed.possibly_paid = result.possibly_paid;
    if (result.possibly_paid) failed.cost_usd = cost(so_far.model, result.usage);
    failed.wait_s = wait_s;
    request.attempt_failed(failed);
  }

  Result<Reply> finished(Reply reply, const Decoded& decoded) const {
    reply.cost_usd = cost(reply.model, reply.usage);
    const auto clean = [&](const std::string& text) { return without_known(text, parts_.endpoint.secrets); };
    reply.text = clean(decoded.text);
    reply.reasoning = clean(decoded.reasoning);
    reply.model = clean(reply.model);
    reply.request_id = clean(reply.request_id);
    reply.stop = decoded.stop;
    reply.stop_detail = show_text(parts_.endpoint, decoded.stop_detail);
    return reply;
  }

  std::string who() const {
    return name() + " at " + redact(parts_.endpoint.base_url, parts_.endpoint.secrets);
  }

  Result<Reply> interrupted() const {
    return fail(ErrorKind::interrupted, who() + ": interrupted; the call may have been paid for");
  }

  Result<Reply> failed(const AttemptResult& result, const RetryDecision& decision, int retries) const {
    std::string message = who() + ": " + result.problem;
    if (decision.action == RetryDecision::Action::suspend) {
      const std::string wait = std::to_string(std::llround(decision.delay_s)) + " s";
      return fail(ErrorKind::provider, message + "; it asks to wait " + wait + ", longer than kgen waits",
                  "resume the run in " + wait);
    }
    if (retries > 0)
      message += " (after " + std::to_string(retries) + (retries == 1 ? " retry)" : " retries)");
    return fail(ErrorKind::provider, std::move(message), result.hint);
  }

  HttpClientParts parts_;
};

bool sleep_for(double seconds, const std::function<bool()>& cancelled) {
  using Clock = std::chrono::steady_clock;
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while (Clock::now() < end) {
    if (cancelled && cancelled()) return false;
    std::this_thread::sleep_for(std::min<Clock::duration>(end - Clock::now(), std::chrono::milliseconds(50)));
  }
  return !(cancelled && cancelled());
}

}  // namespace

Surroundings real_surroundings() {
  return {[] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
          },
          [] { return static_cast<std::int64_t>(std::time(nullptr)); },
          [engine = std::mt19937_64(std::random_device()())]() mutable {
            return std::uniform_real_distribution<double>(0, 1)(engine);
          },
          sleep_for};
}

std::unique_ptr<Client> make_http_client(HttpClientParts parts) {
  return std::make_unique<HttpClient>(std::move(parts));
}

}  // namespace kgen::llm
