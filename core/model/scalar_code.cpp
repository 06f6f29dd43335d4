// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scalar_code.h"

#include <algorithm>
#include <bit>

#include "core/schedule/control_flow.h"

namespace cubinlab {
namespace {

// Slots before the few that matter are numbered: R0 to R254, P0 to P6, UR0 to UR62, UP0 to UP6.
constexpr int kGprs = 255, kPreds = 7, kUniforms = 63;
constexpr int kAllSlots = kGprs + kPreds + kUniforms + kPreds;

int slot_of(RegFile file, unsigned reg) {
    const auto index = static_cast<int>(reg);
    switch (file) {
        case RegFile::Gpr:
            return index < kGprs ? index : -1;
        case RegFile::Pred:
            return index < kPreds ? kGprs + index : -1;
        case RegFile::UGpr:
            return index < kUniforms ? kGprs + kPreds + index : -1;
        case RegFile::UPred:
            return index < kPreds ? kGprs + kPreds + kUniforms + index : -1;
        case RegFile::BReg:
            break;
    }
    return -1;
}

constexpr Scalar kTrue{1, Origin::Known};

Scalar known(std::uint32_t bits) {
    return {bits, Origin::Known};
}
Scalar truth(bool value) {
    return known(value ? 1 : 0);
}

// What is not known of two values is not known for the reason of the first that is not.
Origin blame(const Scalar& a, const Scalar& b) {
    return a.known() ? b.from : a.from;
}

}  // namespace

// One instruction's fields; where they are, is told by the rows of core/sass/ops_*.cpp.
class ScalarCode::Reader {
  public:
    Reader(const Kernel& kernel, const LaunchValues& launch, const std::optional<ThreadPlace>& place)
        : kernel_(kernel), launch_(launch), place_(place) {}

    Op op(InstrId id) {
        i_ = &kernel_.instruction(id);
        op_ = {};
        op_.guard =
            predicate(i_->uniform_guard ? RegFile::UPred : RegFile::Pred, i_->guard, i_->guard_negated);
        for (const Operand& operand : i_->operands)
            if (operand.write)
                for (unsigned k = 0; k < operand.count; ++k)
                    if (const int slot = slot_of(operand.file, operand.first + k); slot >= 0)
                        op_.writes.push_back(static_cast<std::int16_t>(slot));
        op_.from = i_->memory.reads ? Origin::Memory : Origin::Other;
        if (!i_->has(Trait::UnknownOpcode)) arithmetic();
        if (op_.kind == Kind::Unknown) register_reads();
        return std::move(op_);
    }
    void condition(InstrId last, BlockCode& block) {
        i_ = &kernel_.instruction(last);
        const FlowKind kind = flow_kind(*i_);
        if (kind != FlowKind::Branch && kind != FlowKind::Exit) return;
        block.ends_by_condition = true;
        block.guard =
            predicate(i_->uniform_guard ? RegFile::UPred : RegFile::Pred, i_->guard, i_->guard_negated);
        block.extra = pred_at(87, RegFile::Pred);
        if (kind != FlowKind::Branch) return;
        if (bits(32, 2) >= 2) block.extra = constant({0, Origin::Other});  // .DIV and .CONV: do lanes agree?
        if ((i_->opcode & 0xfffu) == (0x147u | 2u << 9)) block.extra = pred_at(24, RegFile::UPred);
    }

  private:
    void register_reads() {
        for (const Operand& operand : i_->operands)
            if (operand.read && operand.role != Role::Guard)
                for (unsigned k = 0; k < operand.count; ++k)
                    if (const int slot = slot_of(operand.file, operand.first + k); slot >= 0)
                        op_.reads.push_back(static_cast<std::int16_t>(slot));
    }
    unsigned bits(unsigned at, unsigned count) const {
        return static_cast<unsigned>(i_->word.bits(at, count));
    }
    bool bit(unsigned at) const { return i_->word.bit(at); }
    unsigned form() const { return bits(9, 3); }

    static Source constant(const Scalar& value) {
        Source out;
        out.constant = value;
        return out;
    }
    static Source reg(RegFile file, unsigned number) {
        Source out;
        out.slot = static_cast<std::int16_t>(slot_of(file, number));
        return out;
    }
    static Source predicate(RegFile file, unsigned number, bool inverted) {
        Source out = reg(file, number);
        out.negate = inverted;
        out.constant = kTrue;
        return out;
    }
    Source pred_at(unsigned at, RegFile file) const { return predicate(file, bits(at, 3), bit(at + 3)); }
    Source pred_at(unsigned at) const { return pred_at(at, pred_file()); }

