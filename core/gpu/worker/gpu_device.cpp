// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/gpu_device.h"

#include <fmt/format.h>

#include <utility>

namespace cubinlab {
namespace {

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

int attribute(const cu::Api& api, cu::CUdevice device, int which) {
    int value = 0;
    return api.device_attribute(&value, which, device) == cu::kSuccess ? value : 0;
}

std::string driver_text(const cu::Api& api) {
    int version = 0;
    if (api.driver_version(&version) != cu::kSuccess) return "unknown";
    return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

GpuWait::GpuWait(WorkerHeartbeat& heartbeat) : heartbeat_(heartbeat) {
    heartbeat_.gpu_since_ns.store(now_ns());
}
GpuWait::~GpuWait() {
    heartbeat_.gpu_since_ns.store(0);
    heartbeat_.progress.fetch_add(1);
}

Result<std::unique_ptr<GpuDevice>> GpuDevice::open(int index, WorkerHeartbeat& heartbeat) {
    auto api = TRY(cu::Api::open());
    const cu::Api& cuda = *api;
    auto no_gpu = [&](cu::CUresult result, const char* call) {
        Error error = cu::failure(cuda, result, call);
        error.code = ErrorCode::NoGpu;
        return fail(std::move(error));
    };
    int count = 0;
    if (const auto r = cuda.device_count(&count); r != 0) return no_gpu(r, "device_count");
    if (count == 0) return fail(ErrorCode::NoGpu, "the driver reports no GPU");
    if (index < 0 || index >= count)
        return fail(
            ErrorCode::NoGpu,
            fmt::format("GPU {} does not exist; the driver reports {}, counted from 0", index, count));
    std::unique_ptr<GpuDevice> out(new GpuDevice(cuda, heartbeat));
    if (const auto r = cuda.device_get(&out->handle_, index); r != 0) return no_gpu(r, "device_get");
    DeviceFacts& facts = out->facts_;
    char name[256] = {};
    if (cuda.device_name(name, sizeof name - 1, out->handle_) == cu::kSuccess) facts.name = name;
    facts.index = index;
    facts.devices = count;
    facts.driver = driver_text(cuda);
    facts.sm = attribute(cuda, out->handle_, cu::kAttrComputeMajor) * 10 +
               attribute(cuda, out->handle_, cu::kAttrComputeMinor);
    facts.multiprocessors = attribute(cuda, out->handle_, cu::kAttrSmCount);
    facts.l2_bytes = attribute(cuda, out->handle_, cu::kAttrL2Bytes);
    facts.clock_khz = attribute(cuda, out->handle_, cu::kAttrClockRateKhz);
    facts.memory_clock_khz = attribute(cuda, out->handle_, cu::kAttrMemoryClockKhz);
    facts.shared_optin = attribute(cuda, out->handle_, cu::kAttrSharedOptin);
    if (cuda.device_pci_id && cuda.device_pci_id(name, sizeof name - 1, out->handle_) == cu::kSuccess)
        facts.pci = name;
    unsigned char uuid[16] = {};
    if (cuda.device_uuid && cuda.device_uuid(uuid, out->handle_) == cu::kSuccess)
        for (unsigned char byte : uuid)
            facts.uuid += fmt::format("{:02x}", byte);
    if (const auto r = cuda.primary_retain(&out->context_, out->handle_); r != 0)
        return no_gpu(r, "primary_retain");
    if (const auto r = cuda.ctx_set_current(out->context_); r != 0) return no_gpu(r, "ctx_set_current");
    if (const auto r = cuda.stream_create(&out->stream_, cu::kStreamNonBlocking); r != 0)
        return no_gpu(r, "stream_create");
    if (const auto r = cuda.mem_info(&facts.free_bytes, &facts.memory_bytes); r != 0)
        return no_gpu(r, "mem_info");
    return out;
}

GpuDevice::~GpuDevice() {
    for (cu::CUevent event : events_)
        api_->event_destroy(event);
    if (context_) api_->primary_release(handle_);
}

Status GpuDevice::synchronize() {
    GpuWait wait(heartbeat_);
    CUBINLAB_CU(*api_, stream_synchronize, stream_);
    return {};
}

Result<cu::CUevent> GpuDevice::event(std::size_t index) {
    while (events_.size() <= index) {
        cu::CUevent made = nullptr;
        CUBINLAB_CU(*api_, event_create, &made, cu::kEventDefault);
        events_.push_back(made);
    }
    return events_[index];
}

Result<double> GpuDevice::elapsed_us(cu::CUevent from, cu::CUevent to) const {
    float ms = 0;
    CUBINLAB_CU(*api_, event_elapsed, &ms, from, to);
    return static_cast<double>(ms) * 1000.0;
}

Result<std::size_t> GpuDevice::free_memory() const {
    std::size_t free_bytes = 0, total = 0;
    CUBINLAB_CU(*api_, mem_info, &free_bytes, &total);
    return free_bytes;
}

Result<DeviceMemory> DeviceMemory::allocate(const cu::Api& api, std::size_t bytes) {
    DeviceMemory out;
    CUBINLAB_CU(api, mem_alloc, &out.address_, bytes);
    out.api_ = &api;
    out.bytes_ = bytes;
    return out;
}

DeviceMemory::~DeviceMemory() {
    if (address_) api_->mem_free(address_);
}

void DeviceMemory::swap(DeviceMemory& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
}

Result<LoadedKernel> LoadedKernel::load(GpuDevice& device, std::span<const std::byte> image,
                                        const Workload& workload) {
    const cu::Api& api = device.api();
    GpuWait wait(device.heartbeat());
    LoadedKernel out;
    CUBINLAB_CU(api, module_load_data, &out.module_, image.data());
    out.device_ = &device;
    CUBINLAB_CU(api, module_function, &out.function_, out.module_, workload.kernel.c_str());
    if (workload.dynamic_shared_bytes > 0)
        CUBINLAB_CU(api, function_set_attribute, out.function_, cu::kFuncMaxDynamicShared,
                    static_cast<int>(workload.dynamic_shared_bytes));
    if (workload.cluster) {
        const auto& c = *workload.cluster;
        if (c[0] * c[1] * c[2] > 8)
            CUBINLAB_CU(api, function_set_attribute, out.function_, cu::kFuncNonPortableCluster, 1);
    }
    return out;
}

LoadedKernel::~LoadedKernel() {
    if (module_) device_->api().module_unload(module_);
}

void LoadedKernel::swap(LoadedKernel& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(module_, other.module_);
    std::swap(function_, other.function_);
}

Status launch(GpuDevice& device, const LoadedKernel& kernel, const Workload& w, void** params) {
    const cu::Api& api = device.api();
    if (!w.cluster && !w.cooperative) {
        CUBINLAB_CU(api, launch, kernel.function(), w.grid[0], w.grid[1], w.grid[2], w.block[0], w.block[1],
                    w.block[2], w.dynamic_shared_bytes, device.stream(), params, nullptr);
        return {};
    }
    if (!api.launch_ex)
        return fail(ErrorCode::Unsupported,
                    "this driver cannot launch clusters or cooperative grids (cuLaunchKernelEx is missing)");
    cu::LaunchAttribute attributes[2];
    cu::LaunchConfig config{
        w.grid[0],       w.grid[1],  w.grid[2], w.block[0], w.block[1], w.block[2], w.dynamic_shared_bytes,
        device.stream(), attributes, 0};
    if (w.cluster) {
        cu::LaunchAttribute& attribute_c = attributes[config.attribute_count++];
        attribute_c.id = cu::kLaunchAttrClusterDimension;
        attribute_c.value.cluster = {(*w.cluster)[0], (*w.cluster)[1], (*w.cluster)[2]};
    }
    if (w.cooperative) {
        cu::LaunchAttribute& attribute_c = attributes[config.attribute_count++];
        attribute_c.id = cu::kLaunchAttrCooperative;
        attribute_c.value.cooperative = 1;
    }
    CUBINLAB_CU(api, launch_ex, &config, kernel.function(), params, nullptr);
    return {};
}

}  // namespace cubinlab
