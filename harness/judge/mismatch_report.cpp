#include "harness/judge/mismatch_report.hpp"

#include <algorithm>

#include "harness/judge/wrong_elements.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{4} << 20;

struct Window {
  std::int64_t first = 0, count = 0;
};

/// All of the tensor, or whole innermost rows from the first wrong element's on.
Window window_of(const core::TensorFacts& output, std::int64_t first_wrong) {
  if (output.elements <= kMostElements) return {0, output.elements};
  const std::int64_t row = std::min(output.shape.empty() ? 1 : output.shape.back(), kMostElements);
  const std::int64_t first = first_wrong / row * row;
  return {first, std::min(kMostElements / row * row, output.elements - first)};
}

std::vector<double> decode_text(const std::string& bytes, core::DType dtype, std::int64_t count) {
  return decode_on_host(reinterpret_cast<const std::byte*>(bytes.data()), static_cast<int>(dtype), count);
}

std::uint64_t poison_bits(core::DType dtype, unsigned char poison) {
  const U64 all = 0x0101010101010101ull * poison;
  const auto width = 8 * core::size_of(dtype);
  return width == 64 ? all : all & ((1ull << width) - 1);
}

}  // namespace

Result<core::Mismatch> read_mismatch(ExecutionDevice& device, int set, const ShapeCase& shape,
                                     const core::TensorFacts& output, const ToleranceParams& params,
                                     const CompareCount& count, unsigned char poison) {
  const Window window = window_of(output, std::max<std::int64_t>(count.first_wrong, 0));
  OutputView view;
  view.tensor = output.name;
  view.dtype = output.dtype;
  view.shape = output.shape;
  view.dim_labels = dim_labels(*shape.task.op->find_tensor(output.name));
  view.first = window.first;
  view.poison = poison_bits(output.dtype, poison);
  KGEN_TRY(const std::string got, device.read(set, output.name, window.first, window.count));
  view.got = decode_text(got, output.dtype, window.count);
  view.got_bits.resize(view.got.size());
  for (std::size_t i = 0; i < view.got.size(); ++i) {
    view.got_bits[i] = load_element(got.data(), bytes_of_code(params.dtype), static_cast<I64>(i));
  }
  KGEN_TRY(auto expected, device.read_expected(set, output.name, window.first, window.count));
  view.expected = std::move(expected.values);
  view.scale = std::move(expected.scale);
  for (const auto& tensor : shape.tensors) {
    if (tensor.role != core::Role::input || tensor.elements != output.elements) continue;
    KGEN_TRY(const std::string bytes, device.read(set, tensor.name, window.first, window.count));
    view.inputs.emplace_back(tensor.name, decode_text(bytes, tensor.dtype, window.count));
  }
  view.has_all_wrong = window.count == output.elements ||
                       static_cast<std::int64_t>(wrong_indices(view, params).size()) == count.wrong;
  return describe_mismatch(view, params, count.wrong, output.elements);
}

}  // namespace kgen::judge