    bool uniform() const { return i_->unit == Unit::Udp || i_->unit == Unit::UdpFast; }
    RegFile file() const { return uniform() ? RegFile::UGpr : RegFile::Gpr; }
    RegFile pred_file() const { return uniform() ? RegFile::UPred : RegFile::Pred; }
    Source reg_at(unsigned at, unsigned offset = 0) const {
        const unsigned number = bits(at, uniform() ? 6 : 8);
        const bool zero = number == (uniform() ? 63u : 255u);
        return zero ? constant(known(0)) : reg(file(), number + offset);
    }
    Source uniform_at(unsigned at) const {
        const unsigned number = bits(at, 6);
        return number == 63 ? constant(known(0)) : reg(RegFile::UGpr, number);
    }
    Scalar bank_value(unsigned offset, unsigned bytes) const {
        if (bit(91) || bits(54, 5) != 0) return {0, Origin::Other};
        const auto value = launch_.value(offset, bytes);
        return value ? known(*value) : Scalar{0, Origin::Launch};
    }
    // The field at 32, and whatever the form says lies there.
    Source low() const {
        switch (form()) {
            case 2:
            case 4:
                return constant(known(bits(32, 32)));
            case 3:
            case 5:
                return constant(bank_value(bits(38, 16), 4));
            case 6:
            case 7:
                return uniform_at(32);
            default:
                return reg_at(32);
        }
    }
    bool b_is_high() const { return form() == 2 || form() == 3 || form() == 7; }
    Source b() const { return b_is_high() ? reg_at(64) : low(); }
    Source c() const { return b_is_high() ? low() : reg_at(64); }
    bool immediate() const { return form() == 2 || form() == 4; }
    // With the bits that negate it (or, with `complement`, invert it); 0: none.
    static Source marked(Source source, bool set, bool complement) {
        (complement ? source.complement : source.negate) = set;
        return source;
    }
    Source b_marked(unsigned low_bit, unsigned high_bit, bool complement = false) const {
        const bool set =
            b_is_high() ? high_bit != 0 && bit(high_bit) : low_bit != 0 && !immediate() && bit(low_bit);
        return marked(b(), set, complement);
    }
    Source c_marked(unsigned low_bit, unsigned high_bit, bool complement = false) const {
        const bool set =
            b_is_high() ? low_bit != 0 && !immediate() && bit(low_bit) : high_bit != 0 && bit(high_bit);
        return marked(c(), set, complement);
    }

    void kind(Kind kind) { op_.kind = kind; }
    void dest(unsigned count = 1) {
        const unsigned number = bits(16, uniform() ? 6 : 8);
        op_.dest = static_cast<std::int16_t>(slot_of(file(), number));
        if (count > 1 && op_.dest >= 0)
            op_.dest_high = static_cast<std::int16_t>(slot_of(file(), number + 1));
    }
    void pred_dest(std::size_t which, unsigned at) {
        op_.pred_dest[which] = static_cast<std::int16_t>(slot_of(pred_file(), bits(at, 3)));
    }

    void arithmetic() {
        switch (i_->opcode & 0x1ffu) {
            case 0x002:  // MOV
                if (bits(72, 4) == 15) copy(b());
                break;
            case 0x082:  // UMOV
                copy(form() == 6 ? uniform_at(32) : low());
                break;
            case 0x0ca:  // R2UR
            case 0x1c2:
                op_.dest = static_cast<std::int16_t>(slot_of(RegFile::UGpr, bits(16, 6)));
                op_.a = reg(RegFile::Gpr, bits(24, 8));
                if (bits(24, 8) == 255) op_.a = constant(known(0));
                kind(Kind::Copy);
                break;
            case 0x031:  // HFMA2 of two zeros and an immediate: how nvcc puts a constant into a register
            case 0x035:
                if (form() == 2 && bits(24, 8) == 255 && bits(64, 8) == 255) copy(low());
                break;
            case 0x005:  // CS2R of SRZ
                if (bits(72, 8) == 0xff) {
                    copy(constant(known(0)));
                    dest(bit(80) ? 2 : 1);
                }
                break;
            case 0x119:
            case 0x1c3:
                special();
                break;
            case 0x182:
            case 0x0b9:
                load_constant();
                break;
            case 0x007:
            case 0x087:
                kind(Kind::Select);
                dest();
                op_.a = reg_at(24);
                op_.b = b();
                op_.preds[0] = pred_at(87);
                break;
            case 0x00c:
            case 0x08c:
                compare();
                break;
            case 0x010:
            case 0x090:
                add();
                break;
            case 0x036:  // VIADD
                kind(Kind::Add);
                dest();
                op_.a = marked(reg_at(24), bit(72), false);
                op_.b = b_marked(63, 0);
                op_.c = constant(known(0));
                break;
            case 0x024:
            case 0x0a4:
                multiply(Kind::Multiply);
                break;
            case 0x025:
            case 0x0a5:
                multiply(Kind::MultiplyWide);
                break;
            case 0x027:
                multiply(Kind::MultiplyHigh);
                break;
            case 0x011:
            case 0x091:
                shift_add();
                break;
            case 0x012:
            case 0x092:
                logic();
                break;
            case 0x019:
            case 0x099:
                shift();
                break;
            case 0x016:
            case 0x096:
                if (bits(72, 3) != 0) break;
                kind(Kind::Permute);
                dest();
                op_.a = reg_at(24);
                op_.b = b();
                op_.c = c();
                break;
            case 0x01a:
            case 0x09a:
                kind(Kind::Extend);
                dest();
                op_.a = reg_at(24);
                op_.b = b();
                op_.is_signed = bit(73);
                op_.flag = bit(75);
                break;
            case 0x017:
            case 0x048:
                kind(Kind::Least);
                dest();
                op_.a = reg_at(24);
                op_.b = b();
                op_.preds[0] = pred_at(87);
                op_.is_signed = bit((i_->opcode & 0x1ffu) == 0x048 ? 72 : 73);
                break;
            case 0x013:
                kind(Kind::Absolute);
                dest();
                op_.a = b();
                break;
            case 0x109:
            case 0x0bf:
                kind(Kind::CountOnes);
                dest();
                op_.a = b_marked(63, 0, true);
                break;
            case 0x01c:
            case 0x09c:
                predicate_logic();
                break;
            case 0x006:
            case 0x086:
                vote();
                break;
            case 0x189:  // SHFL: what all lanes have alike, they get
                if (!place_) copy(reg_at(24));
                break;
            default:
                break;
        }
    }

