// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions whose results or operands a scoreboard may stand for, numbered, and what they have in
// common: in-order groups, guards, kinds. Two bits each: the write, then the reads. Sets of bits are rows of
// words() words. Internal to core/analysis.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/analysis/memory_order.h"
#include "core/analysis/queue_order.h"
#include "core/analysis/scoreboard_state.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

using BitRow = std::vector<std::uint64_t>;

inline void set_bit(BitRow& row, std::size_t bit) {
    row[bit / 64] |= 1ull << (bit % 64);
}

// In-order groups: results of one group land in order. Members are taken from the decoder's traits. kWide: conversions to and
// from 64 bits. kTensor: DMMA, and the tensor instructions of sm_75. kView:
// fences for the copy unit.
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
    kB2r,
    kView,
    kGroups
};

struct ScoreboardProducers {
    ScoreboardProducers(const Kernel& kernel, CheckMode mode);

    std::size_t words() const { return words_; }
    bool is_producer(InstrId id) const { return write_bit[id] >= 0; }

    std::vector<std::int32_t> write_bit;  // by InstrId; the reads are the next bit; -1: no producer
    std::vector<InstrId> producer_of;     // by bit / 2
    std::size_t unknown_base = 0;         // six bits for unknown code before a block
    BitRow unknown;                       // those six

    std::vector<std::int8_t> group;            // by InstrId: results, -1: none, or no producer
    std::vector<std::int8_t> own_group;        // the same of every instruction
    std::vector<QueueOp> queue_op;             // by InstrId; of every instruction
    std::vector<std::uint32_t> reads_covered;  // by InstrId: ReadClass bits that its barriers answer for
    std::vector<std::uint32_t> reads_drained;  // by InstrId: those it leaves read behind it, with no wait
    std::vector<BitRow> group_writes;          // by group: write bits
    std::vector<BitRow> class_reads;           // by ReadClass: read bits
    std::vector<BitRow> op_reads;              // by QueueOp: read bits

    std::vector<BitRow> guarded_by;         // by file, predicate and polarity: both bits; see guard_of
    std::vector<std::int8_t> guard_of;      // by InstrId: index into guarded_by, -1: no guard
    std::vector<std::uint8_t> named_waits;  // by InstrId: scoreboards that a DEPBAR surely waits for
    std::vector<std::array<std::uint8_t, 2>> preds_written;  // by InstrId: predicates, uniform predicates

    BitRow undecoded;  // both bits of producers that are not decoded
    bool any_undecoded = false;
    BitRow async_copies;  // both bits of every LDGSTS
    BitRow memory;        // write bits of memory accesses
    // Bits that no schedule ever completes: the write of a store with no group and no barrier for a result,
    // both of a BAR with no barrier (it may not be given one). Whether one is pending at a point of another
    // block is a matter of the flow graph alone, so it is not carried over block edges.
    BitRow endless;
    // Both bits of fences and the write bits of strong and atomic accesses; of MEMBAR, in absolute mode only,
    // those that its own barriers stand for.
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

// Index into guarded_by; the negated form follows the plain one.
std::size_t guard_index(std::size_t file, unsigned predicate, bool negated);
int result_group(const Arch& arch, const Instruction& instruction, CheckMode mode);

}  // namespace cubinlab
