// What the judge reads comes from another process, perhaps another version on another machine: any line must
// end in a message or in an error, and a message is written as it was read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/json_fields.hpp"
#include "core/proof.hpp"
#include "core/protocol.hpp"
#include "util/json.hpp"

namespace {

using namespace kgen;
using nlohmann::json;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class T>
void read_and_write(const json& given, Result<T> (*read)(const json&)) {
  const Result<T> message = read(given);
  if (!message) {
    require(!message.error().message.empty());
    return;
  }
  const json written = core::to_json(*message);
  const Result<T> again = read(written);
  require(again && core::to_json(*again) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = core::parse_json({reinterpret_cast<const char*>(data), size}, "a line");
  if (!parsed) {
    require(parsed.error().kind == ErrorKind::bad_input && !parsed.error().message.empty());
    return 0;
  }
  read_and_write(*parsed, core::evaluate_request_from_json);
  read_and_write(*parsed, core::hello_request_from_json);
  read_and_write(*parsed, core::hello_reply_from_json);
  read_and_write(*parsed, core::baseline_request_from_json);
  read_and_write(*parsed, core::baseline_reply_from_json);
  read_and_write(*parsed, core::evaluation_from_json);
  read_and_write(*parsed, core::proof_request_from_json);
  read_and_write(*parsed, core::proof_reply_from_json);
  require(core::error_from_json(*parsed).kind <= ErrorKind::interrupted);
  return 0;
}