    void copy(const Source& source) {
        kind(Kind::Copy);
        dest();
        op_.a = source;
    }

    void special() {
        const unsigned id = bits(72, 8);
        const bool to_uniform = (i_->opcode & 0x1ffu) == 0x1c3;
        op_.dest = static_cast<std::int16_t>(to_uniform ? slot_of(RegFile::UGpr, bits(16, 6))
                                                        : slot_of(RegFile::Gpr, bits(16, 8)));
        kind(Kind::Copy);
        const bool of_thread = id == 0 || (id >= 0x20 && id <= 0x24) || (id >= 0x38 && id <= 0x3c);
        Scalar value{0, of_thread ? Origin::Thread : Origin::Other};
        if (id >= 0x21 && id <= 0x23)
            value = place(place_ ? &place_->thread : nullptr, launch_.block, id - 0x21, Origin::Thread);
        if (id >= 0x25 && id <= 0x27)
            value = place(place_ ? &place_->block : nullptr, launch_.grid, id - 0x25, Origin::Block);
        if (id == 0 && place_)
            value = known((place_->thread[0] +
                           launch_.block[0] * (place_->thread[1] + launch_.block[1] * place_->thread[2])) %
                          32);
        op_.a = constant(value);
    }
    static Scalar place(const std::array<std::uint32_t, 3>* at, const std::array<std::uint32_t, 3>& of,
                        unsigned axis, Origin from) {
        if (at) return known((*at)[axis]);
        return of[axis] == 1 ? known(0) : Scalar{0, from};
    }

    void load_constant() {
        const bool load = i_->unit == Unit::Ldc;
        op_.from = Origin::Launch;
        if (load && (form() == 2 || bits(24, 8) != 255)) {
            op_.from = Origin::Memory;
            return;
        }
        const unsigned type = bits(73, 3), offset = bits(38, 16);
        constexpr unsigned kBytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
        const unsigned bytes = kBytes[type];
        if (bytes == 0 || bytes > 8) return;  // four words: nobody counts with them
        kind(Kind::Copy);
        dest(bytes / 4);
        Scalar value = bank_value(offset, std::min(bytes, 4u));
        if (value.known() && (type == 1 || type == 3)) {
            const unsigned shift = 32 - 8 * bytes;
            value.bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(value.bits << shift) >> shift);
        }
        op_.a = constant(value);
        if (bytes == 8) op_.c_high = constant(bank_value(offset + 4, 4));
        op_.wide = bytes == 8;
    }

    void compare() {
        kind(Kind::Compare);
        op_.code = static_cast<std::uint8_t>(bits(76, 3));
        op_.code2 = static_cast<std::uint8_t>(bits(74, 2));
        op_.is_signed = bit(73);
        op_.extended = bit(72);
        pred_dest(0, 81);
        pred_dest(1, 84);
        op_.a = reg_at(24);
        op_.b = b();
        op_.preds[0] = pred_at(87);
        op_.preds[1] = pred_at(68);
    }

