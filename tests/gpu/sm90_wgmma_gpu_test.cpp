#include "sm90_device.hpp"
#include "sm90_products.hpp"

namespace kgen::test {
namespace {

class Sm90WgmmaGpu : public Sm90Gpu {};

/// Every instance at once: the compile is most of the time.
TEST_F(Sm90WgmmaGpu, EveryKindLayoutAndSourceGivesTheExactProduct) {
  const std::vector<Product> products = all_products();
  std::vector<std::string> kernels;
  for (const Product& product : products) kernels.push_back(product.expression());
  const Sm90Module module("sm90_wgmma.cu", kernels);
  for (const Product& product : products) {
    const DeviceArray a(tile_bytes(product, false, operand(product, false)));
    const DeviceArray b(tile_bytes(product, true, operand(product, true)));
    for (const bool keep : {false, true}) {
      const DeviceArray out(static_cast<std::size_t>(64 * product.n) * sizeof(float));
      CUdeviceptr pa = a.address(), pb = b.address(), po = out.address();
      bool flag = keep;
      ASSERT_EQ(module.launch(product.expression(), {1, 128, 65536}, {&pa, &pb, &po, &flag}), "")
          << product.expression();
      const std::vector<float> got = out.values<float>(), want = expected(product, keep ? 3.0f : 0.0f);
      std::size_t wrong = 0, first = 0;
      for (std::size_t i = want.size(); i-- > 0;) {
        if (got[i] == want[i]) continue;
        ++wrong;
        first = i;
      }
      EXPECT_EQ(wrong, 0u) << product.expression() << (keep ? " kept: " : ": ") << "d["
                           << first / static_cast<std::size_t>(product.n) << "]["
                           << first % static_cast<std::size_t>(product.n) << "] is " << got[first] << ", not "
                           << want[first];
    }
  }
}

}  // namespace
}  // namespace kgen::test
