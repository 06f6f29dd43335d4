// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/legality/path_judge.h"

#include <algorithm>
#include <cstring>

#include "core/legality/dependence_pairs.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"
#include "core/legality/tables/queue_order.h"
#include "core/schedule/control_flow.h"

namespace cubinlab::test {

namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    a ^= b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2);
    return a * 0xff51afd7ed558ccdull;
}

// Issued instructions whose end only a wait tells.
struct Queued {
    InstrId id = 0;
    bool written = false;  // result has landed
    bool read = false;     // operands have been read
    int write_barrier = kNoBarrier;
    int read_barrier = kNoBarrier;
    std::uint64_t guard_value = 0;  // what the guard predicate held
};

struct LastAccess {
    InstrId id = kNone;
    std::uint8_t operand = 0;
    int time = 0;
    long queued = -1;  // index into the queue
};

struct RegisterState {
    std::uint64_t value = 1;
    std::vector<LastAccess> writers;  // the last certain one and guarded ones since
    std::vector<LastAccess> readers;  // since then
};

enum Group { kNoGroup, kMio, kXu, kWide, kFp64, kS2ur, kRedux, kMovm, kTensor, kTex };

// Whose results land in order.
Group results_of(const Arch& arch, const Instruction& i) {
    if (std::strcmp(i.mnemonic, "LDL") == 0) return kNoGroup;
    if (i.has(Trait::InOrderMio)) return kMio;
    if (i.has(Trait::InOrderXu)) return kXu;
    if (i.has(Trait::InOrderFp64)) return kFp64;
    if (latency::is_wide_conversion(i)) return kWide;
    if (i.has(Trait::InOrderS2ur)) return arch.sm >= 90 ? kS2ur : kNoGroup;
    if (i.unit == Unit::Redux) return kRedux;
    if (i.unit == Unit::Dmma || (arch.sm < 80 && latency::is_mma(i))) return kTensor;
    if (i.has(Trait::InOrderTex)) return kTex;
    return std::strcmp(i.mnemonic, "MOVM") != 0 ? kNoGroup : arch.sm < 80 ? kMovm : kMio;
}

class Judge {
  public:
    explicit Judge(const Schedule& schedule)
        : schedule_(schedule), kernel_(*schedule.kernel()), registers_(kRegCount) {
        result_.inputs.assign(kernel_.size(), 0);
        for (const Instruction& i : kernel_.instructions()) {
            results_.push_back(results_of(kernel_.arch(), i));
            reads_.push_back(read_class(i));
            covers_.push_back(read_classes_covered(kernel_.arch(), i, CheckMode::AgainstOriginal));
            const bool no_result =
                std::none_of(i.operands.begin(), i.operands.end(), [](const Operand& o) { return o.write; });
            silent_.push_back(no_result);
            accesses_.push_back(accesses_of(i));
        }
    }

    PathResult run(const std::vector<BlockId>& path) {
        for (const BlockId b : path) {
            const Block& block = kernel_.flow().blocks[b];
            for (Position p = block.first; p < block.end(); ++p)
                execute(schedule_.at(p));
        }
        return std::move(result_);
    }

  private:
    const Instruction& at(InstrId id) const { return kernel_.instruction(id); }
    void wrong(InstrId first, InstrId second, RegIndex reg, const char* what) {
        result_.violations.push_back({first, second, reg, what});
    }

    // A wait on a scoreboard: every instruction that counts on it is through, and so are older members of its
    // group, as far as the guard allows.
    void wait(int scoreboard) {
        while (oldest_ < queue_.size() && done(queue_[oldest_]))
            ++oldest_;
        for (std::size_t q = oldest_; q < queue_.size(); ++q) {
            if (queue_[q].write_barrier == scoreboard) {
                complete(q, true);
                queue_[q].write_barrier = kNoBarrier;
            }
            if (queue_[q].read_barrier == scoreboard) {
                complete(q, false);
                queue_[q].read_barrier = kNoBarrier;
            }
        }
    }

    static bool done(const Queued& q) {
        return q.written && q.read && q.write_barrier == kNoBarrier && q.read_barrier == kNoBarrier;
    }

    static bool in(std::uint32_t classes, ReadClass c) {
        return c != ReadClass::None && (classes >> static_cast<unsigned>(c) & 1) != 0;
    }