    void add() {
        const bool x = bit(74);
        kind(Kind::Add);
        dest();
        pred_dest(0, 81);
        pred_dest(1, 84);
        op_.extended = x;
        op_.a = marked(reg_at(24), bit(72), x);
        op_.b = b_marked(63, 75, x);
        op_.c = c_marked(63, 75, x);
        op_.preds[0] = pred_at(87);
        op_.preds[1] = pred_at(77);
    }

    void multiply(Kind of) {
        if (bit(74) && of != Kind::Multiply) return;
        if (of != Kind::Multiply && b_is_high()) return;  // an addend of 64 bits that is none
        kind(of);
        dest(of == Kind::MultiplyWide ? 2 : 1);
        op_.is_signed = bit(73);
        op_.extended = bit(74);
        op_.a = reg_at(24);
        op_.b = b_marked(63, 0, op_.extended);
        op_.c = c_marked(63, 75, op_.extended);
        if (of != Kind::Multiply) op_.c_high = reg_at(64, 1);
        op_.preds[0] = pred_at(87);
    }

    void shift_add() {
        kind(Kind::ShiftAdd);
        dest();
        pred_dest(0, 81);
        op_.high = bit(80);
        op_.extended = bit(74);
        op_.flag = bit(73);  // .SX32
        op_.code = static_cast<std::uint8_t>(bits(75, 5));
        op_.a = marked(reg_at(24), bit(72), op_.extended);
        op_.b = b_marked(63, 0, op_.extended);
        op_.c = c();
        op_.preds[0] = pred_at(87);
        if (bit(72) && (op_.high || op_.extended)) kind(Kind::Unknown);
    }

    void logic() {
        kind(Kind::Logic);
        dest();
        pred_dest(0, 81);
        op_.flag = bit(80);
        op_.code = static_cast<std::uint8_t>(bits(72, 8));
        op_.a = reg_at(24);
        op_.b = b();
        op_.c = c();
        op_.preds[0] = pred_at(87);
    }

    void shift() {
        kind(Kind::Shift);
        dest();
        op_.left = !bit(76);
        op_.flag = bit(75);
        op_.high = bit(80);
        const unsigned type = bits(73, 2);  // S64 U64 S32 U32
        op_.wide = type < 2;
        op_.is_signed = type == 0 || type == 2;
        op_.a = reg_at(24);
        op_.b = b();
        op_.c = c();
    }

    void predicate_logic() {
        kind(Kind::PredicateLogic);
        pred_dest(0, 81);
        pred_dest(1, 84);
        op_.code = static_cast<std::uint8_t>(bits(72, 5) << 3 | bits(64, 3));
        op_.code2 = static_cast<std::uint8_t>(bits(16, 8));
        op_.preds = {pred_at(87), pred_at(77),
                     pred_at(68, uniform() || bit(67) ? RegFile::UPred : RegFile::Pred)};
    }

    // Of a predicate that is known without knowing the lane, and so the same in all.
    void vote() {
        if (place_ || bits(72, 2) > 1) return;
        kind(Kind::PredicateLogic);
        const bool to_uniform = (i_->opcode & 0x1ffu) == 0x086;
        op_.pred_dest[0] =
            static_cast<std::int16_t>(slot_of(to_uniform ? RegFile::UPred : RegFile::Pred, bits(81, 3)));
        op_.code = 0x80;
        op_.preds = {pred_at(87, RegFile::Pred), constant(kTrue), constant(kTrue)};
    }

    const Kernel& kernel_;
    const LaunchValues& launch_;
    const std::optional<ThreadPlace>& place_;
    const Instruction* i_ = nullptr;
    Op op_;
};

// ---- which of it matters -------------------------------------------------------------------------------

// Every slot that an op names, written ones with true.
template <class Visit>
void ScalarCode::visit_slots(Op& op, Visit visit) {
    for (Source* s : {&op.guard, &op.a, &op.b, &op.c, &op.c_high, &op.preds[0], &op.preds[1], &op.preds[2]})
        visit(s->slot, false);
    visit(op.dest, true);
    visit(op.dest_high, true);
    for (std::int16_t& slot : op.pred_dest)
        visit(slot, true);
    for (std::int16_t& slot : op.writes)
        visit(slot, true);
}

ScalarCode::ScalarCode(const Kernel& kernel, const LaunchValues& launch, std::optional<ThreadPlace> place) {
    Reader reader(kernel, launch, place);
    const std::vector<Block>& blocks = kernel.flow().blocks;
    blocks_.resize(blocks.size());
    for (BlockId b = 0; b < blocks.size(); ++b) {
        for (Position at = blocks[b].first; at < blocks[b].end(); ++at) {
            Op op = reader.op(at);
            if (!op.writes.empty()) blocks_[b].ops.push_back(std::move(op));
        }
        if (blocks[b].count > 0) reader.condition(blocks[b].end() - 1, blocks_[b]);
    }
    find_calls(kernel);
    trace_memory();
    keep_relevant();
}

