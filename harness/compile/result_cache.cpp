#include "harness/compile/result_cache.hpp"

namespace kgen::compile {
namespace {

bool is_lasting(CompileFailure failure) {
  return failure != CompileFailure::timed_out && failure != CompileFailure::crashed &&
         failure != CompileFailure::out_of_memory && failure != CompileFailure::unavailable;
}

}  // namespace

std::optional<CompileResult> ResultCache::find(const std::string& request) {
  const auto found = by_request_.find(request);
  if (found == by_request_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  CompileResult result = found->second->result;
  result.cached = true;
  return result;
}

void ResultCache::keep(const std::string& request, const CompileResult& result) {
  if (most_entries_ == 0 || !is_lasting(result.failure) || by_request_.count(request) != 0) return;
  entries_.push_front({request, result});
  by_request_.emplace(entries_.front().request, entries_.begin());
  if (entries_.size() <= most_entries_) return;
  by_request_.erase(entries_.back().request);
  entries_.pop_back();
}

}  // namespace kgen::compile
