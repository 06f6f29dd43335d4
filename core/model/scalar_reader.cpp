// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scalar_reader.h"

#include <algorithm>

#include "core/schedule/control_flow.h"

namespace cubinlab {
namespace {

constexpr Scalar kTrue{1, Origin::Known};

Scalar known_value(std::uint32_t bits) {
    return {bits, Origin::Known};
}

// One instruction's fields; where they are, is told by the rows of core/sass/ops_*.cpp.
class ScalarReader {
  public:
    ScalarReader(const Kernel& kernel, const LaunchValues& launch, const std::optional<ThreadPlace>& place)
        : kernel_(kernel), launch_(launch), place_(place) {}

    ScalarOp op(InstrId id) {
        i_ = &kernel_.instruction(id);
        op_ = {};
        op_.guard =
            predicate(i_->uniform_guard ? RegFile::UPred : RegFile::Pred, i_->guard, i_->guard_negated);
        for (const Operand& operand : i_->operands)
            if (operand.write)
                for (unsigned k = 0; k < operand.count; ++k)
                    if (const int slot = scalar_slot(operand.file, operand.first + k); slot >= 0)
                        op_.writes.push_back(static_cast<std::int16_t>(slot));
        op_.from = i_->memory.reads ? Origin::Memory : Origin::Other;
        if (!i_->has(Trait::UnknownOpcode)) arithmetic();
        if (op_.kind == ScalarKind::Unknown) register_reads();
        return std::move(op_);
    }
    bool condition(InstrId last, ScalarSource& guard, ScalarSource& extra) {
        i_ = &kernel_.instruction(last);
        const FlowKind kind = flow_kind(*i_);
        if (kind != FlowKind::Branch && kind != FlowKind::Exit) return false;
        guard = predicate(i_->uniform_guard ? RegFile::UPred : RegFile::Pred, i_->guard, i_->guard_negated);
        extra = pred_at(87, RegFile::Pred);
        if (kind != FlowKind::Branch) return true;
        if (bits(32, 2) >= 2) extra = constant({0, Origin::Other});  // .DIV and .CONV: do lanes agree?
        if ((i_->opcode & 0xfffu) == (0x147u | 2u << 9)) extra = pred_at(24, RegFile::UPred);
        return true;
    }

  private:
    void register_reads() {
        for (const Operand& operand : i_->operands)
            if (operand.read && operand.role != Role::Guard)
                for (unsigned k = 0; k < operand.count; ++k)
                    if (const int slot = scalar_slot(operand.file, operand.first + k); slot >= 0)
                        op_.reads.push_back(static_cast<std::int16_t>(slot));
    }
    unsigned bits(unsigned at, unsigned count) const {
        return static_cast<unsigned>(i_->word.bits(at, count));
    }
    bool bit(unsigned at) const { return i_->word.bit(at); }
    unsigned form() const { return bits(9, 3); }

    static ScalarSource constant(const Scalar& value) {
        ScalarSource out;
        out.constant = value;
        return out;
    }
    static ScalarSource reg(RegFile file, unsigned number) {
        ScalarSource out;
        out.slot = static_cast<std::int16_t>(scalar_slot(file, number));
        return out;
    }
    static ScalarSource predicate(RegFile file, unsigned number, bool inverted) {
        ScalarSource out = reg(file, number);
        out.negate = inverted;
        out.constant = kTrue;
        return out;
    }
    ScalarSource pred_at(unsigned at, RegFile file) const {
        return predicate(file, bits(at, 3), bit(at + 3));
    }
    ScalarSource pred_at(unsigned at) const { return pred_at(at, pred_file()); }

