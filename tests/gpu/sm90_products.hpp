#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kgen::test {

/// One instance of the kernel `product` in kernels/sm90_wgmma.cu.
struct Product {
  std::string type = "bf16", accumulator = "float";
  int n = 64;
  std::string swizzle = "b128";
  bool a_mn_major = false, b_mn_major = false, a_in_registers = false;

  /// "product<bf16, float, 64, Swizzle::b128, Major::K, Major::MN, false>".
  std::string expression() const;
  /// Terms of each sum: what the kernel's steps along k cover.
  int k() const;
};

/// Every kind of wgmma at several sizes, from shared memory and from registers, and every swizzle with every
/// major.
std::vector<Product> all_products();

/// The instances of the kernel `sizes`: each size that wgmma has, of each accumulator.
std::vector<std::string> all_sizes();

/// a[64][k] and b[n][k]: small integers that every type represents.
std::vector<int> operand(const Product& product, bool of_b);

/// An operand as it lies in memory, but for the swizzle: what the kernel copies into its tile.
std::vector<std::byte> tile_bytes(const Product& product, bool of_b, const std::vector<int>& values);

/// The expected d[64][n], starting from `initial`.
std::vector<float> expected(const Product& product, float initial);

}  // namespace kgen::test
