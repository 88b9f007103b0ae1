#include "planted_suite.hpp"

#include <cstring>
#include <span>
#include <sstream>

#include "compile_cubin.hpp"
#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> planted_kernels();
}

namespace kgen::test {
namespace {

using core::BoundArgument;

BoundArgument pointer(const std::string& name) {
  return {BoundArgument::Kind::buffer, name, ""};
}

template <class T>
BoundArgument number(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return {BoundArgument::Kind::bytes, "", bytes};
}

struct Shape {
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::int64_t threads = 256, shared = 0;
  int launches = 1;
};

Planted plant(const std::string& name, const std::string& rule, const Shape& shape,
              std::vector<BoundArgument> more) {
  Planted out;
  out.name = name;
  out.rule = rule;
  const std::string function = "planted_" + name;
  out.kernel = {function, function, shape.shared, {shape.threads, 1, 1}, {0, 0, 0}, false};
  std::vector<BoundArgument> args = {pointer("x"), pointer("y")};
  args.insert(args.end(), more.begin(), more.end());
  for (int i = 0; i < shape.launches; ++i)
    out.sequence.steps.emplace_back(run::LaunchKernel{
        function, shape.grid, {shape.threads, 1, 1}, {0, 0, 0}, shape.shared, false, false, args});
  return out;
}

}  // namespace

std::vector<Planted> planted_suite(const core::DeviceFacts& device) {
  const std::int64_t sms = device.num_sms;
  const long long n = kPlantedFloats;
  std::vector<Planted> out;
  out.push_back(plant("dram", "dram_bound", {{sms * 16, 1, 1}, 256}, {number(n)}));
  out.push_back(plant("uncoalesced", "uncoalesced", {{n / 4 / 256, 1, 1}, 256}, {number(n / 4)}));
  out.push_back(plant("bank_conflicts", "bank_conflicts", {{sms * 4, 1, 1}, 512}, {number(400)}));
  out.push_back(plant("occupancy", "occupancy", {{sms * 8, 1, 1}, 64, 100 << 10}, {number(n)}));
  const std::int64_t size = 2048;
  Planted product = plant("tensor_idle", "tensor_idle", {{size / 32, size / 32, 1}, 256}, {});
  auto& launch = std::get<run::LaunchKernel>(product.sequence.steps.front());
  launch.args = {pointer("x"), pointer("x"), pointer("y"), number(static_cast<int>(size))};
  product.product_flops = 2.0 * static_cast<double>(size * size * size);
  out.push_back(std::move(product));
  // One wave and a block more: with 8 blocks a multiprocessor the FMA pipe would be the limit, not the tail.
  out.push_back(plant("tail", "tail_effect", {{sms + 1, 1, 1}, 256, 200 << 10}, {number(20000)}));
  out.push_back(plant("uneven", "tail_effect", {{sms * 2, 1, 1}, 256}, {number(10000)}));
  out.push_back(plant("launch", "launch_bound", {{8, 1, 1}, 128, 0, 24}, {}));
  out.push_back(plant("barrier", "barrier_bound", {{sms * 2, 1, 1}, 1024}, {number(200)}));
  out.push_back(plant("local", "local_memory", {{sms * 8, 1, 1}, 256}, {number(500)}));
  out.push_back(plant("divergence", "divergence", {{sms * 8, 1, 1}, 256}, {number(40)}));
  out.push_back(plant("in_flight", "bytes_in_flight", {{sms * 8, 1, 1}, 256}, {number(n), number(200)}));
  out.push_back(plant("dependent_math", "latency_bound", {{sms, 1, 1}, 128}, {number(100000)}));
  out.push_back(plant("fp64", "pipe_bound", {{sms * 8, 1, 1}, 256}, {number(2000)}));
  out.push_back(plant("atomics", "atomics", {{sms * 8, 1, 1}, 256}, {number(n / 16)}));
  return out;
}

std::string planted_cubin() {
  static const std::string cubin =
      compile_cubin(embedded::planted_kernels().front().text, "kernel.cu", {"--generate-line-info"});
  return cubin;
}

std::string planted_line(int line) {
  std::istringstream text{std::string(embedded::planted_kernels().front().text)};
  std::string out;
  for (int i = 0; i < line && std::getline(text, out); ++i) {
  }
  return out;
}

}  // namespace kgen::test