    bool uniform() const { return i_->unit == Unit::Udp || i_->unit == Unit::UdpFast; }
    RegFile file() const { return uniform() ? RegFile::UGpr : RegFile::Gpr; }
    RegFile pred_file() const { return uniform() ? RegFile::UPred : RegFile::Pred; }
    ScalarSource reg_at(unsigned at, unsigned offset = 0) const {
        const unsigned number = bits(at, uniform() ? 6 : 8);
        const bool zero = number == (uniform() ? 63u : 255u);
        return zero ? constant(known_value(0)) : reg(file(), number + offset);
    }
    ScalarSource uniform_at(unsigned at) const {
        const unsigned number = bits(at, 6);
        return number == 63 ? constant(known_value(0)) : reg(RegFile::UGpr, number);
    }
    Scalar bank_value(unsigned offset, unsigned bytes) const {
        if (bit(91) || bits(54, 5) != 0) return {0, Origin::Other};
        const auto value = launch_.value(offset, bytes);
        return value ? known_value(*value) : Scalar{0, Origin::Launch};
    }
    // The field at 32, and whatever the form says lies there.
    ScalarSource low() const {
        switch (form()) {
            case 2:
            case 4:
                return constant(known_value(bits(32, 32)));
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
    ScalarSource b() const { return b_is_high() ? reg_at(64) : low(); }
    ScalarSource c() const { return b_is_high() ? low() : reg_at(64); }
    bool immediate() const { return form() == 2 || form() == 4; }
    // With the bits that negate it (or, with `complement`, invert it); 0: none.
    static ScalarSource marked(ScalarSource source, bool set, bool complement) {
        (complement ? source.complement : source.negate) = set;
        return source;
    }
    ScalarSource b_marked(unsigned low_bit, unsigned high_bit, bool complement = false) const {
        const bool set =
            b_is_high() ? high_bit != 0 && bit(high_bit) : low_bit != 0 && !immediate() && bit(low_bit);
        return marked(b(), set, complement);
    }
    ScalarSource c_marked(unsigned low_bit, unsigned high_bit, bool complement = false) const {
        const bool set =
            b_is_high() ? low_bit != 0 && !immediate() && bit(low_bit) : high_bit != 0 && bit(high_bit);
        return marked(c(), set, complement);
    }

    void kind(ScalarKind kind) { op_.kind = kind; }
    void dest(unsigned count = 1) {
        const unsigned number = bits(16, uniform() ? 6 : 8);
        op_.dest = static_cast<std::int16_t>(scalar_slot(file(), number));
        if (count > 1 && op_.dest >= 0)
            op_.dest_high = static_cast<std::int16_t>(scalar_slot(file(), number + 1));
    }
    void pred_dest(std::size_t which, unsigned at) {
        op_.pred_dest[which] = static_cast<std::int16_t>(scalar_slot(pred_file(), bits(at, 3)));
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
                op_.dest = static_cast<std::int16_t>(scalar_slot(RegFile::UGpr, bits(16, 6)));
                op_.a = reg(RegFile::Gpr, bits(24, 8));
                if (bits(24, 8) == 255) op_.a = constant(known_value(0));
                kind(ScalarKind::Copy);
                break;
            case 0x031:  // HFMA2 of two zeros and an immediate: how nvcc puts a constant into a register
            case 0x035:
                if (form() == 2 && bits(24, 8) == 255 && bits(64, 8) == 255) copy(low());
                break;
            case 0x005:  // CS2R of SRZ
                if (bits(72, 8) == 0xff) {
                    copy(constant(known_value(0)));
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
                kind(ScalarKind::Select);
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
                kind(ScalarKind::Add);
                dest();
                op_.a = marked(reg_at(24), bit(72), false);
                op_.b = b_marked(63, 0);
                op_.c = constant(known_value(0));
                break;
            case 0x024:
            case 0x0a4:
                multiply(ScalarKind::Multiply);
                break;
            case 0x025:
            case 0x0a5:
                multiply(ScalarKind::MultiplyWide);
                break;
            case 0x027:
                multiply(ScalarKind::MultiplyHigh);
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
                kind(ScalarKind::Permute);
                dest();
                op_.a = reg_at(24);
                op_.b = b();
                op_.c = c();
                break;
            case 0x01a:
            case 0x09a:
                kind(ScalarKind::Extend);
                dest();
                op_.a = reg_at(24);
                op_.b = b();
                op_.is_signed = bit(73);
                op_.flag = bit(75);
                break;
            case 0x017:
            case 0x048:
                kind(ScalarKind::Least);
                dest();
                op_.a = reg_at(24);
                op_.b = b();
                op_.preds[0] = pred_at(87);
                op_.is_signed = bit((i_->opcode & 0x1ffu) == 0x048 ? 72 : 73);
                break;
            case 0x013:
                kind(ScalarKind::Absolute);
                dest();
                op_.a = b();
                break;
            case 0x109:
            case 0x0bf:
                kind(ScalarKind::CountOnes);
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

    void copy(const ScalarSource& source) {
        kind(ScalarKind::Copy);
        dest();
        op_.a = source;
    }

    void special() {
        const unsigned id = bits(72, 8);
        const bool to_uniform = (i_->opcode & 0x1ffu) == 0x1c3;
        op_.dest = static_cast<std::int16_t>(to_uniform ? scalar_slot(RegFile::UGpr, bits(16, 6))
                                                        : scalar_slot(RegFile::Gpr, bits(16, 8)));
        kind(ScalarKind::Copy);
        const bool of_thread = id == 0 || (id >= 0x20 && id <= 0x24) || (id >= 0x38 && id <= 0x3c);
        Scalar value{0, of_thread ? Origin::Thread : Origin::Other};
        if (id >= 0x21 && id <= 0x23)
            value = place(place_ ? &place_->thread : nullptr, launch_.block, id - 0x21, Origin::Thread);
        if (id >= 0x25 && id <= 0x27)
            value = place(place_ ? &place_->block : nullptr, launch_.grid, id - 0x25, Origin::Block);
        if (id == 0 && place_)
            value = known_value((place_->thread[0] +
                           launch_.block[0] * (place_->thread[1] + launch_.block[1] * place_->thread[2])) %
                          32);
        op_.a = constant(value);
    }
    static Scalar place(const std::array<std::uint32_t, 3>* at, const std::array<std::uint32_t, 3>& of,
                        unsigned axis, Origin from) {
        if (at) return known_value((*at)[axis]);
        return of[axis] == 1 ? known_value(0) : Scalar{0, from};
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
        kind(ScalarKind::Copy);
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
        kind(ScalarKind::Compare);
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
        kind(ScalarKind::Add);
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

    void multiply(ScalarKind of) {
        if (bit(74) && of != ScalarKind::Multiply) return;
        if (of != ScalarKind::Multiply && b_is_high()) return;  // an addend of 64 bits that is none
        kind(of);
        dest(of == ScalarKind::MultiplyWide ? 2 : 1);
        op_.is_signed = bit(73);
        op_.extended = bit(74);
        op_.a = reg_at(24);
        op_.b = b_marked(63, 0, op_.extended);
        op_.c = c_marked(63, 75, op_.extended);
        if (of != ScalarKind::Multiply) op_.c_high = reg_at(64, 1);
        op_.preds[0] = pred_at(87);
    }

    void shift_add() {
        kind(ScalarKind::ShiftAdd);
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
        if (bit(72) && (op_.high || op_.extended)) kind(ScalarKind::Unknown);
    }

    void logic() {
        kind(ScalarKind::Logic);
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
        kind(ScalarKind::Shift);
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
        kind(ScalarKind::PredicateLogic);
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
        kind(ScalarKind::PredicateLogic);
        const bool to_uniform = (i_->opcode & 0x1ffu) == 0x086;
        op_.pred_dest[0] =
            static_cast<std::int16_t>(scalar_slot(to_uniform ? RegFile::UPred : RegFile::Pred, bits(81, 3)));
        op_.code = 0x80;
        op_.preds = {pred_at(87, RegFile::Pred), constant(kTrue), constant(kTrue)};
    }

    const Kernel& kernel_;
    const LaunchValues& launch_;
    const std::optional<ThreadPlace>& place_;
    const Instruction* i_ = nullptr;
    ScalarOp op_;
};

}  // namespace

ScalarOp scalar_op(const Kernel& kernel, const LaunchValues& launch, const std::optional<ThreadPlace>& place,
                   InstrId id) {
    return ScalarReader(kernel, launch, place).op(id);
}

bool scalar_condition(const Kernel& kernel, InstrId last, ScalarSource& guard, ScalarSource& extra) {
    const LaunchValues nothing;
    const std::optional<ThreadPlace> nowhere;
    return ScalarReader(kernel, nothing, nowhere).condition(last, guard, extra);
}

}  // namespace cubinlab
