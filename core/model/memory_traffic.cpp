// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/memory_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/insight/pointer_trace.h"
#include "core/model/loop_bounds.h"
#include "core/model/occupancy.h"
#include "core/sass/cache_hint.h"
#include "core/schedule/loops.h"

namespace cubinlab {
namespace {

constexpr double kMegabyte = 1e6;
constexpr double kOnce = 1.5, kTwice = 3;  // masks and loops for what is left of a row count in full
constexpr double kBound = 0.7;               // of the model's cycles: memory limits the kernel

// How often a warp comes to each block.
class Executions {
  public:
    Executions(const Kernel& kernel, const SmModelSettings& settings) : kernel_(kernel) {
        for (const TripCount& trip : settings.trips) {
            const std::vector<BlockId> blocks = blocks_of_loop(kernel.flow(), trip.header);
            loops_.push_back({{blocks.begin(), blocks.end()},
                              trip.known ? static_cast<double>(trip.passes) : settings.loop_trips, trip.known});
        }
    }
    double of(InstrId id, bool& assumed) const {
        double out = 1;
        for (const Loop& loop : loops_) {
            if (!loop.blocks.contains(kernel_.block_of(id))) continue;
            out *= loop.passes;
            assumed = assumed || !loop.known;
        }
        return out;
    }
    // The innermost loop, kNone for code in none.
    BlockId place(InstrId id) const { return kernel_.flow().blocks[kernel_.block_of(id)].loop_header; }

  private:
    struct Loop {
        std::set<BlockId> blocks;
        double passes = 1;
        bool known = true;
    };
    const Kernel& kernel_;
    std::vector<Loop> loops_;
};

bool is_access(const Instruction& i) {
    return (i.memory.space == MemorySpace::Global || i.memory.space == MemorySpace::Generic) &&
           (i.memory.reads || i.memory.writes) && !i.memory.atomic;
}

// Accesses of one pointer, loads or stores.
struct Group {
    PointerTraffic traffic;
    std::map<BlockId, std::vector<InstrId>> places;  // by innermost loop, in address order
    bool by_block = false;
};

Reuse reuse_of(const Group& group, std::uint64_t blocks) {
    const PointerTraffic& t = group.traffic;
    if (t.param < 0) return Reuse::Unknown;
    if (!group.by_block && blocks > 1) return Reuse::Shared;
    if (t.buffer > 0 && t.times() < kOnce) return Reuse::Once;
    const bool again = group.places.size() > 1;
    if (t.buffer > 0) return again && t.times() < kTwice ? Reuse::Twice : Reuse::Shared;
    return again ? Reuse::Twice : Reuse::Once;
}

double launch_cycles(const Kernel& kernel, const SmModelSettings& settings, double path_cycles) {
    const OccupancyLimits limits =
        occupancy_limits(kernel.arch(), kernel.info(), settings.threads_per_block, settings.dynamic_shared_bytes,
                         settings.blocks_in_grid);
    const int sms = memory_rates(kernel.arch().sm).multiprocessors;
    const double at_once = static_cast<double>(std::max(1, limits.blocks)) * std::max(1, sms);
    return path_cycles * std::max(1.0, static_cast<double>(settings.blocks_in_grid) / at_once);
}

std::string verdict_of(const MemoryTraffic& t, const MemoryRates& rates) {
    const auto share = [&](double cycles) { return 100 * cycles / std::max(t.model_cycles, 1.0); };
    const std::string sizes = fmt::format("{:.1f} MB, {:.1f} MB through the L2", t.distinct / kMegabyte, t.moved / kMegabyte);
    const bool dram = t.dram_cycles > kBound * t.model_cycles, l2 = t.l2_cycles > kBound * t.model_cycles;
    const std::string figures = fmt::format("DRAM takes at least {:.0f} % of the modelled time, the L2 {:.0f} % ({})",
                                            share(t.dram_cycles), share(t.l2_cycles), rates.gpu);
    if (!dram && !l2) return fmt::format("not bound by memory: {}; {}", sizes, figures);
    const bool fits = t.distinct <= rates.l2_size;
    const char* level = !dram       ? "the L2"
                        : fits && l2 ? "DRAM if the buffers are not in the L2, otherwise the L2"
                        : fits       ? "DRAM if the buffers are not in the L2"
                                     : "DRAM: the buffers are larger than the L2";
    return fmt::format("bound by memory, at {}: {}; {}", level, sizes, figures);
}

}  // namespace

std::string PointerTraffic::hint() const {
    if (!can_hint) return {};
    switch (reuse) {
        case Reuse::Once:
            return "evict_first";
        case Reuse::Twice:
            return "evict_last in the first place, evict_first in the last";
        case Reuse::Stored:
            return "evict_first, unless the next kernel reads it from the L2";
        case Reuse::Shared:
        case Reuse::Unknown:
            break;
    }
    return {};
}

MemoryTraffic memory_traffic(const Kernel& kernel, const SmModelSettings& settings) {
    MemoryTraffic out;
    PointerTrace trace(kernel);
    const Executions executions(kernel, settings);
    const double threads =
        static_cast<double>(settings.threads_per_block) * static_cast<double>(settings.blocks_in_grid);
    std::map<std::pair<int, bool>, Group> groups;  // parameter, -1: not known; store
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Instruction& i = kernel.instruction(id);
        if (i.unit == Unit::AsyncGroup && i.memory.space == MemorySpace::Global) ++out.uncounted;
        if (!is_access(i) || i.memory.width == 0 || i.unit != Unit::Lsu) continue;
        const KernelParam* param = trace.of(id);
        Group& group = groups[{param ? param->ordinal : -1, i.memory.writes}];
        PointerTraffic& t = group.traffic;
        t.param = param ? param->ordinal : -1;
        if (param && param->ordinal < settings.buffer_bytes.size())
            t.buffer = static_cast<double>(settings.buffer_bytes[param->ordinal]);
        t.accesses.push_back(id);
        t.bytes += i.memory.width * threads * executions.of(id, out.assumed);
        t.can_hint = t.can_hint && has_eviction(i.word);
        t.hinted = t.hinted || (has_eviction(i.word) && CacheHint::decode(i.word).eviction != Eviction::Normal);
        group.by_block = group.by_block || trace.depends_on_block(id);
        group.places[executions.place(id)].push_back(id);
    }
    std::set<int> counted;
    bool known = true;
    for (auto& [key, group] : groups) {
        PointerTraffic& t = group.traffic;
        t.reuse = key.second ? Reuse::Stored : reuse_of(group, settings.blocks_in_grid);
        const auto earliest = std::ranges::min_element(
            group.places, {}, [](const auto& place) { return place.second.front(); });
        if (t.reuse == Reuse::Twice) t.first = earliest->second;
        out.moved += t.bytes;
        known = known && t.param >= 0;
        if (t.param >= 0 && counted.insert(t.param).second)
            out.distinct += t.buffer > 0 ? std::min(t.buffer, t.bytes) : t.bytes;
        out.pointers.push_back(std::move(t));
    }
    std::ranges::stable_sort(out.pointers, std::greater{}, &PointerTraffic::bytes);
    // Through a pointer that is not known the launch may reach every buffer of the workload.
    if (!known) out.distinct = static_cast<double>(std::accumulate(settings.buffer_bytes.begin(), settings.buffer_bytes.end(), std::uint64_t{0}));
    const MemoryRates rates = memory_rates(kernel.arch().sm);
    if (rates.dram_bytes <= 0) return out;
    out.dram_cycles = out.distinct / (rates.dram_bytes * rates.multiprocessors);
    out.l2_cycles = out.moved / (kL2Bytes * rates.multiprocessors);
    return out;
}

