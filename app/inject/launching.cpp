// SPDX-License-Identifier: GPL-3.0-or-later
// Launches and stream captures. A launch of a kernel that the library ignores costs one table lookup.
#include <algorithm>

#include "app/inject/capturing.h"
#include "app/inject/hooks.h"
#include "app/inject/kernels.h"
#include "app/inject/launch.h"
#include "app/inject/loading.h"
#include "app/inject/program_time.h"
#include "app/inject/sandbox.h"
#include "app/inject/settings.h"
#include "app/inject/tally.h"
#include "app/inject/timings.h"

namespace cubinlab::inject {
namespace {

// A stream counts as in capture if the driver does not say. `failed`: the error of an earlier call, which
// every later call also returns.
bool in_capture(Handle stream, Code& failed) {
    const Calls& cuda = calls();
    failed = kSuccess;
    if (!cuda.stream_capturing) return tally().captures_open.load() > 0;
    int state = 0;
    const Code result = cuda.stream_capturing(stream, &state);
    if (result != kSuccess && (result < kFirstCaptureError || result > kLastCaptureError)) failed = result;
    return result != kSuccess || state != 0;
}

}  // namespace

void match_attributes(const LoadedKernel& kernel, Handle function, Handle other) {
    const Calls& cuda = calls();
    for (const int attribute : {kFunctionDynamicShared, kFunctionCarveOut, kFunctionNonPortableCluster}) {
        int wanted = 0, have = 0;
        // A function of a CUkernel in one context has attributes of its own.
        const bool own = function != kernel.handle;
        if (kernel.is_kernel) {
            int device = 0;
            if (!cuda.context_device || !cuda.kernel_attribute || !cuda.kernel_set_attribute) return;
            if (cuda.context_device(&device) != kSuccess) return;
            const Code got = own && cuda.function_attribute
                                 ? cuda.function_attribute(&wanted, attribute, function)
                                 : cuda.kernel_attribute(&wanted, attribute, kernel.handle, device);
            if (got == kSuccess &&
                cuda.kernel_attribute(&have, attribute, other, device) == kSuccess && wanted != have)
                cuda.kernel_set_attribute(attribute, wanted, other, device);
        } else if (cuda.function_attribute && cuda.function_set_attribute &&
                   cuda.function_attribute(&wanted, attribute, kernel.handle) == kSuccess &&
                   cuda.function_attribute(&have, attribute, other) == kSuccess && wanted != have) {
            cuda.function_set_attribute(other, attribute, wanted);
        }
    }
}

namespace {

// A launch of a kernel that the library works on.
Code launch_known(LoadedKernel& loaded, const Launch& launch) {
    Kernel& kernel = *loaded.counts;
    bool recorded = false, capture = false, timed = false;
    std::uint64_t number = 0;
    Timings::Ticket ticket;
    ProgramTime::Ticket of_all;
    const Handle instead = loaded.instead.load(std::memory_order_relaxed);
    Handle function = instead ? instead : launch.function;
    guarded([&] {
        fault_point("launch");
        // More shared memory than this is asked for by an attribute, which each device has.
        constexpr unsigned kSharedByDefault = 48 << 10;
        if (instead && (launch.config.shared > kSharedByDefault || !loaded.matched.exchange(true)))
            match_attributes(loaded, launch.function, instead);
        Code failed = kSuccess;
        number = kernel.launches.fetch_add(1, std::memory_order_relaxed) + 1;
        ProgramTime* const all = program_time();
        const bool wants_capture = kernel.capture.load(std::memory_order_relaxed);
        const unsigned stands_for = kernel.timings && !kernel.timings->pairs() ? Timings::stands_for(number) : 1;
        const bool wants_time = all || (kernel.timings && stands_for != 0);
        // The driver's answer costs more than the rest. An event in a capture that was not seen to begin would be part of it.
        if (wants_capture || wants_time || tally().captures_open.load(std::memory_order_relaxed) > 0)
            recorded = in_capture(launch.config.stream, failed);
        if (recorded) kernel.recorded.fetch_add(1, std::memory_order_relaxed);
        // Capturing and timing call the system.
        if ((!wants_capture && !wants_time) || is_restricted()) return;
        const LaunchSize size = size_of(launch.config);
        if (wants_capture) {
            const Settings& asked = settings();
            const std::uint64_t end =
                asked.first + asked.count + kernel.settled.load(std::memory_order_relaxed);
            capture = kernel.sizes ? kernel.sizes->wants(size) : number >= asked.first && number < end;
            if (!kernel.sizes && number + 1 >= end && !settings().list && !kernel.replaced)
                kernel.capture.store(false, std::memory_order_relaxed);
            if (capture && (recorded || tally().captures_open.load() > 0)) {
                capture = false;
                // Another launch of this size may come.
                if (!kernel.sizes || number == 1) note(kernel.name + ": launch " + std::to_string(number) + " not captured, since " +
                     (failed != kSuccess
                          ? "an earlier call of the program failed (" + error_text(failed) + ")"
                          : "a stream was being captured into a graph"));
            }
            if (capture && kernel.sizes) kernel.sizes->take(size);
        }
        // Reading an event would also invalidate a capture of another thread.
        if (!wants_time || recorded || capture || tally().captures_open.load() > 0) return;
        if (LoadedImage* image = loaded.shares.load(std::memory_order_acquire);
            image && !compare_with_shared_variables(loaded, *image, launch.config.stream, launch.per_thread))
            return;
        const bool both = instead && (all || kernel.timings->pairs());
        const Handle other = both ? launch.function : loaded.other.load(std::memory_order_relaxed);
        // For both kernels, before the first event: its time must not be in either measurement.
        if (other && !both) match_attributes(loaded, launch.function, other);
        if (all) of_all = all->begin(kernel, size, launch.config.stream, launch.per_thread);
        if (of_all.form != ProgramTime::Form::Pairs) {
            if (other && of_all.form == ProgramTime::Form::Original) function = other;
        } else if (kernel.timings && (other || !kernel.timings->pairs())) {
            ticket = kernel.timings->begin(size, launch.config.stream, launch.per_thread, stands_for);
            timed = true;
            if (ticket.original) function = other;
        }
    });
    if (capture) {
        Code result = kUnknown;
        bool started = false;
        guarded([&] { result = capture_launch(loaded, launch, number, started); });
        return started ? result : launch.start(launch, launch.function);
    }
    Code result = launch.start(launch, function);
    if (function == instead && instead && result != kSuccess) {
        guarded([&] {
            loaded.instead.store(nullptr);
            note("the recompiled " + kernel.name + " cannot be launched (" + std::to_string(result) +
                 "); the original runs");
        });
        result = launch.start(launch, launch.function);
    } else if (function != launch.function && result != kSuccess) {
        // Our launch failed, not the program's: the program's own launch follows, and the comparison ends.
        guarded([&] {
            loaded.other.store(nullptr);
            loaded.shares.store(nullptr);
            note("no further comparison of " + kernel.name + ": the original gave " + std::to_string(result));
        });
        result = launch.start(launch, launch.function);
    }
    if (of_all.timed) guarded([&] { program_time()->end(of_all, launch.config.stream, launch.per_thread); });
    if (timed) guarded([&] { kernel.timings->end(ticket, launch.config.stream, launch.per_thread); });
    return result;
}

using LaunchCall = Code (*)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            Handle, void**, void**);
using LaunchExCall = Code (*)(const LaunchConfig*, Handle, void**, void**);
using CooperativeCall = Code (*)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 Handle, void**);

