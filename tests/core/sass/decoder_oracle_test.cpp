// SPDX-License-Identifier: GPL-3.0-or-later
// decode() against nvdisasm 12.4's register life ranges and labels, for every recorded instruction.
#include <algorithm>
#include <iostream>
#include <map>

#include "core/sass/decoder.h"
#include "tests/core/sass/listing_data.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using test::LifeRange;
using test::ListedInstruction;

namespace {

std::vector<LifeRange> ranges_of(const Instruction& in) {
    std::map<std::pair<int, int>, LifeRange> by_register;
    for (const Operand& o : in.operands) {
        if (o.file == RegFile::BReg) continue;  // nvdisasm has no column for them
        for (int i = 0; i < o.count; ++i) {
            LifeRange& r = by_register[{static_cast<int>(o.file), o.first + i}];
            r.file = static_cast<int>(o.file);
            r.reg = o.first + i;
            r.read |= o.read;
            r.write |= o.write;
        }
    }
    std::vector<LifeRange> out;
    for (const auto& [key, r] : by_register)
        out.push_back(r);
    return out;
}

bool subset(const std::vector<LifeRange>& small, const std::vector<LifeRange>& large) {
    return std::all_of(small.begin(), small.end(), [&](const LifeRange& s) {
        return std::any_of(large.begin(), large.end(), [&](const LifeRange& l) {
            return l.file == s.file && l.reg == s.reg && (!s.read || l.read) && (!s.write || l.write);
        });
    });
}

// Registers of `theirs` that are not in `ours` with the same flags.
std::vector<LifeRange> extra(const std::vector<LifeRange>& ours, const std::vector<LifeRange>& theirs) {
    std::vector<LifeRange> out;
    std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(), std::back_inserter(out));
    return out;
}

bool explained_call(const Instruction&, const std::vector<LifeRange>& ours,
                    const std::vector<LifeRange>& theirs) {
    return subset(ours, theirs);
}

bool explained_zero_fill(const Instruction& in, const std::vector<LifeRange>& ours,
                         const std::vector<LifeRange>& theirs) {
    const auto difference = extra(ours, theirs);
    return subset(ours, theirs) && difference.size() == 1 &&
           difference[0].file == static_cast<int>(RegFile::Pred) &&
           difference[0].reg == static_cast<int>(in.word.bits(87, 3));
}

// Reads the predicates of its mask (form 4: an immediate).
bool explained_mask(const Instruction& in, const std::vector<LifeRange>& ours,
                    const std::vector<LifeRange>& theirs) {
    const auto difference = extra(theirs, ours);
    return subset(theirs, ours) && std::all_of(difference.begin(), difference.end(), [&](const LifeRange& r) {
               return r.file == static_cast<int>(RegFile::Pred) && r.read && !r.write &&
                      in.word.bit(32 + static_cast<unsigned>(r.reg));
           });
}

// All four components: the second pair of results is two registers.
bool explained_second_pair(const Instruction& in, const std::vector<LifeRange>& ours,
                           const std::vector<LifeRange>& theirs) {
    const auto difference = extra(theirs, ours);
    return subset(theirs, ours) && in.word.bits(72, 4) == 15 && difference.size() == 1 &&
           difference[0].file == static_cast<int>(RegFile::Gpr) && difference[0].write &&
           difference[0].reg == static_cast<int>(in.word.bits(64, 8)) + 1;
}

// Where the oracle is known to say more than the instruction does, or nvdisasm 13.0 less; every other difference
// fails the test.
struct Exception {
    const char* mnemonic;
    unsigned form;  // bits 9-11
    const char* reason;
    bool (*explains)(const Instruction&, const std::vector<LifeRange>& ours,
                     const std::vector<LifeRange>& theirs);
};
const Exception kExceptions[] = {
    {"CALL", 1, "marks what the callee may use and clobber; ours must be among them", explained_call},
    {"CALL", 4, "marks what the callee may use and clobber; ours must be among them", explained_call},
    {"LDGSTS", 7,
     "marks the zero-fill predicate as read and written; it is a source, shared by many copies in a row",
     explained_zero_fill},
    {"P2R", 4, "leaves the predicates of the mask out", explained_mask},
    {"TEX", 7, "leaves the second register of the second pair out (sm_100)", explained_second_pair},
    {"TLD4", 7, "leaves the second register of the second pair out (sm_100)", explained_second_pair},
};

const Exception* exception_for(const Instruction& in) {
    for (const Exception& e : kExceptions)
        if (std::string_view(e.mnemonic) == in.mnemonic && e.form == in.word.bits(9, 3)) return &e;
    return nullptr;
}

std::string print(const std::vector<LifeRange>& ranges) {
    static const char* kPrefix[] = {"R", "P", "UR", "UP"};
    std::string out;
    for (const auto& r : ranges)
        out += std::string(" ") + kPrefix[r.file] + std::to_string(r.reg) + (r.read ? "r" : "") +
               (r.write ? "w" : "");
    return out;
}

template <class F>
void for_each(F&& f) {
    for (const auto& file : test::listing_files())
        for (const auto& kernel : file.kernels)
            for (const auto& listed : kernel.instructions)
                f(file, kernel, listed);
}

}  // namespace