// What is computed, by instructions that are not looked into, from values out of memory, is said to be one.
void ScalarCode::trace_memory() {
    std::vector<bool> loaded(kAllSlots, false);
    for (bool changed = true; changed;) {
        changed = false;
        for (BlockCode& block : blocks_)
            for (Op& op : block.ops) {
                if (op.kind != Kind::Unknown) continue;
                if (op.from == Origin::Other &&
                    std::any_of(op.reads.begin(), op.reads.end(),
                                [&](std::int16_t slot) { return loaded[static_cast<std::size_t>(slot)]; }))
                    op.from = Origin::Memory;
                if (op.from != Origin::Memory) continue;
                for (const std::int16_t slot : op.writes) {
                    changed = changed || !loaded[static_cast<std::size_t>(slot)];
                    loaded[static_cast<std::size_t>(slot)] = true;
                }
            }
    }
}

// Slots that reach a condition, and the instructions that write them; the rest is dropped.
void ScalarCode::keep_relevant() {
    std::vector<std::vector<const Op*>> writers(kAllSlots);
    for (BlockCode& block : blocks_)
        for (const Op& op : block.ops)
            for (const std::int16_t slot : op.writes)
                writers[static_cast<std::size_t>(slot)].push_back(&op);
    std::vector<bool> relevant(kAllSlots, false);
    std::vector<std::int16_t> open;
    const auto need = [&](const Source& source) {
        if (source.slot < 0 || relevant[static_cast<std::size_t>(source.slot)]) return;
        relevant[static_cast<std::size_t>(source.slot)] = true;
        open.push_back(source.slot);
    };
    for (const BlockCode& block : blocks_)
        if (block.ends_by_condition) {
            need(block.guard);
            need(block.extra);
        }
    while (!open.empty()) {
        const auto slot = static_cast<std::size_t>(open.back());
        open.pop_back();
        for (const Op* op : writers[slot]) {
            need(op->guard);
            if (op->kind == Kind::Unknown) continue;
            for (const Source* s :
                 {&op->a, &op->b, &op->c, &op->c_high, &op->preds[0], &op->preds[1], &op->preds[2]})
                need(*s);
        }
    }
    std::vector<std::int16_t> number(kAllSlots, -1);
    for (std::size_t slot = 0; slot < number.size(); ++slot)
        if (relevant[slot]) number[slot] = static_cast<std::int16_t>(slots_++);
    const auto renumber = [&](std::int16_t& slot) {
        if (slot >= 0) slot = number[static_cast<std::size_t>(slot)];
    };
    const auto drop_lost = [](std::vector<std::int16_t>& slots) { std::erase(slots, std::int16_t{-1}); };
    for (BlockCode& block : blocks_) {
        std::erase_if(block.ops, [&](const Op& op) {
            return std::none_of(op.writes.begin(), op.writes.end(),
                                [&](std::int16_t slot) { return relevant[static_cast<std::size_t>(slot)]; });
        });
        for (Op& op : block.ops) {
            op.reads.clear();
            // A source of an instruction that is not looked into does not matter, its guard does.
            if (op.kind == Kind::Unknown)
                op.a = op.b = op.c = op.c_high = op.preds[0] = op.preds[1] = op.preds[2] = {};
            visit_slots(op, [&](std::int16_t& slot, bool) { renumber(slot); });
            drop_lost(op.writes);
        }
        renumber(block.guard.slot);
        renumber(block.extra.slot);
        for (std::int16_t& slot : block.called_writes)
            renumber(slot);
        drop_lost(block.called_writes);
    }
}

// What the code that a call reaches writes, down to its RETs; everything where it goes nobody knows where.
void ScalarCode::find_calls(const Kernel& kernel) {
    const FlowGraph& flow = kernel.flow();
    for (BlockId b = 0; b < blocks_.size(); ++b) {
        const Block& block = flow.blocks[b];
        if (block.count == 0 || flow_kind(kernel.instruction(block.end() - 1)) != FlowKind::Call) continue;
        std::vector<bool> seen(blocks_.size(), false), written(kAllSlots, block.successors.empty());
        std::vector<BlockId> open = block.successors;
        while (!open.empty()) {
            const BlockId at = open.back();
            open.pop_back();
            if (seen[at]) continue;
            seen[at] = true;
            for (const Op& op : blocks_[at].ops)
                for (const std::int16_t slot : op.writes)
                    written[static_cast<std::size_t>(slot)] = true;
            const Block& here = flow.blocks[at];
            if (here.count == 0) continue;
            const FlowKind kind = flow_kind(kernel.instruction(here.end() - 1));
            if (kind == FlowKind::Call && at + 1 < blocks_.size()) open.push_back(at + 1);
            if (here.unknown_successors && kind != FlowKind::Return && kind != FlowKind::Call)
                written.assign(kAllSlots, true);
            open.insert(open.end(), here.successors.begin(), here.successors.end());
        }
        for (std::size_t slot = 0; slot < written.size(); ++slot)
            if (written[slot]) blocks_[b].called_writes.push_back(static_cast<std::int16_t>(slot));
    }
}

