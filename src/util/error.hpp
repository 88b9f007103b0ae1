#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace kgen {

/// What kind of failure the world or the user produced. core/exit_code.hpp maps each to an exit code.
enum class ErrorKind {
  internal,     ///< a bug in kgen
  bad_input,    ///< wrong flag, file, name, dimension: the user can fix it
  provider,     ///< the model provider failed
  missing,      ///< a tool, device, directory or disk space is not there
  waiting,      ///< a reply is awaited (manual provider)
  interrupted,  ///< SIGINT or SIGTERM; the run can be resumed
};

/// A failure of the world, passed as a value. `message` says what failed and on what; `hint` what to do next
/// (may be empty).
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  std::string hint;

  /// "message; hint", or the message alone.
  std::string text() const { return hint.empty() ? message : message + "; " + hint; }
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(message), std::move(hint)});
}

}  // namespace kgen

#define KGEN_CONCAT_INNER(a, b) a##b
#define KGEN_CONCAT(a, b) KGEN_CONCAT_INNER(a, b)

/// KGEN_TRY(auto x, f());  declares x from a Result (or any tl::expected), or returns its error to the
/// caller.
#define KGEN_TRY(declaration, expression) \
  KGEN_TRY_INNER(KGEN_CONCAT(kgen_result_, __LINE__), declaration, expression)
#define KGEN_TRY_INNER(result, declaration, expression)          \
  auto result = (expression);                                    \
  if (!result) return tl::unexpected(std::move(result).error()); \
  declaration = std::move(*result)

/// KGEN_CHECK(f());  for a Status: returns its error to the caller.
#define KGEN_CHECK(expression)                               \
  do {                                                       \
    if (auto kgen_status = (expression); !kgen_status)       \
      return tl::unexpected(std::move(kgen_status).error()); \
  } while (false)
