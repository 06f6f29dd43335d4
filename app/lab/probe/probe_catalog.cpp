// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_catalog.h"

#include <fmt/format.h>

#include <set>

#include "app/lab/probe/probe_operations.h"
#include "app/lab/probe/register_name.h"
#include "core/sass/decoder.h"

namespace cubinlab::probe {
namespace {

Result<Instruction> decoded(const WordBook& book, const std::string& text) {
    if (text.ends_with("BRA")) {
        const std::size_t space = text.find(' ');
        auto word = book.branch(space == std::string::npos ? "" : text.substr(0, space), 0, 64);
        if (!word) return fail(word.error());
        return decode(book.arch(), *word, 0);
    }
    auto word = book.assemble(text);
    if (!word) return fail(word.error());
    return decode(book.arch(), *word, 0);
}

const Operand* operand_with(const Instruction& instruction, RegisterName reg, bool write) {
    for (const Operand& operand : instruction.operands)
        if (operand.file == reg.file && (write ? operand.write : operand.read) &&
            operand.first <= reg.number && reg.number < operand.first + operand.count)
            return &operand;
    return nullptr;
}

}  // namespace

std::vector<Pair> pair_catalogue() {
    std::vector<Pair> out;
    gpr_read_pairs(out);
    predicate_read_pairs(out);
    uniform_read_pairs(out);
    write_pairs(out);
    return out;
}

Result<Texts> random_operands(const WordBook& book, const Texts& texts, const Texts& also) {
    std::set<int> wanted, written;
    auto visit = [&](const std::string& text, bool writes_count) -> Status {
        auto instruction = decoded(book, text);
        if (!instruction) return fail(instruction.error());
        for (const Operand& operand : instruction->operands)
            for (int i = 0; operand.file == RegFile::Gpr && i < operand.count; ++i)
                if ((operand.read || !writes_count) && !written.contains(operand.first + i))
                    wanted.insert(operand.first + i);
        for (const Operand& operand : instruction->operands)
            for (int i = 0;
                 operand.file == RegFile::Gpr && operand.write && writes_count && i < operand.count; ++i)
                written.insert(operand.first + i);
        return {};
    };
    for (const std::string& text : also)
        if (auto ok = visit(text, true); !ok) return fail(ok.error());
    for (const std::string& text : texts)
        if (auto ok = visit(text, false); !ok) return fail(ok.error());
    Texts out;
    for (const int reg : wanted) {
        if (reg < 8 || reg > 27) continue;
        for (const std::string& text : random_value(reg, static_cast<std::uint32_t>(reg)))
            out.push_back(text);
    }
    return out;
}

Result<Texts> fold_of(const WordBook& book, const std::string& text) {
    auto instruction = decoded(book, text);
    if (!instruction) return fail(instruction.error());
    for (const Operand& operand : instruction->operands) {
        if (!operand.write) continue;
        const int r = operand.first;
        switch (operand.file) {
            case RegFile::Pred:
                if (text.find("SHFL") != std::string::npos) continue;
                return Texts{fmt::format("SEL R28, R9, R10, P{}", r)};
            case RegFile::UGpr:
                return Texts{fmt::format("IMAD.U32 R28, RZ, RZ, UR{}", r)};
            case RegFile::Gpr:
                if (operand.count == 1) return Texts{fmt::format("IMAD.MOV.U32 R28, RZ, RZ, R{}", r)};
                if (operand.count == 2)
                    return Texts{fmt::format("LOP3.LUT R28, R{}, R{}, RZ, 0x3c, !PT", r, r + 1)};
                return Texts{fmt::format("LOP3.LUT R28, R{}, R{}, R{}, 0x96, !PT", r, r + 1, r + 2),
                             fmt::format("IMAD R28, R28, R3, R{}", r + 3)};
            default:
                break;
        }
    }
    return fail(ErrorCode::NotFound, "writes nothing that could be compared", text);
}

Result<Experiment> experiment_of(const WordBook& book, const Pair& pair, int distance) {
    Experiment out;
    auto random = random_operands(book, {pair.first, pair.second}, [&] {
        Texts all = pair.init;
        all.insert(all.end(), pair.prepare.begin(), pair.prepare.end());
        return all;
    }());
    if (!random) return fail(random.error());
    out.init = std::move(*random);
    out.init.insert(out.init.end(), pair.init.begin(), pair.init.end());
    out.prepare = pair.prepare;
    out.core.push_back(line(pair.first, std::min(distance, 10)));
    for (int left = distance - 10; left > 0; left -= 10)
        out.core.push_back(line("NOP", std::min(left, 10)));
    Line second = line(pair.second, 4);
    auto first_known = decoded(book, pair.first), known = decoded(book, pair.second);
    if (!first_known) return fail(first_known.error());
    if (!known) return fail(known.error());
    // What a scoreboard completes is waited for behind the pair, not between the two.
    auto track = [](const Instruction& instruction, ControlCode& control, std::uint8_t slot) {
        if (!instruction.has(Trait::VariableLatency)) return;
        bool writes = false;
        for (const Operand& operand : instruction.operands)
            writes = writes || operand.write;
        (writes ? control.write_barrier : control.read_barrier) = slot;
    };
    track(*first_known, out.core.front().control, 1);
    track(*known, second.control, 0);
    out.core.push_back(second);
    if (pair.second.ends_with("BRA")) out.core.push_back(line("MOV R20, R9", 4));
    out.collect = pair.collect;
    if (out.collect.empty()) {
        auto fold = fold_of(book, pair.kind == DependenceKind::War ? pair.first : pair.second);
        if (!fold) return fail(fold.error());
        out.collect = *fold;
    }
    return out;
}

Result<std::optional<int>> table_distance(const WordBook& book, const Pair& pair, CheckMode mode) {
    auto first = decoded(book, pair.first), second = decoded(book, pair.second);
    if (!first) return fail(first.error());
    if (!second) return fail(second.error());
    const RegisterName reg = parse_register(pair.resource);
    const Operand* a = operand_with(*first, reg, pair.kind != DependenceKind::War);
    const Operand* b = operand_with(*second, reg, pair.kind != DependenceKind::Raw);
    if (!a || !b) return fail(ErrorCode::BadInput, "the pair does not share such a register", pair.name);
    if (completes_by_scoreboard(book.arch(), *first)) return std::optional<int>{};
    return required_distance(book.arch(), pair.kind, *first, *a, *second, *b, reg.number, mode);
}

}  // namespace cubinlab::probe
