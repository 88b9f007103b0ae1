#include "llm/request_body.hpp"

#include <utility>

#include "llm/api_error.hpp"
#include "util/json.hpp"

namespace kgen::llm {

using nlohmann::json;

Result<json> parse_extra_body(const std::string& text) {
  json extra = text.empty() ? json::object() : json::parse(text, nullptr, false);
  if (extra.is_object()) return extra;
  return fail(ErrorKind::bad_input, "the extra request body is not a JSON object",
              "write it as {\"field\": value}");
}

EncodedRequest encode_stream_request(std::string path, json body, const json& extra) {
  body["stream"] = true;
  body.merge_patch(extra);
  return {std::move(path),
          {{"Accept", "text/event-stream"}},
          body.dump(-1, ' ', false, json::error_handler_t::replace)};
}

ApiError decode_error_body(int status, std::string_view body) {
  const json parsed = json::parse(body, nullptr, false);
  if (parsed.is_object()) return read_api_error(status, parsed);
  return {status, "", std::string(body)};
}

}  // namespace kgen::llm
