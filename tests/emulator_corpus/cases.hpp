#pragma once

#include <vector>

#include "emulator_corpus/corpus_case.hpp"

/// The cases of each file of kernels.
namespace kgen::corpus {

std::vector<Case> attention_cases();
std::vector<Case> bit_cases();
std::vector<Case> collective_cases();
std::vector<Case> convolution_cases();
std::vector<Case> cooperative_cases();
std::vector<Case> gather_cases();
std::vector<Case> graph_cases();
std::vector<Case> histogram_cases();
std::vector<Case> language_cases();
std::vector<Case> matmul_cases();
std::vector<Case> norm_cases();
std::vector<Case> number_cases();
std::vector<Case> quantisation_cases();
std::vector<Case> routing_cases();
std::vector<Case> scan_cases();
std::vector<Case> science_cases();
std::vector<Case> selection_cases();
std::vector<Case> sort_cases();
std::vector<Case> training_cases();
std::vector<Case> transpose_cases();

}  // namespace kgen::corpus