    void complete(std::size_t q, bool write) {
        const Queued cover = queue_[q];
        const Instruction& i = at(cover.id);
        const Group group = results_[cover.id];
        for (std::size_t o = oldest_; o <= q; ++o) {
            if (queue_[o].written && queue_[o].read) continue;
            const Instruction& other = at(queue_[o].id);
            const bool speaks =
                o == q || !i.guarded() ||
                (other.guarded() && other.guard == i.guard && other.guard_negated == i.guard_negated &&
                 queue_[o].guard_value == cover.guard_value);
            if (!speaks) continue;
            if (write && (o == q || (group != kNoGroup && group == results_[queue_[o].id])))
                queue_[o].written = queue_[o].read = true;
            if (o == q || in(covers_[cover.id], reads_[queue_[o].id])) queue_[o].read = true;
            if (write && std::strcmp(i.mnemonic, "LDGDEPBAR") == 0 &&
                std::strcmp(other.mnemonic, "LDGSTS") == 0)
                queue_[o].read = true;
        }
    }

    // Cycles that a pair keeps besides the wait that proves it.
    void beside(DependenceKind kind, const LastAccess& first, InstrId second, const RegAccess& access) {
        const Instruction& a = at(first.id);
        const int need = distance_with_wait(kernel_.arch(), kind, a, a.operands[first.operand], at(second),
                                            at(second).operands[access.operand], reg_number(access.reg),
                                            CheckMode::Absolute);
        if (time_ - first.time < need) wrong(first.id, second, access.reg, "too close beside the wait");
    }

    // Distances of a pair of which the first has a fixed latency.
    void distance(DependenceKind kind, const LastAccess& first, InstrId second, const RegAccess& access) {
        const Instruction& a = at(first.id);
        const auto need = required_distance(kernel_.arch(), kind, a, a.operands[first.operand], at(second),
                                            at(second).operands[access.operand], reg_number(access.reg));
        if (need && time_ - first.time < *need) wrong(first.id, second, access.reg, "too close");
    }

    bool guard_holds(const Instruction& i) {
        if (!i.guarded()) return true;
        const RegIndex reg =
            reg_index(i.uniform_guard ? RegFile::UPred : RegFile::Pred, static_cast<unsigned>(i.guard & 7));
        if (i.guard == 7) return !i.guard_negated;
        return ((registers_[reg].value >> 17 & 1) != 0) != i.guard_negated;
    }

    void read(InstrId id, const RegAccess& access) {
        const RegisterState& r = registers_[access.reg];
        for (const LastAccess& w : r.writers) {
            if (w.queued >= 0) {
                const Queued& q = queue_[static_cast<std::size_t>(w.queued)];
                const bool early = std::strcmp(at(w.id).mnemonic, "ATOM") == 0 &&
                                   reg_file(access.reg) == RegFile::Pred && q.read;
                if (!q.written && !early) wrong(w.id, id, access.reg, "read before it landed");
                beside(DependenceKind::Raw, w, id, access);
            } else {
                distance(DependenceKind::Raw, w, id, access);
            }
        }
    }

    void write(InstrId id, const RegAccess& access) {
        const RegisterState& r = registers_[access.reg];
        const Group group = results_[id];
        for (const LastAccess& w : r.writers) {
            if (w.queued >= 0) {
                const Queued& q = queue_[static_cast<std::size_t>(w.queued)];
                const bool in_order = group != kNoGroup && group == results_[w.id];
                const bool early = std::strcmp(at(w.id).mnemonic, "ATOM") == 0 &&
                                   reg_file(access.reg) == RegFile::Pred && q.read;
                if (!q.written && !in_order && !early && w.id != id)
                    wrong(w.id, id, access.reg, "overwritten before it landed");
                beside(DependenceKind::Waw, w, id, access);
            } else {
                distance(DependenceKind::Waw, w, id, access);
            }
        }
        for (const LastAccess& reader : r.readers) {
            if (reader.id == id) continue;
            const Instruction& a = at(reader.id);
            if (reader.queued >= 0 && read_after_issue(a, reg_file(access.reg))) {
                const bool in_order = overwrites_in_order(kernel_.arch(), queue_op(a), queue_op(at(id)),
                                                          CheckMode::AgainstOriginal);
                if (!queue_[static_cast<std::size_t>(reader.queued)].read && !in_order)
                    wrong(reader.id, id, access.reg, "overwritten before it was read");
                beside(DependenceKind::War, reader, id, access);
            } else if (reader.queued < 0) {
                distance(DependenceKind::War, reader, id, access);
            }
        }
    }

