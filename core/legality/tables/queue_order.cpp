// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/tables/queue_order.h"

#include <algorithm>
#include <array>

#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

constexpr std::uint32_t bit(ReadClass c) {
    return c == ReadClass::None ? 0 : 1u << static_cast<unsigned>(c);
}

struct NamedOp {
    const char* name;
    QueueOp op;
};
constexpr NamedOp kNamed[] = {
    {"LDS", QueueOp::Lds},    {"LDSM", QueueOp::Ldsm},     {"STS", QueueOp::Sts},     {"STSM", QueueOp::Stsm},
    {"SHFL", QueueOp::Shfl},  {"ATOMS", QueueOp::Atoms},   {"MOVM", QueueOp::Movm},   {"LDL", QueueOp::Ldl},
    {"STL", QueueOp::Stl},    {"LDG", QueueOp::Ldg},       {"STG", QueueOp::Stg},     {"RED", QueueOp::Red},
    {"REDG", QueueOp::Red},   {"ATOMG", QueueOp::Atomg},   {"LD", QueueOp::Ld},       {"ST", QueueOp::St},
    {"ATOM", QueueOp::Atom},  {"LDGSTS", QueueOp::Ldgsts}, {"SYNCS", QueueOp::Syncs}, {"STAS", QueueOp::Stas},
    {"REDAS", QueueOp::Stas}, {"QSPC", QueueOp::Qspc},
};

enum Generation : std::size_t { k75, k80, k90, k100 };

Generation generation_of(const Arch& arch) {
    return arch.sm < 80 ? k75 : arch.sm < 90 ? k80 : arch.sm < 100 ? k90 : k100;
}

