// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/legality/tables/latency.h"

namespace cubinlab::probe {
namespace {

// Who touched a register last, and when it issued.
struct Last {
    const Instruction* instruction = nullptr;
    long cycle = 0;
};

// They touch different lanes.
bool opposite(const Instruction& a, const Instruction& b) {
    return a.guarded() && b.guarded() && a.guard == b.guard && a.uniform_guard == b.uniform_guard &&
           a.guard_negated != b.guard_negated;
}

class Miner {
  public:
    Miner(const Kernel& kernel, MinedClasses& out) : kernel_(kernel), out_(out) {}
    void run() {
        BlockId block = kernel_.size() ? kernel_.block_of(0) : BlockId{};
        long cycle = 0;
        for (InstrId id = 0; id < kernel_.size(); ++id) {
            if (kernel_.block_of(id) != block) {
                block = kernel_.block_of(id);
                writers_.clear(), readers_.clear();
            }
            const Instruction& known = kernel_.instruction(id);
            visit(known, cycle);
            cycle += std::max<int>(1, known.control().stall);
        }
    }

  private:
    using Register = std::pair<RegFile, unsigned>;

    void visit(const Instruction& known, long cycle) {
        for (const bool writes : {false, true})
            for (const Operand& operand : known.operands)
                for (unsigned i = 0; i < operand.count && (writes ? operand.write : operand.read); ++i) {
                    const Register reg{operand.file, operand.first + i};
                    if (const auto at = writers_.find(reg); at != writers_.end())
                        note(writes ? "waw" : "raw", at->second, known, reg, cycle);
                    if (const auto at = readers_.find(reg); writes && at != readers_.end())
                        note("war", at->second, known, reg, cycle);
                }
        for (const Operand& operand : known.operands)
            for (unsigned i = 0; i < operand.count; ++i) {
                const Register reg{operand.file, operand.first + i};
                if (operand.read) readers_[reg] = {&known, cycle};
                if (operand.write) writers_[reg] = {&known, cycle}, readers_.erase(reg);
            }
    }
    void note(const char* kind, const Last& first, const Instruction& second, Register reg, long cycle) {
        if (first.instruction == &second || opposite(*first.instruction, second) ||
            completes_by_scoreboard(kernel_.arch(), *first.instruction))
            return;
        const std::string k = kind;
        const auto [file, number] = reg;
        Mined& mined =
            out_[{k, register_prefix(file), operand_class(*first.instruction, file, number, k == "war"),
                  operand_class(second, file, number, k == "raw")}];
        const int distance = static_cast<int>(cycle - first.cycle);
        mined.least = mined.seen == 0 ? distance : std::min(mined.least, distance);
        ++mined.seen;
    }

