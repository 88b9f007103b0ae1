#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compile/nvrtc_library.hpp"

namespace kgen::compile {

/// Owns one nvrtcProgram.
class Program {
 public:
  Program(const NvrtcFunctions& nvrtc, const std::string& source, const std::string& name) : nvrtc_(nvrtc) {
    created_ = nvrtc_.create_program(&program_, source.c_str(), name.c_str(), 0, nullptr, nullptr);
  }
  ~Program() {
    if (program_ != nullptr) nvrtc_.destroy_program(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void add_name(const std::string& expression) { nvrtc_.add_name_expression(program_, expression.c_str()); }

  NvrtcCode compile(const std::vector<std::string>& options) {
    if (created_ != kNvrtcSuccess) return created_;
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtc_.compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
  }

  std::string log() const { return text(nvrtc_.get_program_log_size, nvrtc_.get_program_log, true); }
  std::string ptx() const { return text(nvrtc_.get_ptx_size, nvrtc_.get_ptx, true); }
  std::string cubin() const { return text(nvrtc_.get_cubin_size, nvrtc_.get_cubin, false); }

  /// Nothing where the name could not be lowered.
  std::optional<std::string> lowered(const std::string& expression) const {
    const char* name = nullptr;
    if (nvrtc_.get_lowered_name(program_, expression.c_str(), &name) != kNvrtcSuccess || name == nullptr)
      return {};
    return std::string(name);
  }

 private:
  template <class Size, class Get>
  std::string text(Size size, Get get, bool terminated) const {
    std::size_t bytes = 0;
    if (program_ == nullptr || size(program_, &bytes) != kNvrtcSuccess || bytes == 0) return {};
    std::string out(bytes, '\0');
    if (get(program_, out.data()) != kNvrtcSuccess) return {};
    if (terminated) out.resize(out.find('\0') == std::string::npos ? bytes : out.find('\0'));
    return out;
  }

  const NvrtcFunctions& nvrtc_;
  NvrtcProgram program_ = nullptr;
  NvrtcCode created_ = kNvrtcSuccess;
};

}  // namespace kgen::compile
