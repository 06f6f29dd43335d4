// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ptx/effects.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace cubinlab::ptx {

namespace {

enum class Form : std::uint8_t {
    Register,  // no effect but on registers
    Load,      // of the space that the opcode names
    Store,
    Warp,
    Fence,
    Copy,  // cp
    Call,
    Control,
};
enum class Written : std::uint8_t {
    First,            // the first operand is written
    FirstIfRegister,  // unless it is an address
    None,
    All,  // every name may be written
};
struct Row {
    OpKind kind = OpKind::Unknown;
    Form form = Form::Control;
    Written written = Written::All;
};

const std::unordered_map<std::string_view, Row>& rows() {
    static const auto all = [] {
        std::unordered_map<std::string_view, Row> map;
        const auto add = [&map](Row row, std::initializer_list<std::string_view> opcodes) {
            for (const std::string_view opcode : opcodes)
                map.emplace(opcode, row);
        };
        add({OpKind::Arithmetic, Form::Register, Written::First},
            {"abs",     "add",   "addc",  "and",      "bfe",    "bfi",          "bfind",      "bmsk",
             "brev",    "clz",   "cnot",  "copysign", "cos",    "createpolicy", "cvt",        "cvta",
             "div",     "dp2a",  "dp4a",  "ex2",      "fma",    "fns",          "getctarank", "isspacep",
             "istypep", "lg2",   "lop3",  "mad",      "mad24",  "madc",         "mapa",       "max",
             "min",     "mov",   "mul",   "mul24",    "neg",    "not",          "or",         "popc",
             "prmt",    "rcp",   "rem",   "rsqrt",    "sad",    "selp",         "set",        "setp",
             "shf",     "shl",   "shr",   "sin",      "slct",   "sqrt",         "sub",        "subc",
             "suq",     "szext", "tanh",  "testp",    "txq",    "vabsdiff",     "vabsdiff2",  "vabsdiff4",
             "vadd",    "vadd2", "vadd4", "vavrg2",   "vavrg4", "vmad",         "vmax",       "vmax2",
             "vmax4",   "vmin",  "vmin2", "vmin4",    "vset",   "vset2",        "vset4",      "vshl",
             "vshr",    "vsub",  "vsub2", "vsub4",    "xor"});
        add({OpKind::Matrix, Form::Register, Written::First}, {"mma", "movmatrix", "wmma"});
        add({OpKind::Load, Form::Load, Written::First}, {"ld", "ldmatrix", "ldu", "suld", "tex", "tld4"});
        add({OpKind::Load, Form::Load, Written::None}, {"applypriority", "prefetch", "prefetchu"});
        add({OpKind::Store, Form::Store, Written::None}, {"discard", "st", "stmatrix", "sust"});
        add({OpKind::Warp, Form::Warp, Written::First}, {"elect", "match", "redux", "shfl", "vote"});
        add({OpKind::Copy, Form::Copy, Written::None}, {"cp"});
        add({OpKind::Fence, Form::Fence, Written::First}, {"activemask", "atom"});
        add({OpKind::Fence, Form::Fence, Written::FirstIfRegister},
            {"clusterlaunchcontrol", "mbarrier", "multimem", "tcgen05"});
        add({OpKind::Fence, Form::Fence, Written::None},
            {"bar", "barrier", "fence", "griddepcontrol", "membar", "nanosleep", "pmevent", "red", "sured",
             "tensormap", "wgmma"});
        add({OpKind::Call, Form::Call, Written::All}, {"call"});
        add({OpKind::Control, Form::Control, Written::None},
            {"alloca", "bra", "brkpt", "brx", "exit", "ret", "setmaxnreg", "stackrestore", "stacksave",
             "trap"});
        return map;
    }();
    return all;
}

class Qualifiers {
  public:
    explicit Qualifiers(std::string_view opcode) {
        for (std::size_t at = 0; at <= opcode.size();) {
            const std::size_t end = std::min(opcode.find('.', at), opcode.size());
            all_.push_back(opcode.substr(at, end - at));
            at = end + 1;
        }
    }
    std::string_view opcode() const { return all_.front(); }
    std::string_view at(std::size_t i) const { return i < all_.size() ? all_[i] : std::string_view(); }
    bool any(std::initializer_list<std::string_view> wanted) const {
        return std::find_first_of(all_.begin() + 1, all_.end(), wanted.begin(), wanted.end()) != all_.end();
    }

