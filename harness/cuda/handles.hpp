#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "harness/cuda/driver.hpp"

namespace kgen::cuda {

void destroy(CUstream stream) noexcept;
void destroy(CUevent event) noexcept;
void destroy(CUmodule module) noexcept;
void destroy(CUgraph graph) noexcept;
void destroy(CUgraphExec graph) noexcept;

/// A driver handle with one owner.
template <class Handle>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, Handle{});
    }
    return *this;
  }
  ~Owned() { reset(); }
  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != Handle{}; }
  void reset() noexcept {
    if (handle_ != Handle{}) destroy(std::exchange(handle_, Handle{}));
  }

 private:
  Handle handle_{};
};

using Stream = Owned<CUstream>;
using Event = Owned<CUevent>;
using Module = Owned<CUmodule>;
using Graph = Owned<CUgraph>;
using GraphExec = Owned<CUgraphExec>;

/// A stream that does not wait for the default stream.
Result<Stream> make_stream();
/// An event that times.
Result<Event> make_event();
/// Microseconds between two recorded, finished events.
Result<double> elapsed_us(const Event& start, const Event& stop);

/// The device's primary context, retained and made current on the calling thread.
class Context {
 public:
  Context() = default;
  /// Errors: missing where there is no driver or no such device.
  static Result<Context> retain(int device_index);
  Context(Context&& other) noexcept;
  Context& operator=(Context&& other) noexcept;
  ~Context();
  CUdevice device() const { return device_; }
  CUcontext get() const { return context_; }
  Status make_current() const;

 private:
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

/// Device memory with an allocation of its own.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// `bytes` rounded up to a multiple of 256; 0 gives a null buffer. Errors: missing (out of device memory,
  /// saying how much).
  static Result<DeviceBuffer> allocate(std::int64_t bytes);
  /// Exactly `bytes`, for tools that look for accesses behind an allocation's end.
  static Result<DeviceBuffer> allocate_exact(std::int64_t bytes);
  /// An allocation that CUDA IPC can share alone: `bytes` rounded up to a multiple of 2 MiB (smaller ones are
  /// sub-allocated and IPC would share the neighbours), at least 2 MiB.
  static Result<DeviceBuffer> allocate_shareable(std::int64_t bytes);
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer();
  CUdeviceptr address() const { return address_; }
  std::int64_t bytes() const { return bytes_; }
  /// The handle another process opens, as 128 hex digits. Only for allocate_shareable buffers.
  Result<std::string> ipc_handle() const;

 private:
  CUdeviceptr address_ = 0;
  std::int64_t bytes_ = 0;
};

/// Pinned host memory for copies that run beside other work.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  static Result<PinnedBuffer> allocate(std::int64_t bytes);
  PinnedBuffer(PinnedBuffer&& other) noexcept;
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;
  ~PinnedBuffer();
  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// Memory of another process, opened by its IPC handle; closed by the destructor.
class IpcMapping {
 public:
  IpcMapping() = default;
  static Result<IpcMapping> open(std::string_view hex_handle);
  IpcMapping(IpcMapping&& other) noexcept;
  IpcMapping& operator=(IpcMapping&& other) noexcept;
  ~IpcMapping();
  CUdeviceptr address() const { return address_; }

 private:
  CUdeviceptr address_ = 0;
};

}  // namespace kgen::cuda
