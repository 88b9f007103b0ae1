#pragma once

#include "core/device_facts.hpp"
#include "harness/compile/compile_request.hpp"

namespace kgen::judge {

/// Asks for what the device loads, with line numbers, which change no instruction: a cubin; on the emulator
/// PTX (and the cubin all the same, for what ptxas says).
inline void ask_for(const core::DeviceFacts& device, compile::CompileRequest& request) {
  request.arch = device.arch;
  request.lineinfo = true;
  request.want_ptx = device.kind == core::DeviceKind::emulator;
}

/// What was asked for.
inline const std::string& loadable(const compile::CompileRequest& request,
                                   const compile::CompileResult& result) {
  return request.want_ptx ? result.ptx : result.cubin;
}

}  // namespace kgen::judge