Launch launch_of(Handle function, const LaunchConfig& config, void** params, bool per_thread) {
    Launch launch;
    launch.function = function;
    launch.config = config;
    launch.params = params;
    launch.per_thread = per_thread;
    return launch;
}

// With a list every kernel whose lookup was seen is known.
const bool g_counts_unknown = settings().list;
void count_unknown() {
    if (g_counts_unknown) tally().unknown.fetch_add(1, std::memory_order_relaxed);
}

// Not inlined in the launch, which stays a table lookup and a jump to the driver's function.
template <Slot kSlot, bool kPerThread>
[[gnu::noinline]] Code launch_plain_known(LoadedKernel& kernel, Handle function, const LaunchConfig& config,
                                          void** params, void** extra) {
    Launch launch = launch_of(function, config, params, kPerThread);
    launch.extra = extra;
    launch.start = [](const Launch& l, Handle f) {
        const LaunchConfig& c = l.config;
        return real<LaunchCall>(kSlot)(f, c.grid[0], c.grid[1], c.grid[2], c.block[0], c.block[1], c.block[2],
                                       c.shared, c.stream, l.params, l.extra);
    };
    return launch_known(kernel, launch);
}

template <Slot kSlot, bool kPerThread>
[[gnu::noinline]] Code launch_plain_rarely(Handle function, unsigned gx, unsigned gy, unsigned gz,
                                           unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                           Handle stream, void** params, void** extra) {
    const auto theirs = real<LaunchCall>(kSlot);
    if (!theirs) return kNotFound;
    if (LoadedKernel* kernel = find_kernel(function))
        return launch_plain_known<kSlot, kPerThread>(
            *kernel, function, {{gx, gy, gz}, {bx, by, bz}, shared, stream, nullptr, 0}, params, extra);
    count_unknown();
    return theirs(function, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}

template <Slot kSlot, bool kPerThread>
Code launch_plain(Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                  unsigned bz, unsigned shared, Handle stream, void** params, void** extra) {
    // One call of either, so that it compiles to a jump with the arguments in place.
    auto next = known_real<LaunchCall>(kSlot);
    if (!next || g_counts_unknown || find_kernel(function)) [[unlikely]]
        next = &launch_plain_rarely<kSlot, kPerThread>;
    return next(function, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}

template <Slot kSlot, bool kPerThread>
[[gnu::noinline]] Code launch_ex_rarely(const LaunchConfig* config, Handle function, void** params,
                                        void** extra) {
    const auto theirs = real<LaunchExCall>(kSlot);
    if (!theirs) return kNotFound;
    LoadedKernel* kernel = find_kernel(function);
    if (!kernel) count_unknown();
    if (!kernel || !config) return theirs(config, function, params, extra);
    Launch launch = launch_of(function, *config, params, kPerThread);
    launch.original = config;
    launch.extra = extra;
    launch.start = [](const Launch& l, Handle f) {
        return real<LaunchExCall>(kSlot)(l.original, f, l.params, l.extra);
    };
    return launch_known(*kernel, launch);
}

template <Slot kSlot, bool kPerThread>
Code launch_ex(const LaunchConfig* config, Handle function, void** params, void** extra) {
    auto next = known_real<LaunchExCall>(kSlot);
    if (!next || g_counts_unknown || find_kernel(function)) [[unlikely]]
        next = &launch_ex_rarely<kSlot, kPerThread>;
    return next(config, function, params, extra);
}

template <Slot kSlot, bool kPerThread>
Code launch_cooperative(Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, Handle stream, void** params) {
    const auto theirs = real<CooperativeCall>(kSlot);
    LoadedKernel* kernel = find_kernel(function);
    if (!kernel) [[likely]] {
        count_unknown();
        return theirs ? theirs(function, gx, gy, gz, bx, by, bz, shared, stream, params) : kNotFound;
    }
    Launch launch =
        launch_of(function, {{gx, gy, gz}, {bx, by, bz}, shared, stream, nullptr, 0}, params, kPerThread);
    launch.cooperative = true;
    launch.start = [](const Launch& l, Handle f) {
        const LaunchConfig& c = l.config;
        return real<CooperativeCall>(kSlot)(f, c.grid[0], c.grid[1], c.grid[2], c.block[0], c.block[1],
                                            c.block[2], c.shared, c.stream, l.params);
    };
    return launch_known(*kernel, launch);
}

// A launch by an entry point that is counted, not timed or captured.
void count_launch(Handle function) {
    guarded([&] {
        LoadedKernel* const known = find_kernel(function);
        if (!known) return count_unknown();
        known->counts->launches.fetch_add(1, std::memory_order_relaxed);
        if (known->counts->capture.load(std::memory_order_relaxed))
            note(known->counts->name + ": launches by cuLaunch, cuLaunchGrid and on several GPUs at once are not captured");
    });
}

template <class... Types>
Code launch_old(Slot slot, Handle function, Types... more) {
    const auto theirs = real<Code (*)(Handle, Types...)>(slot);
    if (!theirs) return kNotFound;
    const Code result = theirs(function, more...);
    if (result == kSuccess) count_launch(function);
    return result;
}

template <class... Types>
Code begin_capture(Slot slot, Types... arguments) {
    const auto theirs = real<Code (*)(Types...)>(slot);
    if (!theirs) return kNotFound;
    // Counted first, so that no other thread waits for the GPU in between.
    tally().captures_open.fetch_add(1);
    const Code result = theirs(arguments...);
    if (result != kSuccess) tally().captures_open.fetch_sub(1);
    return result;
}

Code end_capture(Slot slot, Handle stream, Handle* graph) {
    const auto theirs = real<Code (*)(Handle, Handle*)>(slot);
    if (!theirs) return kNotFound;
    const Code result = theirs(stream, graph);
    std::uint64_t open = tally().captures_open.load();
    // An invalidated capture also ends.
    while (open > 0 && !tally().captures_open.compare_exchange_weak(open, open - 1)) {
    }
    return result;
}

}  // namespace
}  // namespace cubinlab::inject

