#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kgen::config {

/// Everything a person can set beside the task itself. Zero or empty means "not set" where no default stands
/// here. Secrets are not among them: keys come from the environment only, and `api_key_env` names the
/// variable.
struct Config {
  // device and worker
  std::string device = "auto";
  std::string arch;
  std::string worker;
  std::string python;
  double kernel_timeout_s = 20;
  double worker_timeout_s = 600;
  std::int64_t compile_jobs = 0;

  // model
  std::string provider;
  std::string model;
  std::string base_url;
  std::string command;
  std::string transcript;
  std::string api_key_env;
  std::string api_key_header;
  std::string effort;
  std::int64_t max_output_tokens = 0;
  std::string token_field = "max_completion_tokens";
  std::string system_role = "system";
  std::string extra_body;
  bool no_prompt_cache = false;
  double idle_timeout_s = 300;
  std::string models_file;

  // budget and target
  std::int64_t candidates = 12;
  std::int64_t tokens = 0;
  double dollars = 0;
  double minutes = 0;
  std::string target = "auto";
  std::int64_t parallel = 1;
  std::int64_t explore = 3;
  std::int64_t repairs = 3;
  std::int64_t plateau = 4;
  std::int64_t variants = 64;
  bool general = false;
  bool no_diagnosis = false;

  // folders
  std::string runs = "runs";
  std::string prompts;
  std::string ops;
};

}  // namespace kgen::config
