#pragma once

#include <CLI/CLI.hpp>

// What a flag's text must be, said in one short line; the parser's own checks name the limits of a double.
namespace kgen::cli {

/// A number above 0.
CLI::Validator positive_number();
/// A whole number that a uint64 holds.
CLI::Validator whole_number();

}  // namespace kgen::cli
