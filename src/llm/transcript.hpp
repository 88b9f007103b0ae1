#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "util/error.hpp"

namespace kgen::llm {

/// A recorded run's replies. On disk: FOLDER/transcript.json and FOLDER/0001/reply.md, 0002/reply.md, ...
struct Transcript {
  std::filesystem::path folder;
  std::string op;
  std::map<std::string, std::int64_t> dims;
  std::map<std::string, double> attributes;
  std::string dtype;
  std::string model;   ///< what wrote the replies
  std::string device;  ///< what they were written for
  std::string date;    ///< YYYY-MM-DD
  std::string note;
  std::vector<std::string> prompt_hashes;  ///< one a reply, in order (prompt_hash); "" where not known
};

/// Reads FOLDER/transcript.json. Errors: bad_input naming the file and the field.
Result<Transcript> read_transcript(const std::filesystem::path& folder);
/// Writes FOLDER/transcript.json; the replies are the caller's to write at transcript_reply_path.
Status write_transcript(const Transcript& transcript);
/// FOLDER/0007/reply.md for candidate 7.
std::filesystem::path transcript_reply_path(const std::filesystem::path& folder, int candidate);

}  // namespace kgen::llm