using namespace cubinlab::inject;

CUBINLAB_HOOK cuLaunchKernel(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                             unsigned bz, unsigned shared, Handle stream, void** params, void** extra) {
    return launch_plain<Slot::Launch, false>(f, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}
CUBINLAB_HOOK cuLaunchKernel_ptsz(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                  unsigned bz, unsigned shared, Handle stream, void** params, void** extra) {
    return launch_plain<Slot::LaunchPerThread, true>(f, gx, gy, gz, bx, by, bz, shared, stream, params,
                                                     extra);
}
CUBINLAB_HOOK cuLaunchKernelEx(const LaunchConfig* config, Handle f, void** params, void** extra) {
    return launch_ex<Slot::LaunchEx, false>(config, f, params, extra);
}
CUBINLAB_HOOK cuLaunchKernelEx_ptsz(const LaunchConfig* config, Handle f, void** params, void** extra) {
    return launch_ex<Slot::LaunchExPerThread, true>(config, f, params, extra);
}
CUBINLAB_HOOK cuLaunchCooperativeKernel(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                        unsigned by, unsigned bz, unsigned shared, Handle stream,
                                        void** params) {
    return launch_cooperative<Slot::LaunchCooperative, false>(f, gx, gy, gz, bx, by, bz, shared, stream,
                                                              params);
}
CUBINLAB_HOOK cuLaunchCooperativeKernel_ptsz(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                             unsigned by, unsigned bz, unsigned shared, Handle stream,
                                             void** params) {
    return launch_cooperative<Slot::LaunchCooperativePerThread, true>(f, gx, gy, gz, bx, by, bz, shared,
                                                                      stream, params);
}

CUBINLAB_HOOK cuLaunchCooperativeKernelMultiDevice(const void* launches, unsigned count, unsigned flags) {
    const auto theirs = real<Code (*)(const void*, unsigned, unsigned)>(Slot::LaunchSeveralDevices);
    if (!theirs) return kNotFound;
    const Code result = theirs(launches, count, flags);
    // CUDA_LAUNCH_PARAMS: the function first.
    constexpr std::size_t kSize = 56;
    for (unsigned i = 0; result == kSuccess && launches && i < count; ++i)
        count_launch(*reinterpret_cast<void* const*>(static_cast<const char*>(launches) + i * kSize));
    return result;
}
CUBINLAB_HOOK cuLaunch(Handle function) {
    return launch_old(Slot::LaunchOld, function);
}
CUBINLAB_HOOK cuLaunchGrid(Handle function, int width, int height) {
    return launch_old(Slot::LaunchOldGrid, function, width, height);
}
CUBINLAB_HOOK cuLaunchGridAsync(Handle function, int width, int height, Handle stream) {
    return launch_old(Slot::LaunchOldGridAsync, function, width, height, stream);
}

CUBINLAB_HOOK cuStreamBeginCapture(Handle stream) {
    return begin_capture(Slot::BeginCapture1, stream);
}
CUBINLAB_HOOK cuStreamBeginCapture_ptsz(Handle stream) {
    return begin_capture(Slot::BeginCapture1PerThread, stream);
}
CUBINLAB_HOOK cuStreamBeginCapture_v2(Handle stream, int mode) {
    return begin_capture(Slot::BeginCapture2, stream, mode);
}
CUBINLAB_HOOK cuStreamBeginCapture_v2_ptsz(Handle stream, int mode) {
    return begin_capture(Slot::BeginCapture2PerThread, stream, mode);
}
CUBINLAB_HOOK cuStreamBeginCaptureToGraph(Handle stream, Handle graph, const void* after, const void* data,
                                          std::size_t count, int mode) {
    return begin_capture(Slot::BeginCaptureToGraph, stream, graph, after, data, count, mode);
}
CUBINLAB_HOOK cuStreamBeginCaptureToGraph_ptsz(Handle stream, Handle graph, const void* after,
                                               const void* data, std::size_t count, int mode) {
    return begin_capture(Slot::BeginCaptureToGraphPerThread, stream, graph, after, data, count, mode);
}
CUBINLAB_HOOK cuStreamEndCapture(Handle stream, Handle* graph) {
    return end_capture(Slot::EndCapture, stream, graph);
}
CUBINLAB_HOOK cuStreamEndCapture_ptsz(Handle stream, Handle* graph) {
    return end_capture(Slot::EndCapturePerThread, stream, graph);
}

CUBINLAB_HOOK cuGetProcAddress(const char* name, void** address, int version, unsigned long long flags) {
    const auto theirs = real<Code (*)(const char*, void**, int, unsigned long long)>(Slot::GetProcAddress1);
    if (!theirs) return kNotFound;
    const Code result = theirs(name, address, version, flags);
    if (result == kSuccess && address) *address = replaced(*address);
    return result;
}
template <Slot kSlot>
static Code get_address(const char* name, void** address, int version, unsigned long long flags,
                        int* status) {
    const auto theirs = real<Code (*)(const char*, void**, int, unsigned long long, int*)>(kSlot);
    if (!theirs) return kNotFound;
    const Code result = theirs(name, address, version, flags, status);
    if (result == kSuccess && address) *address = replaced(*address);
    return result;
}
CUBINLAB_HOOK cuGetProcAddress_v2(const char* name, void** address, int version, unsigned long long flags,
                                  int* status) {
    return get_address<Slot::GetProcAddress2>(name, address, version, flags, status);
}
CUBINLAB_HOOK cuGetProcAddress_v2_ptsz(const char* name, void** address, int version,
                                       unsigned long long flags, int* status) {
    return get_address<Slot::GetProcAddress2PerThread>(name, address, version, flags, status);
}
