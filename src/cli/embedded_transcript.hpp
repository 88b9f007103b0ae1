#pragma once

#include "core/task.hpp"
#include "util/file.hpp"

namespace kgen::cli {

/// A recorded transcript of kgen's own for the task's op, laid out in a folder that goes away with the
/// object: that of the task's dtype and dims where there is one, else the first. Errors: bad_input where the
/// op has none.
struct EmbeddedTranscript {
  util::TemporaryFolder folder;
  std::string name;  ///< "softmax/transcripts/h200"
};
Result<EmbeddedTranscript> unpack_transcript(const core::Task& task);

}  // namespace kgen::cli