// ---- running it ------------------------------------------------------------------------------------------

Scalar ScalarCode::value_of(const Source& source, const ScalarState& state) {
    Scalar value = source.slot >= 0 ? state[static_cast<std::size_t>(source.slot)] : source.constant;
    if (!value.known()) return value;
    if (source.complement) value.bits = ~value.bits;
    if (source.negate) value.bits = 0u - value.bits;
    return value;
}

Scalar ScalarCode::predicate_of(const Source& source, const ScalarState& state) {
    Scalar value = source.slot >= 0 ? state[static_cast<std::size_t>(source.slot)] : source.constant;
    if (value.known() && source.negate) value.bits ^= 1u;
    return value;
}

namespace {

Scalar both(const Scalar& a, const Scalar& b) {
    if ((a.known() && a.bits == 0) || (b.known() && b.bits == 0)) return truth(false);
    if (a.known() && b.known()) return truth(true);
    return {0, blame(a, b)};
}
Scalar either(const Scalar& a, const Scalar& b) {
    if ((a.known() && a.bits != 0) || (b.known() && b.bits != 0)) return truth(true);
    if (a.known() && b.known()) return truth(false);
    return {0, blame(a, b)};
}
Scalar one_of(const Scalar& a, const Scalar& b) {
    if (a.known() && b.known()) return truth(a.bits != b.bits);
    return {0, blame(a, b)};
}
Scalar inverted(const Scalar& a) {
    return a.known() ? truth(a.bits == 0) : a;
}

// F LT EQ LE GT NE GE T: one bit each for less, equal, greater.
bool holds(unsigned code, int order) {
    const unsigned bit = order < 0 ? 1 : order == 0 ? 2 : 4;
    return (code & bit) != 0;
}

int order_of(std::uint32_t a, std::uint32_t b, bool is_signed) {
    if (a == b) return 0;
    const bool less = is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
    return less ? -1 : 1;
}

// The term of a sum, as what it adds in 33 bits: a negated one is its complement and one.
std::uint64_t term(const Scalar& value, bool negated) {
    return negated ? std::uint64_t{~value.bits} + 1 : value.bits;
}

std::uint32_t shifted(std::uint32_t low, std::uint32_t high, std::uint32_t by, bool left, bool wide,
                      bool wraps, bool is_signed, bool take_high) {
    const std::uint32_t most = wide ? 64 : 32;
    const std::uint32_t count = wraps ? by % most : std::min(by, most);
    const std::uint64_t value = std::uint64_t{high} << 32 | low;
    std::uint64_t out = 0;
    if (left)
        out = count < 64 ? value << count : 0;
    else if (is_signed)
        out = static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(count, 63u));
    else
        out = count < 64 ? value >> count : 0;
    return static_cast<std::uint32_t>(take_high ? out >> 32 : out);
}

std::uint32_t permuted(std::uint32_t a, std::uint32_t selector, std::uint32_t c) {
    const std::uint64_t all = std::uint64_t{c} << 32 | a;
    std::uint32_t out = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t pick = selector >> (4 * i) & 15u;
        auto byte = static_cast<std::uint32_t>(all >> (8 * (pick & 7u)) & 0xffu);
        if ((pick & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0;
        out |= byte << (8 * i);
    }
    return out;
}

std::uint32_t extended(std::uint32_t a, std::uint32_t size, bool is_signed, bool wraps) {
    const std::uint32_t count = wraps ? size % 32 : std::min(size, 32u);
    if (count == 0) return 0;
    const std::uint32_t shift = 32 - count;
    return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(a << shift) >> shift)
                     : a << shift >> shift;
}

Scalar of_table(unsigned table, const Scalar& a, const Scalar& b, const Scalar& c) {
    // Not known only where the table says different things of what is not known.
    unsigned seen = 0;
    for (unsigned row = 0; row < 8; ++row) {
        const auto fits = [&](const Scalar& s, unsigned bit) {
            return !s.known() || s.bits == (row >> bit & 1u);
        };
        if (fits(a, 2) && fits(b, 1) && fits(c, 0)) seen |= (table >> row & 1u) != 0 ? 2u : 1u;
    }
    if (seen != 3) return truth(seen == 2);
    return {0, a.known() ? blame(b, c) : a.from};
}

}  // namespace

