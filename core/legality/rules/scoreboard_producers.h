// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions whose result or operand reads a scoreboard may track, with their in-order groups, guards and
// kinds. Each has two bits: write, then reads. Bit sets are rows of words() words. Internal to core/legality.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/legality/rules/memory_order.h"
#include "core/legality/rules/scoreboard_state.h"
#include "core/legality/tables/queue_order.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

using BitRow = std::vector<std::uint64_t>;

inline void set_bit(BitRow& row, std::size_t bit) {
    row[bit / 64] |= 1ull << (bit % 64);
}

// In-order groups: results of one group return in order. Traits of the decoder determine the members. kWide:
// conversions to and from 64 bits. kTensor: DMMA, and tensor instructions of sm_75. kIntegerTensor: IMMA of sm_103. kTensorLoad: LDTM. kView: fences for the
// copy unit.
enum ScoreboardGroup : int {
    kMio,
    kXu,
    kWide,
    kFp64,
    kS2ur,
    kTex,
    kMovm,
    kRedux,
    kTensor,
    kIntegerTensor,
    kB2r,
    kView,
    kTensorLoad,
    kGroups
};

struct ScoreboardProducers {
    ScoreboardProducers(const Kernel& kernel, CheckMode mode);

    std::size_t words() const { return words_; }
    bool is_producer(InstrId id) const { return write_bit[id] >= 0; }

    std::vector<std::int32_t> write_bit;  // by InstrId; the next bit is its reads; -1: no producer
    std::vector<InstrId> producer_of;     // by bit / 2
    std::size_t unknown_base = 0;         // first of six bits for unknown code before a block
    BitRow unknown;                       // these six bits

    std::vector<std::int8_t> group;            // by InstrId: group of the result; -1: none, or no producer
    std::vector<std::int8_t> own_group;        // the same for every instruction
    std::vector<QueueOp> queue_op;             // by InstrId, for every instruction
    std::vector<std::uint32_t> reads_covered;  // by InstrId: ReadClass bits that its barriers cover
    std::vector<std::uint32_t> reads_drained;  // by InstrId: ReadClass bits that it drains without a wait
    std::vector<BitRow> group_writes;          // by group: write bits
    std::vector<BitRow> class_reads;           // by ReadClass: read bits
    std::vector<BitRow> op_reads;              // by QueueOp: read bits

    std::vector<BitRow> guarded_by;         // by file, predicate and polarity: both bits; see guard_of
    std::vector<std::int8_t> guard_of;      // by InstrId: index into guarded_by, -1: no guard
    std::vector<std::uint8_t> named_waits;  // by InstrId: scoreboards that a DEPBAR always waits for
    std::vector<std::array<std::uint8_t, 2>> preds_written;  // by InstrId: predicates, uniform predicates

    BitRow undecoded;  // both bits of undecoded producers
    bool any_undecoded = false;
    BitRow async_copies;  // both bits of every LDGSTS
    BitRow memory;        // write bits of memory accesses
    // Bits that never complete: the write of a store with no group and no result barrier, and both bits of a
    // BAR without a barrier. The flow graph alone determines whether one is pending in another block, so they
    // do not cross block edges.
    BitRow endless;
    // Both bits of fences, and write bits of strong and atomic accesses; of MEMBAR, in absolute mode only,
    // the bits that its barriers track.
    BitRow fences;
    BitRow membars;
    bool any_fence = false;
    void note_fences(const Kernel& kernel, const MemoryOrder& order, bool absolute);

  private:
    void number_bits(const Kernel& kernel, CheckMode mode);
    void note(const Kernel& kernel, InstrId id, CheckMode mode);
    void note_producer(const Kernel& kernel, InstrId id, CheckMode mode);
    std::size_t words_ = 0;
};

// Index into guarded_by; the negated form follows the plain form.
std::size_t guard_index(std::size_t file, unsigned predicate, bool negated);
int result_group(const Arch& arch, const Instruction& instruction, CheckMode mode);

}  // namespace cubinlab