    const Kernel& kernel_;
    MinedClasses& out_;
    std::map<Register, Last> writers_, readers_;
};

std::string number(int value) {
    return value > 0 ? std::to_string(value) : "-";
}

// Slots a, b and c of one unit; anything else is a class of its own.
std::pair<std::string, std::string> unit_and_slot(const std::string& text) {
    const std::size_t space = text.rfind(' ');
    const std::string slot = space == std::string::npos ? "" : text.substr(space + 1);
    if (slot != "a" && slot != "b" && slot != "c") return {text, ""};
    return {text.substr(0, space), slot};
}

constexpr const char* kWriters[] = {"ALU",  "FMA",     "FMA wide lo", "FMA wide hi", "FP16", "HFMA2.MMA",
                                    "FP64", "MMA 8x8", "MMA 1x",      "MMA 2x",      "DMMA"};

}  // namespace

Mined least_of(const MinedClasses& mined, const ClassSummary& c) {
    const std::size_t space = c.second.rfind(' ');
    const bool joined = space != std::string::npos && c.second.find(',', space) != std::string::npos;
    Mined out;
    auto take = [&](const std::string& second) {
        const auto at = mined.find({c.kind, c.file, c.first, second});
        if (at == mined.end()) return;
        out.least = out.seen ? std::min(out.least, at->second.least) : at->second.least;
        out.seen += at->second.seen;
    };
    if (!joined) {
        take(c.second);
        return out;
    }
    for (const char slot : c.second.substr(space + 1))
        if (slot != ',') take(c.second.substr(0, space + 1) + slot);
    return out;
}

void mine_distances(const Kernel& kernel, MinedClasses& out) {
    Miner(kernel, out).run();
}

std::string operand_class(const Instruction& known, RegFile file, unsigned number, bool reads) {
    const bool guarded = known.guarded();
    const std::string guard =
        !guarded ? ""
        : reads && known.guard == number && file == (known.uniform_guard ? RegFile::UPred : RegFile::Pred)
            ? "guard of "
        : reads ? ""
                : "@P ";
    std::string out = guard + to_string(known.unit);
    if (file != RegFile::Gpr) return out;
    for (const Operand& operand : known.operands) {
        if (operand.file != file || !(reads ? operand.read : operand.write) || number < operand.first ||
            number >= static_cast<unsigned>(operand.first) + operand.count)
            continue;
        // IMAD.HI has only the upper half of the product, and it is as late.
        if (!reads && known.unit == Unit::FmaWide)
            return out + (operand.count == 2 && number == operand.first ? " lo" : " hi");
        if (!reads) return out;
        switch (operand.role) {
            case Role::A:
                return out + " a";
            case Role::B:
                return out + " b";
            case Role::C:
                return out + (known.unit == Unit::FmaWide && operand.count == 2
                                  ? (number == operand.first ? " c-lo" : " c-hi")
                                  : " c");
            case Role::Address:
                return out + " address";
            case Role::StoreData:
                return out + " data";
            default:
                return out;
        }
    }
    return out;
}

GuardComparison compare_guarded(const std::vector<Row>& rows) {
    std::map<std::string, int> plain;
    for (const Row& row : rows)
        if (row.contains("pair") && row.contains("breaks_at") && row["breaks_at"].is_number())
            plain[row["pair"].get<std::string>()] = row["breaks_at"].get<int>();
    GuardComparison out;
    for (const auto& [name, breaks_at] : plain) {
        const std::size_t at = name.find("@P ");
        if (at == std::string::npos) continue;
        const auto other = plain.find(std::string(name).erase(at, 3));
        if (other == plain.end()) continue;
        ++out.pairs;
        out.same += breaks_at == other->second;
        out.less += breaks_at < other->second;
        if (breaks_at > other->second)
            out.more.push_back(fmt::format("{}: {} against {}", name, breaks_at + 1, other->second + 1));
    }
    return out;
}

std::string matrix_markdown(const std::vector<ClassSummary>& classes, const MinedClasses& mined) {
    std::map<std::string, std::map<std::string, std::string>> lines;  // by reader, then writer
    std::vector<std::string> readers;
    for (const ClassSummary& c : classes) {
        if (c.kind != "raw" || c.file != "R" || c.first.starts_with('@')) continue;
        if (!lines.contains(c.second)) readers.push_back(c.second);
        lines[c.second][c.first] = fmt::format("{} / {} / {}", c.need > 1 ? std::to_string(c.need) : "1?",
                                               number(c.table_high), number(least_of(mined, c).least));
    }
    std::string out = "| reader |", rule = "\n|---|";
    for (const char* writer : kWriters)
        out += fmt::format(" {} |", writer), rule += "---|";
    out += rule + "\n";
    std::set<std::string> done;
    for (const std::string& reader : readers) {
        if (done.contains(reader)) continue;
        std::string names, last;
        for (const std::string& other : readers)
            if (!done.contains(other) && lines[other] == lines[reader]) {
                const auto [unit, slot] = unit_and_slot(other);
                const bool again = !slot.empty() && unit == last;
                last = unit;
                names += again ? " " + slot : (names.empty() ? "" : ", ") + other;
                done.insert(other);
            }
        out += fmt::format("| {} |", names);
        for (const char* writer : kWriters) {
            const auto at = lines[reader].find(writer);
            out += fmt::format(" {} |", at == lines[reader].end() ? "" : at->second);
        }
        out += "\n";
    }
    return out;
}

std::vector<ClassSummary> join_slots(const std::vector<ClassSummary>& classes) {
    std::vector<ClassSummary> out;
    for (ClassSummary c : classes) {
        const auto [unit, slot] = unit_and_slot(c.second);
        if (!slot.empty() && !out.empty()) {
            ClassSummary& last = out.back();
            if (last.kind == c.kind && last.file == c.file && last.first == c.first && last.need == c.need &&
                last.table_low == c.table_low && last.table_high == c.table_high &&
                (last.second == unit + " a" || last.second == unit + " b" || last.second == unit + " a,b")) {
                last.second += "," + slot;
                last.pairs += c.pairs;
                last.need_low = std::min(last.need_low, c.need_low);
                last.wrong_below += c.wrong_below, last.trials_below += c.trials_below;
                last.wrong_at += c.wrong_at, last.trials_at += c.trials_at;
                last.above_table = last.above_table || c.above_table;
                continue;
            }
        }
        out.push_back(std::move(c));
    }
    return out;
}

std::string classes_markdown(const std::vector<ClassSummary>& classes, const MinedClasses& mined) {
    auto range = [](int low, int high) {
        return high == 0 ? "-" : low == high ? std::to_string(high) : fmt::format("{}-{}", low, high);
    };
    std::string out =
        "| kind | first | second | file | pairs | table | compiler | needs | wrong/trials one cycle below | "
        "at and above |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const ClassSummary& c : join_slots(classes)) {
        const Mined least = least_of(mined, c);
        const std::string compiler = least.seen ? fmt::format("{} ({})", least.least, least.seen) : "-";
        out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {}/{} |{}\n", c.kind, c.first,
                           c.second, c.file, c.pairs, range(c.table_low, c.table_high), compiler,
                           c.need > 1 ? range(c.need_low, c.need) : "no break",
                           c.need > 1 ? fmt::format("{}/{}", c.wrong_below, c.trials_below) : "-", c.wrong_at,
                           c.trials_at, c.above_table ? " **more than the table** |" : "");
    }
    return out;
}

}  // namespace cubinlab::probe