  private:
    std::vector<std::string_view> all_;
};

std::uint16_t space_of(const Qualifiers& q) {
    if (q.any({"const"})) return 0;
    if (q.any({"global"})) return kGlobal;
    if (q.any({"shared", "shared::cta", "shared::cluster"})) return kShared;
    if (q.any({"local"})) return kLocal;
    if (q.any({"param", "param::entry", "param::func"})) return kParam;
    const std::string_view op = q.opcode();
    return op == "tex" || op == "tld4" || op == "suld" || op == "sust" ? kGlobal : kGeneric;
}

void set_fence(Effects& e) {
    e.fence = true;
    e.kind = std::max(e.kind, OpKind::Fence);
}

// The effects of the opcode, without its operands.
Effects effects_of_opcode(const Qualifiers& q, const Row& row) {
    Effects e;
    e.kind = row.kind;
    switch (row.form) {
        case Form::Register:
            if (q.opcode() == "wmma" && q.at(1) == "load") e.kind = OpKind::Load, e.reads = space_of(q);
            if (q.opcode() == "wmma" && q.at(1) == "store") e.kind = OpKind::Store, e.writes = space_of(q);
            break;
        case Form::Load:
        case Form::Store:
            if (q.any(
                    {"volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio", "async", "bulk"}))
                set_fence(e);
            (row.form == Form::Load ? e.reads : e.writes) = space_of(q);
            break;
        case Form::Warp:
            if (!q.any({"sync"})) set_fence(e);
            e.writes = kWarp;
            break;
        case Form::Copy:
            if (q.at(1) == "async" && q.at(2) == "commit_group") {
                e.writes = kCopies;
            } else if (q.at(1) == "async" && (q.at(2) == "ca" || q.at(2) == "cg")) {
                e.reads = kGlobal;
                e.writes = kShared | kCopies;
            } else {
                set_fence(e);
            }
            break;
        case Form::Fence:
        case Form::Call:
            set_fence(e);
            break;
        case Form::Control:
            break;
    }
    return e;
}

Written written_of(const Qualifiers& q, const Row& row) {
    const std::string_view op = q.opcode();
    if (op == "wmma" && q.at(1) == "store") return Written::None;
    if ((op == "bar" || op == "barrier") && q.any({"red"})) return Written::First;
    if (op == "wgmma" && q.at(1) == "mma_async") return Written::First;
    return row.written;
}

// Whether its vectors of registers are in use after it.
bool keeps_registers(const Qualifiers& q) {
    return (q.opcode() == "wgmma" && q.at(1) == "mma_async") ||
           (q.opcode() == "tcgen05" && (q.at(1) == "ld" || q.at(1) == "st"));
}

bool reads_clock(std::string_view name) {
    return name.starts_with("%clock") || name.starts_with("%globaltimer") ||
           (name.starts_with("%pm") && name.size() > 3 && name[3] >= '0' && name[3] <= '9');
}

// Reads the operands of one instruction, left to right.
class Operands {
  public:
    Operands(std::string_view text, std::span<const Token> tokens, Written written, bool conditional,
             Effects& e)
        : text_(text), tokens_(tokens), written_(written), conditional_(conditional), e_(e) {
        if (written == Written::FirstIfRegister)
            written_ = !tokens.empty() && is(tokens[0], text, '[') ? Written::None : Written::First;
    }
    void run(bool async) {
        for (const Token& token : tokens_) {
            if (token.kind == Token::Kind::Word) name(token.in(text_), async);
            if (token.kind != Token::Kind::Sign) continue;
            const char sign = text_[token.begin];
            if (sign == '{' || sign == '[' || sign == '(') ++depth_;
            if (sign == '}' || sign == ']' || sign == ')') --depth_;
            if (sign == '[' || sign == ']') address_ = sign == '[';
            if (sign == ',' && depth_ == 0) ++operand_;
        }
    }
    std::string_view address() const { return first_address_; }

