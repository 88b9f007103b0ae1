#include "harness/judge/buffer_pool.hpp"

#include <algorithm>

namespace kgen::judge {

Result<cuda::DeviceBuffer> BufferPool::take(std::int64_t bytes) {
  if (bytes == 0) return cuda::DeviceBuffer{};
  auto best = idle_.end();  // the smallest that will do
  for (auto it = idle_.begin(); it != idle_.end(); ++it) {
    if (it->bytes() >= bytes && (best == idle_.end() || it->bytes() < best->bytes())) best = it;
  }
  if (best != idle_.end()) {
    cuda::DeviceBuffer found = std::move(*best);
    idle_.erase(best);
    return found;
  }
  auto fresh = cuda::DeviceBuffer::allocate_shareable(bytes);
  if (fresh || idle_.empty()) return fresh;
  clear();
  return cuda::DeviceBuffer::allocate_shareable(bytes);
}

void BufferPool::give(cuda::DeviceBuffer buffer) {
  if (buffer.bytes() > 0) idle_.push_back(std::move(buffer));
}

std::int64_t BufferPool::bytes() const {
  std::int64_t total = 0;
  for (const cuda::DeviceBuffer& buffer : idle_) total += buffer.bytes();
  return total;
}

}  // namespace kgen::judge
