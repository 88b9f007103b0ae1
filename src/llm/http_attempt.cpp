#include "llm/http_attempt.hpp"

#include <algorithm>
#include <utility>

#include "llm/redact.hpp"
#include "util/terminal.hpp"

namespace kgen::llm {
namespace {

using Kind = AttemptResult::Kind;

constexpr std::size_t kMaxErrorBody = 64 << 10;
constexpr std::size_t kMaxMessage = 600;

/// What one transfer left behind.
struct Transfer {
  HttpOutcome outcome;
  std::string error_body;  ///< of a response that is no 2xx
  Decoded decoded;         ///< of one that is
};

/// `path` goes behind the base's own path, before its query.
std::string join_url(const std::string& base, const std::string& path) {
  const std::size_t query = std::min(base.find('?'), base.size());
  return base.substr(0, query) + path + base.substr(query);
}

bool is_success(int status) {
  return status >= 200 && status < 300;
}

Transfer transfer(const HttpClientParts& parts, const EncodedRequest& encoded, const Request& request) {
  const Endpoint& endpoint = parts.endpoint;
  HttpRequest http{join_url(endpoint.base_url, encoded.path),
                   encoded.headers,
                   encoded.body,
                   endpoint.connect_timeout_s,
                   endpoint.idle_timeout_s,
                   endpoint.total_timeout_s};
  http.headers.emplace_back("Content-Type", "application/json");
  http.headers.insert(http.headers.end(), endpoint.headers.begin(), endpoint.headers.end());

  Transfer result;
  const std::unique_ptr<ReplyDecoder> decoder = parts.codec->decoder();
  int status = 0;
  std::int64_t tokens = 0;
  HttpSink sink;
  sink.head = [&](const HttpHead& head) { status = head.status; };
  sink.cancelled = request.cancelled;
  sink.data = [&](std::string_view bytes) {
    if (!is_success(status)) {
      result.error_body += bytes.substr(0, kMaxErrorBody - std::min(kMaxErrorBody, result.error_body.size()));
      return result.error_body.size() < kMaxErrorBody;
    }
    const bool more = decoder->feed(bytes);
    if (const std::int64_t now = estimate_tokens(decoder->output_bytes()); now != tokens) {
      tokens = now;
      if (request.progress) request.progress(tokens);
    }
    return more;
  };
  result.outcome = parts.transport->post(http, sink);
  result.decoded = decoder->finish();
  return result;
}

std::string show(const HttpClientParts& parts, std::string_view text) {
  return show_text(parts.endpoint, text);
}

std::string hint_for(const HttpClientParts& parts, const ApiError& error) {
  const int status = error.status;
  if (status == 401 || status == 403) return parts.endpoint.key_hint;
  if (status == 404)
    return "check the model's name and the base URL (openai and openai-chat want /v1 at its end)";
  if (status == 413 || error.code.starts_with("context_length"))
    return "the prompt is too long for this model";
  if (status == 402 || is_final_code(error.code))
    return "the account has no credit left or reached its spending limit";
  if (status == 400 || status == 422) {
    return "check the model's options: not every model knows each effort, not every server the fields of the "
           "cache (--no-prompt-cache) or max_completion_tokens (--token-field max_tokens)";
  }
  return "";
}

void judge_error(const HttpClientParts& parts, AttemptResult& result, const ApiError& error,
                 std::string_view where) {
  result.kind = Kind::failed;
  result.failure.status = error.status;
  result.failure.error_code = error.code;
  result.problem = "HTTP " + std::to_string(error.status) + std::string(where) +
                   (error.code.empty() ? "" : " " + show(parts, error.code)) +
                   (error.message.empty() ? "" : ": " + show(parts, error.message));
  result.hint = hint_for(parts, error);
}

std::string describe_end(const HttpClientParts& parts, const HttpOutcome& outcome) {
  const auto seconds = [](double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text + " s";
  };
  switch (outcome.end) {
    case TransferEnd::idle:
      return "no byte for " + seconds(parts.endpoint.idle_timeout_s) + " (the idle time-out)";
    case TransferEnd::too_slow:
      return "not done after " + seconds(parts.endpoint.total_timeout_s) + " (the total time-out)";
    case TransferEnd::too_big:
      return "the response is larger than kgen reads";
    case TransferEnd::done:
      return "the stream ended before the reply did";
    default:
      return show(parts, outcome.detail);
  }
}

/// A response that never came, or came as an error.
void judge_without_reply(const HttpClientParts& parts, AttemptResult& result, const Transfer& done) {
  const HttpOutcome& outcome = done.outcome;
  if (outcome.status == 0) {
    result.kind = outcome.end == TransferEnd::too_slow ? Kind::final : Kind::failed;
    result.possibly_paid = outcome.sent;
    result.problem = describe_end(parts, outcome);
    result.hint = outcome.sent ? "" : "is the server running, and the base URL right?";
  } else if (outcome.status < 400) {
    result.kind = Kind::final;
    const auto location = outcome.headers.find("location");
    result.problem = "HTTP " + std::to_string(outcome.status) + ", a redirect" +
                     (location == outcome.headers.end() ? "" : " to " + show(parts, location->second));
    result.hint = "kgen does not follow it with a key; set the base URL to where the server really is";
  } else {
    judge_error(parts, result, parts.codec->decode_error(outcome.status, done.error_body), "");
  }
}

/// A 2xx response: a reply, an error inside it, a part of one, or something else altogether.
void judge_body(const HttpClientParts& parts, AttemptResult& result, const Transfer& done) {
  const Decoded& decoded = done.decoded;
  const HttpOutcome& outcome = done.outcome;
  result.possibly_paid = true;
  if (decoded.error) return judge_error(parts, result, *decoded.error, " inside the stream");
  if (!decoded.problem.empty() || outcome.end == TransferEnd::too_big) {
    result.kind = Kind::final;
    const auto type = outcome.headers.find("content-type");
    result.problem = decoded.problem.empty() ? describe_end(parts, outcome)
                                             : "the answer is " + show(parts, decoded.problem);
    if (type != outcome.headers.end()) result.problem += " (content type " + show(parts, type->second) + ")";
    result.hint = "check that the base URL is that of an API which this provider speaks";
  } else if (decoded.terminal) {
    result.kind = Kind::complete;
  } else {
    result.kind = Kind::truncated;
    result.problem =
        "cut off after " + std::to_string(decoded.text.size()) + " bytes: " + describe_end(parts, outcome);
    result.retry_useless = outcome.end == TransferEnd::too_slow;
    if (result.retry_useless) result.hint = "raise the total time-out";
  }
}

/// The server's own name for this call: what its support asks for.
std::string request_id(const Transfer& done) {
  for (const char* name : {"x-request-id", "request-id"}) {
    const auto found = done.outcome.headers.find(name);
    if (found != done.outcome.headers.end()) return found->second;
  }
  return done.decoded.id;
}

}  // namespace

std::string show_text(const Endpoint& endpoint, std::string_view text) {
  std::string clean = util::printable(redact(text, endpoint.secrets));
  if (clean.size() > kMaxMessage) clean = clean.substr(0, kMaxMessage) + "...";
  return clean;
}

AttemptResult attempt_once(const HttpClientParts& parts, const EncodedRequest& encoded,
                           const Request& request) {
  Transfer done = transfer(parts, encoded, request);
  AttemptResult result;
  result.failure.status = done.outcome.status;
  result.failure.headers = done.outcome.headers;
  if (done.outcome.end == TransferEnd::cancelled) {
    result.kind = Kind::cancelled;
    result.problem = "interrupted";
    result.possibly_paid = done.outcome.sent;
  } else if (is_success(done.outcome.status)) {
    judge_body(parts, result, done);
  } else {
    judge_without_reply(parts, result, done);
  }
  if (result.kind == Kind::truncated) result.failure.status = 0;

  result.request_id = request_id(done);
  result.usage_known = done.decoded.usage.has_value();
  if (result.usage_known) {
    result.usage = *done.decoded.usage;
    if (result.kind == Kind::truncated) {  // some servers count at the start, and then no more
      const std::int64_t seen = estimate_tokens(done.decoded.text.size() + done.decoded.reasoning.size());
      result.usage.output_tokens = std::max(result.usage.output_tokens, seen);
    }
  } else if (result.possibly_paid) {
    result.usage.input_tokens = estimate_tokens(request.prompt.system.size() + request.prompt.user.size());
    result.usage.output_tokens = estimate_tokens(done.decoded.text.size() + done.decoded.reasoning.size());
  }
  result.decoded = std::move(done.decoded);
  return result;
}

}  // namespace kgen::llm
