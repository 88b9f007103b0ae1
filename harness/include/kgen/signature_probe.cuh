// Tells kgen the types of a kernel's parameters: signature_of<decltype(&kernel)> has them in its mangled name.
#pragma once

namespace kgen::probe {

enum Kind { other = 0, pointer = 1, integer = 2, floating = 3, tensor_map = 4 };

// One parameter: what kind, its size in bytes, signed or not, pointee const or not, and the type (pointee for pointers).
template <int kind, unsigned long bytes, bool is_signed, bool is_const, class T>
struct Param;

template <class T, bool is_enum = __is_enum(T)>
struct Describe {
  using type = Param<other, sizeof(T), false, false, T>;
};
template <class T>
struct Describe<T, true> {
  using type = Param<integer, sizeof(T), (static_cast<__underlying_type(T)>(-1) < static_cast<__underlying_type(T)>(0)),
                     false, T>;
};
template <class T>
struct Describe<T*, false> {
  using type = Param<pointer, sizeof(T*), false, false, T>;
};
template <class T>
struct Describe<const T*, false> {
  using type = Param<pointer, sizeof(T*), false, true, T>;
};
template <class T>
struct Describe<volatile T*, false> {
  using type = Param<pointer, sizeof(T*), false, false, T>;
};
template <class T>
struct Describe<const volatile T*, false> {
  using type = Param<pointer, sizeof(T*), false, true, T>;
};
template <class T, bool e>
struct Describe<const T, e> : Describe<T> {};
template <>
struct Describe<CUtensorMap, false> {
  using type = Param<tensor_map, sizeof(CUtensorMap), false, false, CUtensorMap>;
};

#define KGEN_PROBE_SCALAR(kind, T, is_signed)                    \
  template <>                                                    \
  struct Describe<T, false> {                                    \
    using type = Param<kind, sizeof(T), is_signed, false, T>;    \
  };
KGEN_PROBE_SCALAR(integer, bool, false)
KGEN_PROBE_SCALAR(integer, char, true)
KGEN_PROBE_SCALAR(integer, signed char, true)
KGEN_PROBE_SCALAR(integer, unsigned char, false)
KGEN_PROBE_SCALAR(integer, short, true)
KGEN_PROBE_SCALAR(integer, unsigned short, false)
KGEN_PROBE_SCALAR(integer, int, true)
KGEN_PROBE_SCALAR(integer, unsigned int, false)
KGEN_PROBE_SCALAR(integer, long, true)
KGEN_PROBE_SCALAR(integer, unsigned long, false)
KGEN_PROBE_SCALAR(integer, long long, true)
KGEN_PROBE_SCALAR(integer, unsigned long long, false)
KGEN_PROBE_SCALAR(floating, float, true)
KGEN_PROBE_SCALAR(floating, double, true)
KGEN_PROBE_SCALAR(floating, __half, true)
KGEN_PROBE_SCALAR(floating, __nv_bfloat16, true)
#undef KGEN_PROBE_SCALAR

template <class... P>
struct Params;

template <class F>
struct Signature;
template <class... A>
struct Signature<void (*)(A...)> {
  using type = Params<typename Describe<A>::type...>;
};

// One byte in the module; only its mangled name is read.
template <class P>
__device__ char signature;

}  // namespace kgen::probe