TEST_CASE("Definitions and uses agree with nvdisasm's life ranges") {
    std::map<std::string, long> used;
    long compared = 0;
    for_each([&](const auto& file, const auto& kernel, const ListedInstruction& listed) {
        const Instruction in = decode(file.arch, listed.word, listed.offset);
        INFO(file.name << " " << kernel.name << " " << std::hex << listed.offset << " " << listed.text);
        REQUIRE_FALSE(in.has(Trait::UnknownOpcode));
        if (!listed.has_ranges) return;
        ++compared;
        const auto ours = ranges_of(in);
        if (ours == listed.ranges) return;
        const Exception* e = exception_for(in);
        INFO("ours  " << print(ours));
        INFO("theirs" << print(listed.ranges));
        REQUIRE(e != nullptr);
        REQUIRE(e->explains(in, ours, listed.ranges));
        ++used[e->mnemonic];
    });
    CHECK(compared > 20000);
    for (const auto& [mnemonic, count] : used)
        std::cout << "life ranges: " << count << " explained differences on " << mnemonic << "\n";
    std::cout << "life ranges: " << compared << " instructions compared\n";
}

TEST_CASE("The mnemonic and the guard are those of the listing") {
    for_each([](const auto& file, const auto& kernel, const ListedInstruction& listed) {
        const Instruction in = decode(file.arch, listed.word, listed.offset);
        INFO(file.name << " " << kernel.name << " " << std::hex << listed.offset << " " << listed.text);
        const std::string opcode = test::listed_opcode(listed.text);
        REQUIRE(opcode.substr(0, opcode.find('.')) == in.mnemonic);
        REQUIRE(in.guarded() == listed.text.starts_with("@"));
        if (!in.guarded()) return;
        const std::string guard = std::string("@") + (in.guard_negated ? "!" : "") +
                                  (in.uniform_guard ? "U" : "") + "P" +
                                  (in.guard == 7 ? "T" : std::to_string(in.guard)) + " ";
        REQUIRE(listed.text.starts_with(guard));
    });
}

TEST_CASE("Direct branch targets are the labels of the listing") {
    long targets = 0;
    for_each([&](const auto& file, const auto& kernel, const ListedInstruction& listed) {
        const auto at = listed.text.find("`(.L_x_");
        const Instruction in = decode(file.arch, listed.word, listed.offset);
        const std::string mnemonic = in.mnemonic;
        // RET, LEPC and CALL through a register print a label too, but it is not where they go.
        const bool indirect = mnemonic == "RET" || mnemonic == "LEPC" || in.opcode == 0x344;
        INFO(file.name << " " << kernel.name << " " << std::hex << listed.offset << " " << listed.text);
        if (at == std::string::npos || indirect) {
            REQUIRE(in.branch_target == -1);
            return;
        }
        REQUIRE(in.branch_target == std::stol(listed.text.substr(at + 7), nullptr, 16));
        ++targets;
    });
    CHECK(targets > 700);
}

TEST_CASE("Every reuse bit has a register operand in its slot") {
    for_each([](const auto& file, const auto& kernel, const ListedInstruction& listed) {
        const Instruction in = decode(file.arch, listed.word, listed.offset);
        INFO(file.name << " " << kernel.name << " " << std::hex << listed.offset << " " << listed.text);
        const Role slots[3] = {Role::A, Role::B, Role::C};
        for (unsigned slot = 0; slot < 3; ++slot) {
            if (!(in.control().reuse >> slot & 1)) continue;
            REQUIRE(std::any_of(in.operands.begin(), in.operands.end(), [&](const Operand& o) {
                return o.role == slots[slot] && o.read && o.file == RegFile::Gpr;
            }));
        }
        REQUIRE((in.control().reuse & 8) == 0);
    });
}

TEST_CASE("Only instructions known to answer through a scoreboard set one") {
    for_each([](const auto& file, const auto& kernel, const ListedInstruction& listed) {
        const Instruction in = decode(file.arch, listed.word, listed.offset);
        const ControlCode c = in.control();
        INFO(file.name << " " << kernel.name << " " << std::hex << listed.offset << " " << listed.text);
        if (c.write_barrier != kNoBarrier || c.read_barrier != kNoBarrier)
            REQUIRE(in.has(Trait::VariableLatency));
    });
}

TEST_CASE(
    "No instruction that ptxas leaves without a scoreboard on an architecture is called variable there") {
    // Opcodes seen at least ten times on an architecture without a single scoreboard have a fixed latency
    // there.
    std::map<std::pair<std::string, int>, std::pair<long, long>> seen;  // instructions, with a scoreboard
    std::map<std::pair<std::string, int>, bool> variable;
    for_each([&](const auto& file, const auto&, const ListedInstruction& listed) {
        const Instruction in = decode(file.arch, listed.word, listed.offset);
        // BAR, MEMBAR and their kin may name one but seldom do; they have no register result to protect.
        if (in.has(Trait::Fence) || in.unit == Unit::Nop) return;
        // Nor has BMOV.32.CLEAR RZ, B0.
        if (std::ranges::all_of(in.operands, [](const Operand& o) { return o.file == RegFile::BReg; }))
            return;
        const std::pair<std::string, int> key{in.mnemonic, file.arch.sm};
        auto& [all, with] = seen[key];
        ++all;
        const ControlCode c = in.control();
        with += c.write_barrier != kNoBarrier || c.read_barrier != kNoBarrier;
        variable[key] = variable[key] || in.has(Trait::VariableLatency);
    });
    for (const auto& [key, counts] : seen) {
        INFO(key.first << " on sm_" << key.second << ": " << counts.first << " seen");
        if (counts.first >= 10 && counts.second == 0) CHECK_FALSE(variable[key]);
    }
}
