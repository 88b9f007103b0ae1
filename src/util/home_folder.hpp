#pragma once

#include <string>
#include <string_view>

namespace kgen::util {

/// $HOME without a slash at its end; empty where it is not set or too short to be somebody's own.
std::string home_folder();

/// `text` with every path below `home` written with "~": what is kept on disk names no user and moves to
/// another machine.
std::string shorten_home(std::string_view text, std::string_view home = home_folder());
/// The reverse, where "~/" begins a path: at the beginning, or behind a blank, a quote, '=', ':' or ','.
std::string expand_home(std::string_view text, std::string_view home = home_folder());

}  // namespace kgen::util
