#pragma once

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "harness/compile/compile_request.hpp"

namespace kgen::compile {

/// The last results by request, least recently used first to go. Not safe for several threads.
class ResultCache {
 public:
  explicit ResultCache(std::size_t most_entries) : most_entries_(most_entries) {}

  std::optional<CompileResult> find(const std::string& request);
  /// Results that another try could change (time-outs, crashes) are not kept.
  void keep(const std::string& request, const CompileResult& result);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string request;
    CompileResult result;
  };
  std::size_t most_entries_;
  std::list<Entry> entries_;  ///< most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_request_;
};

}  // namespace kgen::compile
