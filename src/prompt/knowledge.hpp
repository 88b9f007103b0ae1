#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/device_facts.hpp"
#include "core/task.hpp"

namespace kgen::prompt {

/// Where a piece of knowledge holds. What is empty does not ask for anything.
struct Applies {
  std::set<std::string> needs;         ///< capabilities that the device must have, all of them
  std::set<std::string> lacks;         ///< and must not have, any of them: there is a better way where it is
  std::set<std::string> families;      ///< of the op: one of these
  std::set<std::string> not_families;  ///< and none of these
  std::set<std::string> dtypes;        ///< of the task
  std::int64_t min_cc = 0, max_cc = std::numeric_limits<std::int64_t>::max();
};

/// One thing that a kernel writer had better know.
struct Fact {
  std::string id;      ///< "wgmma-descriptor", unique in all files
  std::string text;    ///< a mustache template over the values of system.mustache
  std::string code;    ///< name of a text of the library shown below it, or empty
  std::string source;  ///< where it is written or how it was measured; for readers of the file, not shown
  Applies applies;
};

/// One file of prompts/knowledge: facts under a heading. See docs/run-directory.md.
struct KnowledgeFile {
  std::string title;
  Applies applies;  ///< all facts of the file
  std::vector<Fact> facts;
};

/// Errors: bad_input, naming `file` and the field: unknown fields, capabilities that no device has, no text
/// or no source.
Result<KnowledgeFile> parse_knowledge(std::string_view toml, std::string_view file);

/// Whether it holds for a task on a device.
bool holds(const Applies& applies, const core::DeviceFacts& device, const core::Task& task);

/// The files' facts that hold, in their order; files without one are left out.
std::vector<KnowledgeFile> select_knowledge(const std::vector<KnowledgeFile>& files,
                                            const core::DeviceFacts& device, const core::Task& task);

}  // namespace kgen::prompt