// Overwrites without a wait between. `seen`: occurrences in compiled code (sm_75; sm_80 to sm_89; sm_90;
// sm_100, 103 and 120), mined inside blocks (STL and STS to MOVM: over all paths, by a check without the row);
// resources/docs/evidence/legality-queues.md has the counts.
struct ObservedPair {
    QueueOp first;
    QueueOp second;
    std::array<int, 4> seen;
};
constexpr ObservedPair kObserved[] = {
    {QueueOp::Sts, QueueOp::Lds, {404, 394, 677, 34}},
    {QueueOp::Sts, QueueOp::Ldsm, {0, 2144, 1388, 7}},  // sm_90: with BAR between
    {QueueOp::Sts, QueueOp::Shfl, {0, 0, 3, 8}},
    {QueueOp::Sts, QueueOp::Movm, {0, 49, 115, 0}},
    {QueueOp::Stg, QueueOp::Lds, {584, 132, 1494, 160}},
    {QueueOp::Stg, QueueOp::Shfl, {8, 19, 15, 7}},
    {QueueOp::Stg, QueueOp::Movm, {0, 93, 0, 0}},
    {QueueOp::Stl, QueueOp::Lds, {0, 1428, 1250, 14}},
    {QueueOp::Lds, QueueOp::Lds, {66, 82, 170, 35}},
    {QueueOp::Ldsm, QueueOp::Lds, {2, 11, 8, 0}},
    {QueueOp::Ldsm, QueueOp::Ldsm, {0, 306, 35, 31}},
    {QueueOp::Ldsm, QueueOp::Shfl, {0, 1, 0, 0}},
    {QueueOp::Shfl, QueueOp::Shfl, {0, 22, 39, 116}},
    {QueueOp::Atoms, QueueOp::Lds, {2, 0, 0, 0}},
    {QueueOp::Ldg, QueueOp::Ldg, {0, 0, 908, 10139}},
    {QueueOp::Ldg, QueueOp::Ld, {0, 0, 35, 15}},
    {QueueOp::Ld, QueueOp::Ld, {0, 0, 783, 172}},
    {QueueOp::Ld, QueueOp::Ldg, {0, 0, 14, 24}},
    {QueueOp::Ld, QueueOp::Ldl, {0, 0, 2307, 4}},
    {QueueOp::Ldg, QueueOp::Ldl, {0, 0, 7, 291}},
    {QueueOp::Ldl, QueueOp::Ldl, {0, 0, 1, 0}},
    {QueueOp::Ldgsts, QueueOp::Ldg, {0, 0, 3, 103}},
    {QueueOp::Ldgsts, QueueOp::Ld, {0, 0, 6, 1}},
    {QueueOp::Ldgsts, QueueOp::Ldl, {0, 0, 2, 2}},
    {QueueOp::Atomg, QueueOp::Atomg, {0, 0, 1, 10}},
    {QueueOp::Xu, QueueOp::Xu, {1, 84, 37, 80}},  // includes WideXu
    {QueueOp::WideXu, QueueOp::WideXu, {1, 0, 6, 0}},
    {QueueOp::Fp64, QueueOp::Fp64, {270, 686, 0, 294}},
    {QueueOp::Tensor, QueueOp::Tensor, {43, 0, 0, 0}},
};
// For absolute mode only, any count: over all paths of the public corpus (resources/docs/evidence/legality-queues.md),
// as findings of a check without these rows; two in random PTX (tests/sweep/random_ptx.py), ST by SHFL in random CUDA
// at -O1, the last three in random PTX of acquiring accesses.
constexpr ObservedPair kSwept[] = {
    {QueueOp::Atomg, QueueOp::Ldg, {0, 0, 1, 31}},
    {QueueOp::Atomg, QueueOp::Ldl, {0, 0, 270, 2}},
    {QueueOp::Tensor, QueueOp::Tensor, {0, 14, 303, 156}},
    {QueueOp::Syncs, QueueOp::Syncs, {0, 0, 1, 4}},
    {QueueOp::Ldl, QueueOp::Ldg, {0, 0, 13, 0}},
    {QueueOp::Tex, QueueOp::Tex, {3, 2, 18, 14}},
    {QueueOp::Ldg, QueueOp::Atomg, {0, 0, 4, 57}},
    {QueueOp::Ldgsts, QueueOp::Atomg, {0, 0, 5, 0}},
    {QueueOp::St, QueueOp::Shfl, {1, 1, 5, 1}},
    {QueueOp::St, QueueOp::Atoms, {3, 2, 1, 0}},
    {QueueOp::Atomg, QueueOp::Ld, {0, 0, 1, 3}},
    {QueueOp::Ld, QueueOp::Atomg, {0, 0, 1, 0}},
    {QueueOp::St, QueueOp::Movm, {1, 1, 3, 0}},
};
// Absolute mode: the shared-memory queue reads and writes in order. Nearly every instruction that returns
// through it overwrites operands of nearly every other one and of stores: 20 pairs in 3,300 cases of the
// public corpus (STL by SHFL 2,877), twice as many pairs in 135 cases of random PTX.
constexpr QueueOp kReadInOrder[] = {QueueOp::Lds,  QueueOp::Ldsm,  QueueOp::Sts,  QueueOp::Stsm,
                                    QueueOp::Shfl, QueueOp::Atoms, QueueOp::Movm, QueueOp::Stl,
                                    QueueOp::Stg,  QueueOp::Red,   QueueOp::Stas, QueueOp::Qspc};
constexpr QueueOp kReturnInOrder[] = {QueueOp::Lds,   QueueOp::Ldsm, QueueOp::Shfl,
                                      QueueOp::Atoms, QueueOp::Movm, QueueOp::Qspc};

// A generic store comes from another queue: only shared-memory loads and one shuffle were observed after it.
bool in_shared_queue(QueueOp first, QueueOp second) {
    if (first == QueueOp::St) return second == QueueOp::Lds || second == QueueOp::Ldsm;
    return std::ranges::find(kReadInOrder, first) != std::end(kReadInOrder) &&
           std::ranges::find(kReturnInOrder, second) != std::end(kReturnInOrder);
}

// In a search instructions get new neighbours: one or two occurrences may be coincidences.
constexpr int kEnoughForSearch = 4;

}  // namespace

