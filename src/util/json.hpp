#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

/// nlohmann's JSON as kgen uses it. Include this, never <nlohmann/json.hpp> (forward declarations:
/// <nlohmann/json_fwd.hpp>).
///
/// Reading a number into an integer that cannot hold it is an exception (json::out_of_range), like every
/// other mismatch of types; as it comes, the library casts: 1e300 into an int64 has no defined result, 2^40
/// into an int another value. Fractions are cut as before. Found by tests/fuzz/protocol_fuzzer.
namespace kgen::util {

template <std::integral T>
struct CheckedInteger {
  template <class Json>
  static void to_json(Json& json, T value) {
    ::nlohmann::to_json(json, value);
  }

  template <class Json>
  static void from_json(const Json& json, T& value) {
    if (!fits(json)) throw Json::out_of_range::create(406, "the number fits no integer of its field", &json);
    ::nlohmann::from_json(json, value);
  }

 private:
  template <class Json>
  static bool fits(const Json& json) {
    if (json.is_number_unsigned())
      return std::in_range<T>(*json.template get_ptr<const typename Json::number_unsigned_t*>());
    if (json.is_number_integer())
      return std::in_range<T>(*json.template get_ptr<const typename Json::number_integer_t*>());
    if (!json.is_number_float()) return true;  // no number: nlohmann says so
    // Both bounds are powers of two (or zero), so exact; every double below `end` truncates into T.
    const double number = *json.template get_ptr<const typename Json::number_float_t*>();
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double begin = std::numeric_limits<T>::is_signed ? -end : 0.0;
    return number < end && (number >= begin || number > begin - 1.0);  // -0.5 is cut to 0; -2^63 - 1 is -2^63
  }
};

}  // namespace kgen::util

template <>
struct nlohmann::adl_serializer<int> : kgen::util::CheckedInteger<int> {};
template <>
struct nlohmann::adl_serializer<unsigned> : kgen::util::CheckedInteger<unsigned> {};
template <>
struct nlohmann::adl_serializer<long> : kgen::util::CheckedInteger<long> {};
template <>
struct nlohmann::adl_serializer<unsigned long> : kgen::util::CheckedInteger<unsigned long> {};
