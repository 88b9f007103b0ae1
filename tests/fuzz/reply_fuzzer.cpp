// A reply may be any bytes: it holds a candidate of clean text, or there is a problem that says why not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "prompt/reply_parser.hpp"
#include "util/utf8.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view reply(reinterpret_cast<const char*>(data), size);
  const auto parsed = kgen::prompt::parse_reply(reply);
  const bool good = parsed ? kgen::util::is_utf8(parsed->source) && parsed->source.ends_with('\n') &&
                                 parsed->source.size() <= size + 1
                           : !parsed.error().kind.empty() && parsed.error().message.size() < 600;
  if (!good) std::abort();
  return 0;
}
