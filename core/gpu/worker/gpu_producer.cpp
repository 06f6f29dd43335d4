// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/gpu_producer.h"

#include <algorithm>

namespace cubinlab {
namespace {

// `to` and `from` advance by one grid of 16-byte pieces; `from` starts again at its beginning after `period` pieces.
// `mask` is 0 at run time, so that a compiler cannot leave the loads or the stores out.
const char kProducePtx[] = R"(
.version 6.4
.target sm_70
.address_size 64

.visible .entry cubinlab_produce(.param .u64 to, .param .u64 count, .param .u64 from, .param .u64 period,
                                 .param .u64 mask)
{
  .reg .pred %p;
  .reg .b32 %thread, %block, %threads, %blocks, %first, %step;
  .reg .b64 %to, %count, %from, %period, %mask, %i, %by, %k, %at, %a, %b, %c, %d;

  ld.param.u64 %to, [to];
  ld.param.u64 %count, [count];
  ld.param.u64 %from, [from];
  ld.param.u64 %period, [period];
  ld.param.u64 %mask, [mask];
  cvta.to.global.u64 %to, %to;
  cvta.to.global.u64 %from, %from;
  mov.u32 %thread, %tid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %block, %ctaid.x;
  mov.u32 %blocks, %nctaid.x;
  mad.lo.u32 %first, %block, %threads, %thread;
  mul.lo.u32 %step, %blocks, %threads;
  cvt.u64.u32 %i, %first;
  cvt.u64.u32 %by, %step;

NEXT:
  setp.ge.u64 %p, %i, %count;
  @%p bra DONE;
  rem.u64 %k, %i, %period;
  shl.b64 %k, %k, 4;
  add.u64 %k, %k, %from;
  ld.global.v2.u64 {%c, %d}, [%k];
  shl.b64 %at, %i, 4;
  add.u64 %at, %at, %to;
  ld.global.v2.u64 {%a, %b}, [%at];
  and.b64 %c, %c, %mask;
  and.b64 %d, %d, %mask;
  xor.b64 %a, %a, %c;
  xor.b64 %b, %b, %d;
  st.global.v2.u64 [%at], {%a, %b};
  add.u64 %i, %i, %by;
  bra NEXT;

DONE:
  ret;
}
)";

constexpr unsigned kThreads = 256;
constexpr std::uint64_t kBlocksPerMultiprocessor = 8;

}  // namespace

GpuProducer::~GpuProducer() {
    if (module_) api_->module_unload(module_);
}

void GpuProducer::assemble(GpuDevice& device) {
    api_ = &device.api();
    GpuWait wait(device.heartbeat());
    if (api_->module_load_data_ex(&module_, kProducePtx, 0, nullptr, nullptr) != cu::kSuccess) module_ = nullptr;
    if (module_ && api_->module_function(&function_, module_, "cubinlab_produce") != cu::kSuccess)
        function_ = nullptr;
}

Status GpuProducer::write(GpuDevice& device, std::span<const DigestRegion> ranges, const DeviceMemory& other) {
    if (!api_) assemble(device);
    for (const DigestRegion& range : ranges)
        TRY(function_ ? launch_on(device, range, other) : copy_twice(device, range, other));
    return {};
}

Status GpuProducer::launch_on(GpuDevice& device, const DigestRegion& range, const DeviceMemory& other) const {
    std::uint64_t to = range.address, count = range.words / 2, from = other.address(), period = other.bytes() / 16,
                  mask = 0;
    if (count == 0) return {};
    const std::uint64_t most =
        static_cast<std::uint64_t>(std::max(1, device.facts().multiprocessors)) * kBlocksPerMultiprocessor;
    const auto blocks = static_cast<unsigned>(std::min(most, (count + kThreads - 1) / kThreads));
    void* params[] = {&to, &count, &from, &period, &mask};
    CUBINLAB_CU(device.api(), launch, function_, blocks, 1u, 1u, kThreads, 1u, 1u, 0u, device.stream(), params,
                nullptr);
    return {};
}

Status GpuProducer::copy_twice(GpuDevice& device, const DigestRegion& range, const DeviceMemory& other) {
    const std::uint64_t bytes = range.words * 8;
    for (std::uint64_t at = 0; at < bytes; at += other.bytes()) {
        const std::uint64_t part = std::min<std::uint64_t>(other.bytes(), bytes - at);
        CUBINLAB_CU(device.api(), copy_device_async, other.address(), range.address + at, part, device.stream());
        CUBINLAB_CU(device.api(), copy_device_async, range.address + at, other.address(), part, device.stream());
    }
    return {};
}

}  // namespace cubinlab