  private:
    void name(std::string_view word, bool async) {
        const std::string_view base = word.substr(0, word.find('.', 1));
        if (base == "_" || (base[0] >= '0' && base[0] <= '9')) return;
        if (address_ && first_address_.empty()) first_address_ = base;
        if (reads_clock(base)) set_fence(e_);
        const bool is_result = written_ == Written::All || (written_ == Written::First && operand_ == 0);
        if (is_result) e_.written.push_back(base);
        if (!is_result || written_ == Written::All || conditional_ || base.size() < word.size())
            e_.read.push_back(base);
        if (async && depth_ > 0 && !address_) e_.async.push_back(base);
    }

    std::string_view text_;
    std::span<const Token> tokens_;
    Written written_;
    bool conditional_;
    Effects& e_;
    int depth_ = 0, operand_ = 0;
    bool address_ = false;
    std::string_view first_address_;
};

}  // namespace

void Effects::add(const Effects& other) {
    kind = std::max(kind, other.kind);
    reads |= other.reads;
    writes |= other.writes;
    fence |= other.fence;
    for (auto [mine, theirs] : {std::pair(&read, &other.read), std::pair(&written, &other.written),
                                std::pair(&async, &other.async)})
        mine->insert(mine->end(), theirs->begin(), theirs->end());
}

void add_copies(std::span<const Effects> instructions, std::unordered_set<std::string_view>& async) {
    if (async.empty()) return;
    std::unordered_map<std::string_view, Names> copies;
    for (const Effects& e : instructions)
        for (std::size_t r = 0; e.copies && r < e.read.size(); ++r)
            copies[e.read[r]].insert(copies[e.read[r]].end(), e.written.begin(), e.written.end());
    Names open(async.begin(), async.end());
    while (!open.empty()) {
        const Names& next = copies[open.back()];
        open.pop_back();
        for (const std::string_view name : next)
            if (async.insert(name).second) open.push_back(name);
    }
}

Effects effects_of(std::string_view text, std::span<const Token> instruction,
                   const std::unordered_set<std::string_view>& constants) {
    std::size_t at = 0;
    std::string_view guard;
    if (at < instruction.size() && is(instruction[at], text, '@')) {
        at += instruction.size() > 1 && is(instruction[1], text, '!') ? 2 : 1;
        if (at < instruction.size()) guard = instruction[at++].in(text);
    }
    Effects e;
    e.kind = OpKind::Unknown;
    if (at >= instruction.size()) return e;
    const Qualifiers q(instruction[at++].in(text));
    const auto found = rows().find(q.opcode());
    const Row row = found == rows().end() ? Row{} : found->second;
    e = effects_of_opcode(q, row);
    if (!guard.empty()) e.read.push_back(guard);
    Operands operands(text, instruction.subspan(at), written_of(q, row), !guard.empty(), e);
    operands.run(keeps_registers(q));
    e.copies = q.opcode() == "mov";
    // The carry flag (extended-precision arithmetic).
    if (q.any({"cc"})) e.written.push_back("%%cc");
    if (q.opcode() == "addc" || q.opcode() == "subc" || q.opcode() == "madc") e.read.push_back("%%cc");
    if (e.reads == kParam && constants.contains(operands.address())) e.reads = 0;
    if (q.opcode() == "bra" && !e.read.empty()) e.target = e.read.back();
    return e;
}

}  // namespace cubinlab::ptx