void judge(MemoryTraffic& traffic, const Kernel& kernel, const SmModelSettings& settings, double path_cycles) {
    if (traffic.dram_cycles <= 0) return;
    traffic.model_cycles = launch_cycles(kernel, settings, path_cycles);
    traffic.verdict = verdict_of(traffic, memory_rates(kernel.arch().sm));
}

std::string text_of(const PointerTraffic& t) {
    const std::string name = t.param < 0 ? std::string("unknown pointer") : fmt::format("params[{}]", t.param);
    const char* how = t.reuse == Reuse::Once     ? "each byte once"
                      : t.reuse == Reuse::Twice  ? "read twice by the same block"
                      : t.reuse == Reuse::Shared ? "shared by blocks"
                      : t.reuse == Reuse::Stored ? "written"
                                                 : "how often is not known";
    const std::string times = t.times() >= kOnce ? fmt::format(" ({:.1f} times its {:.1f} MB)", t.times(), t.buffer / kMegabyte)
                                                 : std::string();
    const std::string hint = t.hint();
    const std::string follows = !t.can_hint     ? ": its instructions have no eviction priority"
                                : hint.empty()  ? ": no hint follows"
                                                : ": " + hint;
    return fmt::format("{}, {}: {:.1f} MB{}, {}{}{}", name, t.reuse == Reuse::Stored ? "stores" : "loads",
                       t.bytes / kMegabyte, times, how, follows, t.hinted ? " (the compiler set a hint)" : "");
}

}  // namespace cubinlab
