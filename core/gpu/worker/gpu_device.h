// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU of the worker: primary context, stream, events and loaded kernels. Single-threaded, except that the
// watchdog reads WorkerHeartbeat.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/worker/cuda_api.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {

// Written by the measuring thread, read by the watchdog.
struct WorkerHeartbeat {
    std::atomic<std::int64_t> gpu_since_ns{
        0};                                  // steady clock at the start of the wait for the GPU; 0: none
    std::atomic<std::uint64_t> progress{0};  // incremented after each piece of work of the GPU or the host
};

// Marks a wait for the GPU, from construction to destruction.
class GpuWait {
  public:
    explicit GpuWait(WorkerHeartbeat& heartbeat);
    ~GpuWait();
    GpuWait(const GpuWait&) = delete;
    GpuWait& operator=(const GpuWait&) = delete;

  private:
    WorkerHeartbeat& heartbeat_;
};

struct DeviceFacts {
    std::string name, driver, uuid, pci;
    int index = 0, devices = 0, sm = 0, multiprocessors = 0, l2_bytes = 0, clock_khz = 0, memory_clock_khz = 0,
        shared_optin = 0;
    std::size_t memory_bytes = 0, free_bytes = 0;
};

class GpuDevice {
  public:
    static Result<std::unique_ptr<GpuDevice>> open(int index, WorkerHeartbeat& heartbeat);
    ~GpuDevice();
    GpuDevice(const GpuDevice&) = delete;
    GpuDevice& operator=(const GpuDevice&) = delete;

    const cu::Api& api() const { return *api_; }
    const DeviceFacts& facts() const { return facts_; }
    cu::CUstream stream() const { return stream_; }
    WorkerHeartbeat& heartbeat() const { return heartbeat_; }
    // Waits for all work of the stream; the watchdog ends a wait that is too long.
    Status synchronize();
    // Event `index` of the pool, created on first use.
    Result<cu::CUevent> event(std::size_t index);
    // Elapsed microseconds between two recorded, finished events.
    Result<double> elapsed_us(cu::CUevent from, cu::CUevent to) const;
    Result<std::size_t> free_memory() const;

  private:
    GpuDevice(const cu::Api& api, WorkerHeartbeat& heartbeat) : api_(&api), heartbeat_(heartbeat) {}
    const cu::Api* api_;
    WorkerHeartbeat& heartbeat_;
    DeviceFacts facts_;
    cu::CUcontext context_ = nullptr;
    cu::CUdevice handle_ = 0;
    cu::CUstream stream_ = nullptr;
    std::vector<cu::CUevent> events_;
};

// Device memory, freed with the object.
class DeviceMemory {
  public:
    DeviceMemory() = default;
    static Result<DeviceMemory> allocate(const cu::Api& api, std::size_t bytes);
    DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
    DeviceMemory& operator=(DeviceMemory&& other) noexcept {
        swap(other);
        return *this;
    }
    ~DeviceMemory();
    cu::CUdeviceptr address() const { return address_; }
    std::size_t bytes() const { return bytes_; }

  private:
    void swap(DeviceMemory& other) noexcept;
    const cu::Api* api_ = nullptr;
    cu::CUdeviceptr address_ = 0;
    std::size_t bytes_ = 0;
};

// A loaded module and its kernel, unloaded with the object.
class LoadedKernel {
  public:
    LoadedKernel() = default;
    static Result<LoadedKernel> load(GpuDevice& device, std::span<const std::byte> image,
                                     const Workload& workload);
    LoadedKernel(LoadedKernel&& other) noexcept { swap(other); }
    LoadedKernel& operator=(LoadedKernel&& other) noexcept {
        swap(other);
        return *this;
    }
    ~LoadedKernel();
    cu::CUfunction function() const { return function_; }
    cu::CUmodule module() const { return module_; }
    explicit operator bool() const { return function_ != nullptr; }

  private:
    void swap(LoadedKernel& other) noexcept;
    GpuDevice* device_ = nullptr;
    cu::CUmodule module_ = nullptr;
    cu::CUfunction function_ = nullptr;
};

// Enqueues the launch of the workload on the stream of the device. `params`: one pointer per parameter.
Status launch(GpuDevice& device, const LoadedKernel& kernel, const Workload& workload, void** params);

}  // namespace cubinlab
