#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/build.hpp"
#include "core/launch_plan.hpp"
#include "core/sweep.hpp"

namespace kgen::exporting {

/// Values that the exported example checks the kernel with.
struct Sample {
  core::Task task;  ///< at a small shape that the compiled code serves
  core::SampleReply values;
};

/// A candidate to export, with everything that its files are made from.
struct ExportInputs {
  core::Task task;           ///< what it was judged at
  core::DeviceFacts device;  ///< what it was judged on
  std::string source;        ///< the candidate file, its defaults those that it was judged with
  core::LaunchPlan plan;     ///< of `source`
  core::ResolvedPlan resolved;
  core::BuildReply build;
  std::optional<Sample> sample;
  std::string why_no_sample;            ///< where there is none
  std::vector<std::string> provenance;  ///< lines for the README: run, candidate, verdict, time, review
};

/// Identifiers of the exported code: "softmax_bf16".
std::string export_name(const core::Task& task);
/// `name`, changed where it is a C++ keyword.
std::string identifier(const std::string& name);

/// The files of an export by their paths below its folder.
std::map<std::string, std::string> export_files(const ExportInputs& inputs);

}  // namespace kgen::exporting