void ScalarCode::compute(const Op& op, ScalarState& state) {
    const auto put = [&](std::int16_t slot, const Scalar& value) {
        if (slot >= 0) state[static_cast<std::size_t>(slot)] = value;
    };
    const Scalar a = value_of(op.a, state), b = value_of(op.b, state), c = value_of(op.c, state);
    const Origin two = blame(a, b), three = a.known() ? blame(b, c) : a.from;
    const auto put_two = [&](std::uint32_t value) {
        put(op.dest, two == Origin::Known ? known(value) : Scalar{0, two});
    };
    const auto put_three = [&](std::uint32_t value) {
        put(op.dest, three == Origin::Known ? known(value) : Scalar{0, three});
    };
    const Scalar p = predicate_of(op.preds[0], state), q = predicate_of(op.preds[1], state);
    switch (op.kind) {
        case Kind::Unknown:
            for (const std::int16_t slot : op.writes)
                put(slot, {0, op.from});
            break;
        case Kind::Copy:
            put(op.dest, a);
            put(op.dest_high, op.wide ? op.c_high.constant : a);
            break;
        case Kind::Select:
            put(op.dest, p.known() ? (p.bits != 0 ? a : b) : a == b ? a : Scalar{0, p.from});
            break;
        case Kind::Compare: {
            Scalar result{0, two};
            if (two == Origin::Known) {
                const int order = order_of(a.bits, b.bits, op.is_signed);
                result = truth(holds(op.code, order));
                // Of the high halves, with what the low ones said: it decides where these are equal.
                if (op.extended && order == 0 && op.code != 0 && op.code != 7) result = q;
            }
            const auto joined = [&](const Scalar& value) {
                return op.code2 == 0 ? both(value, p) : op.code2 == 1 ? either(value, p) : one_of(value, p);
            };
            const Scalar first = joined(result), second = joined(inverted(result));
            put(op.pred_dest[0], first);
            put(op.pred_dest[1], second);
            break;
        }
        case Kind::Add: {
            Scalar carry_in = known(0);
            Origin from = three;
            if (op.extended) {
                if (from == Origin::Known) from = blame(p, q);
                carry_in = known(p.bits + q.bits);
            }
            // The terms again, as they are before their sign: the carry is that of the 33-bit sum.
            const auto raw = [&](const Source& s, const Scalar& v) {
                return s.negate ? term(known(0u - v.bits), true) : std::uint64_t{v.bits};
            };
            const std::uint64_t sum = raw(op.a, a) + raw(op.b, b) + raw(op.c, c) + carry_in.bits;
            const auto told = [&](std::uint32_t value) {
                return from == Origin::Known ? known(value) : Scalar{0, from};
            };
            put(op.dest, told(static_cast<std::uint32_t>(sum)));
            put(op.pred_dest[0], told(sum >> 32 >= 1 ? 1 : 0));
            put(op.pred_dest[1], told(sum >> 32 >= 2 ? 1 : 0));
            break;
        }
        case Kind::Multiply: {
            const bool zero = (a.known() && a.bits == 0) || (b.known() && b.bits == 0);
            Scalar out = zero ? c : Scalar{0, three};
            if (!zero && three == Origin::Known) out = known(a.bits * b.bits + c.bits);
            if (op.extended && out.known()) out = p.known() ? known(out.bits + p.bits) : p;
            put(op.dest, out);
            break;
        }
        case Kind::MultiplyWide:
        case Kind::MultiplyHigh: {
            const Scalar high = value_of(op.c_high, state);
            const Origin from = three == Origin::Known ? high.from : three;
            const std::uint64_t product =
                op.is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a.bits)} *
                                                          std::int64_t{static_cast<std::int32_t>(b.bits)})
                             : std::uint64_t{a.bits} * b.bits;
            std::uint64_t addend = std::uint64_t{high.bits} << 32 | (op.c.negate ? 0u - c.bits : c.bits);
            if (op.c.negate) addend = 0 - addend;
            const std::uint64_t sum = product + addend;
            const auto told = [&](std::uint64_t value) {
                return from == Origin::Known ? known(static_cast<std::uint32_t>(value)) : Scalar{0, from};
            };
            const bool wide = op.kind == Kind::MultiplyWide;
            put(op.dest, told(wide ? sum : sum >> 32));
            if (wide) put(op.dest_high, told(sum >> 32));
            break;
        }
        case Kind::ShiftAdd: {
            const Scalar high = op.flag ? known(static_cast<std::int32_t>(a.bits) < 0 ? ~0u : 0u) : c;
            Origin from = two;
            if (op.high && from == Origin::Known) from = high.from;
            if (op.extended && from == Origin::Known) from = p.from;
            const std::uint64_t value = (op.high ? std::uint64_t{high.bits} << 32 : 0) | a.bits;
            const std::uint64_t moved = value << op.code;
            const std::uint64_t addend = op.b.negate ? term(known(0u - b.bits), true) : b.bits;
            const std::uint64_t sum = static_cast<std::uint32_t>(op.high ? moved >> 32 : moved) + addend +
                                      (op.extended ? p.bits : 0);
            const auto told = [&](std::uint32_t v) {
                return from == Origin::Known ? known(v) : Scalar{0, from};
            };
            put(op.dest, told(static_cast<std::uint32_t>(sum)));
            put(op.pred_dest[0], told(sum >> 32 != 0 ? 1 : 0));
            break;
        }
        case Kind::Logic: {
            std::uint32_t value = 0;
            for (unsigned row = 0; row < 8; ++row)
                if ((op.code >> row & 1u) != 0)
                    value |= ((row & 4u) != 0 ? a.bits : ~a.bits) & ((row & 2u) != 0 ? b.bits : ~b.bits) &
                             ((row & 1u) != 0 ? c.bits : ~c.bits);
            put_three(value);
            const Scalar any = three == Origin::Known ? truth(value != 0) : Scalar{0, three};
            put(op.pred_dest[0], op.flag ? both(any, p) : either(any, p));
            break;
        }
        case Kind::Shift:
            put_three(shifted(a.bits, c.bits, b.bits, op.left, op.wide, op.flag, op.is_signed, op.high));
            break;
        case Kind::Permute:
            put_three(permuted(a.bits, b.bits, c.bits));
            break;
        case Kind::Extend:
            put_two(extended(a.bits, b.bits, op.is_signed, op.flag));
            break;
        case Kind::Least: {
            const Origin from = two == Origin::Known ? p.from : two;
            const bool first = (order_of(a.bits, b.bits, op.is_signed) < 0) == (p.bits != 0);
            put(op.dest, from == Origin::Known ? (first ? a : b) : Scalar{0, from});
            break;
        }
        case Kind::Absolute:
            put_two(static_cast<std::int32_t>(a.bits) < 0 ? 0u - a.bits : a.bits);
            break;
        case Kind::CountOnes:
            put_two(static_cast<std::uint32_t>(std::popcount(a.bits)));
            break;
        case Kind::PredicateLogic: {
            const Scalar r = predicate_of(op.preds[2], state);
            const Scalar first = of_table(op.code, p, q, r), second = of_table(op.code2, p, q, r);
            put(op.pred_dest[0], first);
            put(op.pred_dest[1], second);
            break;
        }
    }
    // A carry of a product, a second result that is not computed: written, and not known.
    if (op.kind == Kind::Unknown) return;
    for (const std::int16_t slot : op.writes)
        if (slot != op.dest && slot != op.dest_high && slot != op.pred_dest[0] && slot != op.pred_dest[1])
            put(slot, {0, op.from});
}