QueueOp queue_op(const Instruction& instruction) {
    switch (instruction.unit) {
        case Unit::Xu:
            return latency::is_wide_conversion(instruction) ? QueueOp::WideXu : QueueOp::Xu;
        case Unit::Fp64:
            return QueueOp::Fp64;
        case Unit::Tex:  // no fetch overwrites operands of a surface store without a wait
            return instruction.memory.writes ? QueueOp::Other : QueueOp::Tex;
        case Unit::Redux:
            return QueueOp::Redux;
        case Unit::Mio:
        case Unit::Lsu:
        case Unit::AsyncGroup:
            break;
        default:
            return latency::is_mma(instruction) ? QueueOp::Tensor : QueueOp::Other;
    }
    for (const NamedOp& named : kNamed)
        if (latency::is_named(instruction, named.name)) return named.op;
    return QueueOp::Other;
}

ReadClass read_class(const Instruction& i) {
    if (i.unit == Unit::Tex && i.memory.writes) return ReadClass::SurfaceStore;
    if (i.unit == Unit::Lsu) {
        if (latency::is_named(i, "LDGSTS")) return ReadClass::AsyncCopy;
        if (latency::is_named(i, "ATOMG") || latency::is_named(i, "ATOM")) return ReadClass::Atomic;
        if (queue_op(i) == QueueOp::Red) return ReadClass::Reduction;
        return i.memory.writes ? ReadClass::Store : ReadClass::Load;
    }
    switch (queue_op(i)) {
        case QueueOp::Ldl:
            return ReadClass::LocalLoad;
        case QueueOp::Sts:
            return ReadClass::SharedStore;
        case QueueOp::Syncs:
            return ReadClass::Mbarrier;
        case QueueOp::Stas:
            return ReadClass::Shared;
        case QueueOp::Xu:
            return i.has(Trait::InOrderXu) ? ReadClass::Xu : ReadClass::None;
        case QueueOp::WideXu:
            return ReadClass::WideXu;
        case QueueOp::Fp64:
            return i.has(Trait::InOrderFp64) ? ReadClass::Fp64 : ReadClass::None;
        case QueueOp::Tex:
            return i.has(Trait::InOrderTex) ? ReadClass::Tex : ReadClass::None;
        case QueueOp::Redux:
            return ReadClass::Redux;
        case QueueOp::Tensor:
            return ReadClass::Tensor;
        default:
            break;
    }
    if (i.unit == Unit::Mio) return ReadClass::Shared;
    if (i.has(Trait::InOrderS2ur)) return ReadClass::S2ur;
    if (i.unit != Unit::AsyncGroup || i.mnemonic[0] != 'U') return ReadClass::None;
    return latency::is_named(i, "UTMALDG") ? ReadClass::CopyLoad : ReadClass::Copy;
}

// The shared-memory queue and stores read operands in one order: a barrier of either covers older members of
// both. Operations that return from memory or an mbarrier cover no stores: after a wait for the result of a
// later LDG, LD, LDL, LDGSTS, SYNCS or atomic, store operands have a barrier of their own in all generated
// kernels (resources/docs/evidence/legality-queues.md), in both modes. SYNCS covers SYNCS. On sm_90 a load
// covers older loads, a copy older copies, an atomic older atomics; before sm_90 none does. Absolute mode
// accepts rare cases of sm_90: LDL covers LDL, STG or LDGSTS cover LDG, a load covers LDGSTS, local memory
// covers loads and atomics, which also cover each other (random PTX). A later UTMALDG covers older ones; in
// absolute mode so does a later surface store (tests/data/cubins/surface_loop.cu).
std::uint32_t read_classes_covered(const Arch& arch, const Instruction& setter, CheckMode mode) {
    const std::uint32_t stores = bit(ReadClass::Store) | bit(ReadClass::Reduction);
    const std::uint32_t queue =
        bit(ReadClass::Shared) | bit(ReadClass::SharedStore) | bit(ReadClass::LocalLoad) | stores;
    const std::uint32_t loads = bit(ReadClass::Load) | bit(ReadClass::AsyncCopy);
    const bool trusting = arch.sm >= 90 && mode == CheckMode::Absolute;
    const ReadClass own = read_class(setter);
    switch (own) {
        case ReadClass::Shared:
        case ReadClass::SharedStore:
            return trusting && setter.memory.space == MemorySpace::Local
                       ? queue | loads | bit(ReadClass::Atomic)
                       : queue;
        case ReadClass::LocalLoad:
            return trusting ? bit(own) | loads | bit(ReadClass::Atomic) : 0;
        case ReadClass::Store:
        case ReadClass::Reduction:
            return trusting ? queue | loads : queue;
        case ReadClass::Load:
            if (arch.sm < 90) return 0;
            return trusting ? loads | bit(ReadClass::LocalLoad) | bit(ReadClass::Atomic)
                            : bit(ReadClass::Load);
        case ReadClass::Atomic:
            if (arch.sm < 90) return 0;
            return trusting ? bit(own) | loads : bit(own);
        case ReadClass::AsyncCopy:
            if (trusting) return loads | bit(ReadClass::Atomic);
            return arch.sm >= 90 ? bit(ReadClass::AsyncCopy) : 0;
        case ReadClass::CopyLoad:
        case ReadClass::Copy:
            if (trusting) return bit(ReadClass::CopyLoad) | bit(ReadClass::Copy);
            return own == ReadClass::CopyLoad ? bit(own) : 0;
        case ReadClass::SurfaceStore:
            return mode == CheckMode::Absolute ? bit(own) : 0;
        default:
            return bit(own);
    }
}

