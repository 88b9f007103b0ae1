#include "emulator_corpus/corpus_case.hpp"

#include <algorithm>
#include <iterator>

#include "emulator_corpus/cases.hpp"

namespace kgen::corpus {
namespace {

constexpr CaseMaker kMakers[] = {attention_cases,    bit_cases,     collective_cases, convolution_cases,
                                 cooperative_cases,  gather_cases,  graph_cases,      histogram_cases,
                                 language_cases,     matmul_cases,  norm_cases,       number_cases,
                                 quantisation_cases, routing_cases, scan_cases,       science_cases,
                                 selection_cases,    sort_cases,    training_cases,   transpose_cases};
/// Files whose kernels are compiled for sm_80 too.
constexpr const char* kOlderDeviceFiles[] = {"gathers", "matmuls", "scans", "selection"};

}  // namespace

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> out, older;
    for (const CaseMaker make : kMakers) std::ranges::move(make(), std::back_inserter(out));
    for (const Case& one : out) {
      if (std::ranges::find(kOlderDeviceFiles, one.file) == std::end(kOlderDeviceFiles)) continue;
      older.push_back(one);
      older.back().arch = "sm_80";
    }
    std::ranges::move(older, std::back_inserter(out));
    return out;
  }();
  return cases;
}

}  // namespace kgen::corpus