void ScalarCode::execute(const Op& op, ScalarState& state) {
    const Scalar guard = predicate_of(op.guard, state);
    if (guard.known()) {
        if (guard.bits != 0) compute(op, state);
        return;
    }
    // Done or not: what stays the same either way is known still.
    std::array<Scalar, 16> before;
    const std::size_t count = std::min(op.writes.size(), before.size());
    for (std::size_t i = 0; i < count; ++i)
        before[i] = state[static_cast<std::size_t>(op.writes[i])];
    compute(op, state);
    for (std::size_t i = 0; i < op.writes.size(); ++i) {
        Scalar& now = state[static_cast<std::size_t>(op.writes[i])];
        if (i >= count || now != before[i]) now = {0, guard.from};
    }
}

void ScalarCode::run(BlockId block, ScalarState& state) const {
    for (const Op& op : blocks_[block].ops)
        execute(op, state);
}

Scalar ScalarCode::condition(BlockId block, const ScalarState& state) const {
    const BlockCode& code = blocks_[block];
    if (!code.ends_by_condition) return kTrue;
    return both(predicate_of(code.guard, state), predicate_of(code.extra, state));
}

void ScalarCode::clobber(BlockId block, ScalarState& state) const {
    for (const std::int16_t slot : blocks_[block].called_writes)
        state[static_cast<std::size_t>(slot)] = {0, Origin::Call};
}

const char* to_string(Origin origin) {
    switch (origin) {
        case Origin::Known:
            return "the code";
        case Origin::Thread:
            return "threadIdx";
        case Origin::Block:
            return "blockIdx";
        case Origin::Launch:
            return "a parameter or a dimension that no workload gives";
        case Origin::Memory:
            return "a value from memory";
        case Origin::Pass:
            return "a value of the pass of a loop";
        case Origin::Paths:
            return "which way a branch before it goes";
        case Origin::Call:
            return "what a function returns";
        case Origin::Other:
            return "an instruction that is not evaluated";
    }
    return "";
}

}  // namespace cubinlab
