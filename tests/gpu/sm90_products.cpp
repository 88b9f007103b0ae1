#include "sm90_products.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace kgen::test {
namespace {

int element_bytes(const std::string& type) {
  if (type == "tf32") return 4;
  return type == "bf16" || type == "f16" ? 2 : 1;
}

int span_bytes(const std::string& swizzle) {
  if (swizzle == "b128") return 128;
  return swizzle == "b64" ? 64 : 32;  // 32 bytes of k without a swizzle
}

/// Instructions along k that one operand's tile has room for.
int steps(const Product& product, bool mn_major) {
  return mn_major ? 2 : span_bytes(product.swizzle) / 32;
}

bool is_mn_major(const Product& product, bool of_b) {
  return of_b ? product.b_mn_major : product.a_mn_major;
}

/// The type of one operand of a mixed kind: "e4m3_e5m2" has a of e4m3.
std::string operand_type(const Product& product, bool of_b) {
  const std::size_t split = product.type.find('_');
  if (split == std::string::npos) return product.type;
  return of_b ? product.type.substr(split + 1) : product.type.substr(0, split);
}

/// The bits of an integer from -3 to 3 (0 to 3 for u8).
std::uint32_t bits_of(const std::string& type, int value) {
  const auto magnitude = static_cast<std::size_t>(value < 0 ? -value : value);
  const auto sign = [&](std::uint32_t bit) { return value < 0 ? bit : 0u; };
  if (type == "s8" || type == "u8") return static_cast<std::uint32_t>(value) & 0xffu;
  if (type == "e4m3") return std::array<std::uint32_t, 4>{0, 0x38, 0x40, 0x44}[magnitude] | sign(0x80);
  if (type == "e5m2") return std::array<std::uint32_t, 4>{0, 0x3c, 0x40, 0x42}[magnitude] | sign(0x80);
  if (type == "f16") return std::array<std::uint32_t, 4>{0, 0x3c00, 0x4000, 0x4200}[magnitude] | sign(0x8000);
  const float number = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return type == "bf16" ? bits >> 16 : bits;
}

/// Where element (i, k) of an operand begins; i is m or n.
int offset_of(const Product& product, bool of_b, int i, int k) {
  const int bytes = element_bytes(product.type);
  const int span = span_bytes(product.swizzle);
  const int tile_steps = steps(product, is_mn_major(product, of_b));
  if (!of_b && product.a_in_registers) return i * steps(product, product.b_mn_major) * 32 + k * bytes;
  if (product.swizzle == "none") {
    const int along_mn = is_mn_major(product, of_b) ? i * bytes / 16 : i / 8;
    const int along_k = is_mn_major(product, of_b) ? k / 8 : k * bytes / 16;
    const int inside = is_mn_major(product, of_b) ? k % 8 * 16 + i * bytes % 16 : i % 8 * 16 + k * bytes % 16;
    return (along_mn * 2 * tile_steps + along_k) * 128 + inside;
  }
  if (!is_mn_major(product, of_b)) return i * span + k * bytes;
  const int chunk = i * bytes / span;
  return (chunk * tile_steps * 16 + k) * span + i * bytes % span;
}

int extent(const Product& product, bool of_b) {
  return of_b ? product.n : 64;
}

}  // namespace

std::string Product::expression() const {
  const auto major = [](bool mn) { return mn ? "Major::MN" : "Major::K"; };
  return "product<" + type + ", " + accumulator + ", " + std::to_string(n) + ", Swizzle::" + swizzle + ", " +
         major(a_mn_major) + ", " + major(b_mn_major) + ", " + (a_in_registers ? "true" : "false") + ">";
}

int Product::k() const {
  const int a_steps = a_in_registers ? steps(*this, b_mn_major) : steps(*this, a_mn_major);
  return std::min(a_steps, steps(*this, b_mn_major)) * 32 / element_bytes(type);
}

std::vector<Product> all_products() {
  std::vector<Product> out;
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"bf16", "float"},    {"f16", "float"},     {"f16", "uint32_t"},       {"tf32", "float"},
      {"e4m3", "float"},    {"e5m2", "float"},    {"e4m3_e5m2", "float"},    {"e5m2_e4m3", "float"},
      {"e4m3", "uint32_t"}, {"e5m2", "uint32_t"}, {"e4m3_e5m2", "uint32_t"}, {"e5m2_e4m3", "uint32_t"},
      {"s8", "int"},        {"u8", "int"},        {"s8_u8", "int"},          {"u8_s8", "int"}};
  for (const auto& [type, accumulator] : kinds) {
    for (const bool registers : {false, true})
      out.push_back({type, accumulator, 64, "b128", false, false, registers});
  }
  for (const auto& [type, accumulator] : {kinds[0], kinds[2], kinds[12]}) {
    for (const int n : {8, 24, 128, 256}) {
      if (type == "s8" || n != 24) out.push_back({type, accumulator, n, "b128", false, false, false});
    }
  }
  for (const char* swizzle : {"none", "b32", "b64", "b128"}) {
    for (const int majors : {0, 1, 2, 3})
      out.push_back({"bf16", "float", 128, swizzle, majors % 2 == 1, majors / 2 == 1, false});
    out.push_back({"f16", "float", 192, swizzle, false, true, true});
  }
  out.push_back({"e4m3", "float", 64, "b64", false, false, false});
  out.push_back({"tf32", "float", 64, "b32", false, false, true});
  return out;
}

std::vector<std::string> all_sizes() {
  std::string eights, sixteens = "8, 24";
  for (int n = 8; n <= 256; n += 8) {
    eights += (eights.empty() ? "" : ", ") + std::to_string(n);
    if (n % 16 == 0) sixteens += ", " + std::to_string(n);
  }
  return {"sizes<bf16, float, " + eights + ">", "sizes<f16, uint32_t, " + eights + ">",
          "sizes<s8, int, " + sixteens + ">"};
}

std::vector<int> operand(const Product& product, bool of_b) {
  const bool is_unsigned = operand_type(product, of_b) == "u8";
  std::vector<int> out;
  std::uint32_t state = of_b ? 77 : 5;
  for (int at = 0; at < extent(product, of_b) * product.k(); ++at) {
    state = state * 1664525u + 1013904223u;
    const int value = static_cast<int>((state >> 16) % 7) - 3;
    out.push_back(is_unsigned && value < 0 ? -value : value);
  }
  return out;
}

std::vector<std::byte> tile_bytes(const Product& product, bool of_b, const std::vector<int>& values) {
  const auto bytes = static_cast<std::size_t>(element_bytes(product.type));
  std::vector<std::byte> out(std::size_t{65536});
  for (int i = 0; i < extent(product, of_b); ++i) {
    for (int k = 0; k < product.k(); ++k) {
      const std::uint32_t bits =
          bits_of(operand_type(product, of_b), values[static_cast<std::size_t>(i * product.k() + k)]);
      std::memcpy(out.data() + offset_of(product, of_b, i, k), &bits, bytes);
    }
  }
  return out;
}

std::vector<float> expected(const Product& product, float initial) {
  const std::vector<int> a = operand(product, false), b = operand(product, true);
  std::vector<float> out;
  for (int m = 0; m < 64; ++m) {
    for (int n = 0; n < product.n; ++n) {
      int sum = 0;
      for (int k = 0; k < product.k(); ++k)
        sum += a[static_cast<std::size_t>(m * product.k() + k)] *
               b[static_cast<std::size_t>(n * product.k() + k)];
      out.push_back(static_cast<float>(sum) + initial);
    }
  }
  return out;
}

}  // namespace kgen::test