// For sm_80 to sm_89 ptxas overwrites operands of STS after BAR without a wait (about 100 cases in 184
// cubins), but never those of LDSM, SHFL, STL and STG (19 waits with only BAR between). For sm_90 it also
// waits for STS (142 cases, STG 17, others 5; none without, 198 cubins), and for RED on both. On sm_75 BAR
// covers RED: none of 1,186 overwritten RED operands has a barrier. From sm_80 on this holds for
// BAR.SYNC.DEFER_BLOCKING, which is __syncthreads(). Without that bit (PTX barrier.sync without .aligned,
// sm_80 to sm_89) BAR covers operands of stores, RED and the shared-memory queue as on sm_75:
// resources/docs/evidence/legality-rules.md has the counts.
std::uint32_t read_classes_drained(const Arch& arch, const Instruction& barrier, CheckMode mode) {
    constexpr unsigned kBarMode = 77;  // two bits: SYNC, ARV, RED, SCAN
    constexpr unsigned kDeferBlocking = 80;
    if (!latency::is_named(barrier, "BAR") || barrier.word.bits(kBarMode, 2) == 1) return 0;
    if (barrier.guarded() && mode == CheckMode::AgainstOriginal) return 0;
    if (arch.sm < 80)
        return bit(ReadClass::Shared) | bit(ReadClass::SharedStore) | bit(ReadClass::LocalLoad) |
               bit(ReadClass::Store) | bit(ReadClass::Reduction);
    if (arch.sm >= 90 || barrier.word.bits(kBarMode, 2) != 0 || mode != CheckMode::Absolute) return 0;
    if (barrier.word.bits(kDeferBlocking, 1) == 1) return bit(ReadClass::SharedStore);
    return bit(ReadClass::Shared) | bit(ReadClass::SharedStore) | bit(ReadClass::Store) |
           bit(ReadClass::Reduction);
}

bool overwrites_in_order(const Arch& arch, QueueOp first, QueueOp second, CheckMode mode) {
    const int enough = mode == CheckMode::Absolute ? 1 : kEnoughForSearch;
    const Generation generation = generation_of(arch);
    const auto shown = [&](const ObservedPair& pair) {
        if (pair.first != first || pair.second != second) return false;
        // Absolute mode accepts on sm_100 and later what compiled code for sm_90 shows.
        const bool before = generation == k100 && mode == CheckMode::Absolute && pair.seen[k90] >= enough;
        return pair.seen[generation] >= enough || before;
    };
    if (std::any_of(std::begin(kObserved), std::end(kObserved), shown)) return true;
    return mode == CheckMode::Absolute &&
           (in_shared_queue(first, second) || (first == QueueOp::WideXu && second == QueueOp::WideXu) ||
            std::any_of(std::begin(kSwept), std::end(kSwept), shown));
}

}  // namespace cubinlab
