// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/worker/background_load.h"

#include <chrono>
#include <random>

namespace cubinlab {
namespace {

// buffer, number of 16-byte elements (a power of two), nanoseconds. Even blocks stream through the buffer,
// odd ones work in shared memory (all threads of a warp on one bank) and the arithmetic pipes.
constexpr char kBackgroundLoadPtx[] = R"(
.version 6.4
.target sm_70
.address_size 64
.visible .entry cubinlab_background(.param .u64 buffer, .param .u64 elements, .param .u64 nanoseconds)
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .f32 %f<8>;
  .reg .b64 %d<16>;
  .shared .align 16 .b8 scratch[4096];
  ld.param.u64 %d1, [buffer];
  ld.param.u64 %d2, [elements];
  ld.param.u64 %d3, [nanoseconds];
  mov.u64 %d4, %globaltimer;
  add.u64 %d4, %d4, %d3;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, %nctaid.x;
  mad.lo.u32 %r5, %r1, %r2, %r3;
  mul.lo.u32 %r6, %r4, %r2;
  cvt.u64.u32 %d5, %r5;
  cvt.u64.u32 %d6, %r6;
  sub.u64 %d7, %d2, 1;
  and.b32 %r7, %r1, 1;
  setp.ne.u32 %p1, %r7, 0;
  @%p1 bra COMPUTE;

MEMORY:
  mov.u32 %r8, 16;
SWEEP:
  and.b64 %d8, %d5, %d7;
  shl.b64 %d8, %d8, 4;
  add.u64 %d8, %d1, %d8;
  ld.global.v2.u64 {%d9, %d10}, [%d8];
  add.u64 %d9, %d9, %d10;
  xor.b64 %d10, %d9, %d5;
  st.global.v2.u64 [%d8], {%d9, %d10};
  add.u64 %d5, %d5, %d6;
  sub.u32 %r8, %r8, 1;
  setp.ne.u32 %p2, %r8, 0;
  @%p2 bra SWEEP;
  mov.u64 %d11, %globaltimer;
  setp.lt.u64 %p3, %d11, %d4;
  @%p3 bra MEMORY;
  ret;

COMPUTE:
  and.b32 %r9, %r3, 31;
  shl.b32 %r9, %r9, 7;
  mov.u32 %r10, scratch;
  add.u32 %r9, %r10, %r9;
  cvt.rn.f32.u32 %f1, %r3;
  mov.f32 %f2, 0f3F800001;
  st.shared.f32 [%r9], %f1;
AGAIN:
  mov.u32 %r8, 32;
WORK:
  ld.shared.f32 %f3, [%r9];
  fma.rn.f32 %f1, %f1, %f2, %f3;
  ex2.approx.f32 %f4, %f1;
  fma.rn.f32 %f5, %f3, %f2, %f4;
  mul.f32 %f6, %f5, 0f00800000;
  st.shared.f32 [%r9], %f6;
  sub.u32 %r8, %r8, 1;
  setp.ne.u32 %p2, %r8, 0;
  @%p2 bra WORK;
  mov.u64 %d11, %globaltimer;
  setp.lt.u64 %p3, %d11, %d4;
  @%p3 bra AGAIN;
  ret;
}
)";

constexpr std::size_t kBytes = 128u << 20;  // larger than every L2
constexpr unsigned kThreads = 128;
constexpr unsigned kBlocksPerMultiprocessor = 2;

}  // namespace

Result<std::unique_ptr<BackgroundLoad>> BackgroundLoad::start(GpuDevice& device, std::uint64_t seed) {
    std::unique_ptr<BackgroundLoad> out(new BackgroundLoad(device));
    TRY(out->prepare());
    BackgroundLoad* self = out.get();
    out->thread_ = std::jthread([self, seed](const std::stop_token& stop) { self->run(stop, seed); });
    return out;
}

BackgroundLoad::~BackgroundLoad() {
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
    if (module_) device_.api().module_unload(module_);
    if (context_) device_.api().primary_release(handle_);
}

Status BackgroundLoad::prepare() {
    const cu::Api& api = device_.api();
    CUBINLAB_CU(api, device_get, &handle_, device_.facts().index);
    CUBINLAB_CU(api, primary_retain, &context_, handle_);
    CUBINLAB_CU(api, module_load_data, &module_, kBackgroundLoadPtx);
    CUBINLAB_CU(api, module_function, &function_, module_, "cubinlab_background");
    CUBINLAB_CU(api, stream_create, &stream_, cu::kStreamNonBlocking);
    buffer_ = TRY(DeviceMemory::allocate(api, kBytes));
    return {};
}

// Returns at the first failed call: the context is broken then, and the measuring thread reports it.
void BackgroundLoad::run(const std::stop_token& stop, std::uint64_t seed) {
    const cu::Api& api = device_.api();
    if (api.ctx_set_current(context_) != cu::kSuccess) return;
    std::mt19937_64 random(seed);
    const auto blocks =
        static_cast<unsigned>(std::max(1, device_.facts().multiprocessors)) * kBlocksPerMultiprocessor;
    cu::CUdeviceptr buffer = buffer_.address();
    std::uint64_t elements = kBytes / 16;
    while (!stop.stop_requested()) {
        for (int i = 0; i < 2; ++i) {
            std::uint64_t nanoseconds = 20'000 + random() % 200'000;
            // Some launches leave multiprocessors free, others oversubscribe them.
            const unsigned grid = std::max(1u, blocks * static_cast<unsigned>(1 + random() % 4) / 4);
            void* params[] = {&buffer, &elements, &nanoseconds};
            if (api.launch(function_, grid, 1, 1, kThreads, 1, 1, 0, stream_, params, nullptr) !=
                cu::kSuccess)
                return;
        }
        if (api.stream_synchronize(stream_) != cu::kSuccess) return;
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 150));
    }
}

}  // namespace cubinlab