    void execute(InstrId id) {
        const Instruction& i = at(id);
        const ControlCode control = schedule_.control(id);
        for (int s = 0; s < 6; ++s)
            if ((control.wait_mask >> s & 1) != 0) wait(s);
        for (int s = 0; s < 6 && guard_holds(i); ++s)
            if ((latency::waits_by_name(i) >> s & 1) != 0) wait(s);

        // sm_75: a barrier goes through the queue of shared memory.
        const std::uint32_t drained = read_classes_drained(kernel_.arch(), i, CheckMode::AgainstOriginal);
        for (std::size_t q = 0; drained != 0 && q < queue_.size(); ++q)
            if (in(drained, reads_[queue_[q].id])) queue_[q].read = true;

        const std::vector<RegAccess>& accesses = accesses_[id];
        std::uint64_t inputs = mix(id, 77);
        for (const RegAccess& a : accesses) {
            if (reg_file(a.reg) == RegFile::BReg) continue;
            if (a.read) {
                read(id, a);
                inputs = mix(inputs, registers_[a.reg].value);
            }
            if (a.write) write(id, a);
        }
        result_.inputs[id] += inputs;
        const bool executes = guard_holds(i);
        long queued = -1;
        if (completes_by_scoreboard(kernel_.arch(), i) || control.write_barrier != kNoBarrier ||
            control.read_barrier != kNoBarrier) {
            const RegIndex guard = reg_index(i.uniform_guard ? RegFile::UPred : RegFile::Pred, i.guard & 7u);
            queue_.push_back({id, silent_[id], false, control.write_barrier, control.read_barrier,
                              i.guarded() ? registers_[guard].value : 0});
            if (completes_by_scoreboard(kernel_.arch(), i)) queued = static_cast<long>(queue_.size()) - 1;
        }
        for (const RegAccess& a : accesses) {
            if (reg_file(a.reg) == RegFile::BReg || !a.read) continue;
            registers_[a.reg].readers.push_back({id, a.operand, time_, queued});
        }
        for (const RegAccess& a : accesses) {
            if (reg_file(a.reg) == RegFile::BReg || !a.write) continue;
            RegisterState& r = registers_[a.reg];
            if (always_writes(i)) {
                r.writers.clear();
                r.readers.clear();
            }
            r.writers.push_back({id, a.operand, time_, queued});
            if (executes) r.value = mix(inputs, a.reg);
        }
        time_ += effective_stall(control);
    }

    const Schedule& schedule_;
    const Kernel& kernel_;
    std::vector<RegisterState> registers_;
    std::vector<Group> results_;  // by InstrId
    std::vector<ReadClass> reads_;
    std::vector<std::uint32_t> covers_;
    std::vector<bool> silent_;  // writes no register
    std::vector<std::vector<RegAccess>> accesses_;
    std::vector<Queued> queue_;
    std::size_t oldest_ = 0;  // everything before is through
    int time_ = 0;
    PathResult result_;
};

}  // namespace

namespace {

// Where the routine that a block calls comes back to: the place that a MOV in front of the CALL names, else the next word's.
BlockId place_of_return(const Kernel& kernel, BlockId calling) {
    constexpr std::uint16_t kMovImmediate = 0x802;
    const Block& block = kernel.flow().blocks[calling];
    for (InstrId id = block.end(); id-- > block.first;) {
        const Instruction& i = kernel.instruction(id);
        const std::uint64_t value = i.word.bits(32, 32);
        if (i.opcode == kMovImmediate && !i.guarded() && value % kWordBytes == 0 && value > id * kWordBytes &&
            value / kWordBytes < kernel.size())
            return kernel.flow().block_of[value / kWordBytes];
    }
    return calling + 1;
}

FlowKind end_of(const Kernel& kernel, const Block& block) {
    return flow_kind(kernel.instruction(block.end() - 1));
}

}  // namespace

std::vector<BlockId> random_path(const Kernel& kernel, std::mt19937& random, std::size_t longest) {
    std::vector<BlockId> path, returns;
    std::size_t length = 0;
    BlockId at = 0;
    while (length < longest && at < kernel.flow().blocks.size()) {
        path.push_back(at);
        const Block& block = kernel.flow().blocks[at];
        length += block.count;
        if (end_of(kernel, block) == FlowKind::Call) returns.push_back(place_of_return(kernel, at));
        if (end_of(kernel, block) == FlowKind::Return && !returns.empty()) {
            at = returns.back();
            returns.pop_back();
            continue;
        }
        if (block.successors.empty() || block.unknown_successors) break;
        at = block.successors[random() % block.successors.size()];
    }
    return path;
}

PathResult judge_path(const Schedule& schedule, const std::vector<BlockId>& path) {
    return Judge(schedule).run(path);
}

}  // namespace cubinlab::test
