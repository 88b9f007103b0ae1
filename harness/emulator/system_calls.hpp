#pragma once

#include "harness/emulator/function_decoder.hpp"

namespace kgen::emulator {

/// Functions that the driver supplies: vprintf, __assertfail. False: the name is none of them.
bool decode_system_call(FunctionDecoder& decoder, const std::string& name, const CallSite& site);

}  // namespace kgen::emulator
