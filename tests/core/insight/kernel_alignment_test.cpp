// SPDX-License-Identifier: GPL-3.0-or-later
// Two compilations side by side: every instruction once, pairs that compute the same, as many as a second implementation
// finds.
#include "core/insight/kernel_alignment.h"

#include <algorithm>
#include <random>
#include <set>

#include "core/sass/decoder.h"
#include "core/schedule/schedule.h"
#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::string text_of(const Kernel& kernel, InstrId id) {
    return computed_text(render(kernel.arch(), kernel.instruction(id).word, id * kWordBytes));
}

// What holds for any two kernels.
void expect_whole(const Kernel& left, const Kernel& right, const KernelAlignment& found) {
    InstrId l = 0, r = 0;
    std::size_t paired = 0, moved_left = 0, moved_right = 0;
    for (const AlignedPair& row : found.rows) {
        if (row.left != kNone) REQUIRE(row.left == l++);
        if (row.right != kNone) REQUIRE(row.right == r++);
        const bool both = row.left != kNone && row.right != kNone;
        REQUIRE((row.left != kNone || row.right != kNone));
        if (both) {
            ++paired;
            REQUIRE(found.right_of_left[row.left] == row.right);
            REQUIRE((row.computed == Computed::Same || row.computed == Computed::Renamed));
        } else {
            const InstrId partner =
                row.left != kNone ? found.right_of_left[row.left] : found.left_of_right[row.right];
            REQUIRE(row.computed == (partner == kNone ? Computed::Alone : Computed::Moved));
            if (row.computed == Computed::Moved) ++(row.left != kNone ? moved_left : moved_right);
        }
    }
    REQUIRE(l == left.size());
    REQUIRE(r == right.size());
    for (InstrId id = 0; id < left.size(); ++id) {
        const InstrId partner = found.right_of_left[id];
        if (partner == kNone) continue;
        REQUIRE(found.left_of_right[partner] == id);
        REQUIRE(text_of(left, id) == text_of(right, partner));
    }
    CHECK(paired == found.same + found.renamed);
    CHECK(moved_left == found.moved);
    CHECK(moved_right == found.moved);
    CHECK(paired + found.moved + found.only_left == left.size());
    CHECK(paired + found.moved + found.only_right == right.size());
}

// The recursive definition.
std::size_t longest(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b, std::size_t i, std::size_t j) {
    if (i == a.size() || j == b.size()) return 0;
    const std::size_t skips = std::max(longest(a, b, i + 1, j), longest(a, b, i, j + 1));
    return a[i] == b[j] ? std::max(skips, 1 + longest(a, b, i + 1, j + 1)) : skips;
}

}  // namespace

TEST_CASE("what an instruction computes does not name its registers, its target and its reuse flags") {
    CHECK(computed_text("@!P2 LDG.E.128 R8, desc[UR6][R18.64+0x10]") == "@!P LDG.E.128 R, desc[UR][R.64+0x10]");
    CHECK(computed_text("IMAD.WIDE.U32 R52, R13.reuse, 0x2, R52") == "IMAD.WIDE.U32 R, R, 0x2, R");
    CHECK(computed_text("@UP0 BRA `(.L_x_1f0)") == "@UP BRA ");
    CHECK(computed_text("S2R R20, SR_TID.X") == "S2R R, SR_TID.X");
    CHECK(computed_text("LDC R1, c[0x0][0x28]") == "LDC R, c[0x0][0x28]");
    CHECK(computed_text("FFMA R1, R2, RZ, -R4") == "FFMA R, R, RZ, -R");
    CHECK(computed_text("DEPBAR.LE SB0, 0x1") == "DEPBAR.LE SB, 0x1");
    CHECK(computed_text("BSSY B0, `(.L_x_40)") == "BSSY B, ");
    CHECK(computed_text("HMMA.16816.F32 R4, R8, R2, RZ") != computed_text("HMMA.1688.F32 R4, R8, R2, RZ"));
}

TEST_CASE("a kernel next to itself has one row for each instruction, all of them the same") {
    for (const NamedKernel& each : all_kernels()) {
        INFO(each.file << " " << each.kernel->name());
        const KernelAlignment found = align_kernels(*each.kernel, *each.kernel);
        REQUIRE(found.rows.size() == each.kernel->size());
        REQUIRE(found.same == each.kernel->size());
    }
}

TEST_CASE("any two kernels: every instruction once, and partners compute the same") {
    const std::vector<NamedKernel> kernels = sample_kernels();
    REQUIRE(kernels.size() > 4);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Kernel &left = *kernels[i].kernel, &right = *kernels[(i + 3) % kernels.size()].kernel;
        INFO(kernels[i].file);
        const KernelAlignment there = align_kernels(left, right), back = align_kernels(right, left);
        expect_whole(left, right, there);
        expect_whole(right, left, back);
        CHECK(there.same + there.renamed + there.moved == back.same + back.renamed + back.moved);
    }
}

TEST_CASE("a reschedule has the instructions of its original, none alone") {
    const KernelPtr original = load_kernel("flash_attn_mma.cubin");
    const KernelPtr climbed = load_kernel("hillclimbed/flash_attn_mma.hillclimb.cubin");
    const KernelAlignment found = align_kernels(*original, *climbed);
    expect_whole(*original, *climbed, found);
    CHECK(found.only_left == 0);
    CHECK(found.only_right == 0);
    CHECK(found.renamed < original->size() / 20);  // of equal texts another order may be found
    CHECK(found.same > original->size() / 2);
}

TEST_CASE("common subsequences are as long as their definition says, and prefer what agrees in more") {
    std::mt19937 random(7);
    const auto drawn = [&](std::size_t most, std::uint64_t letters) {
        std::vector<std::uint64_t> out(random() % (most + 1));
        for (std::uint64_t& key : out)
            key = random() % letters;
        return out;
    };
    for (int round = 0; round < 400; ++round) {
        const auto a = drawn(9, 3), b = drawn(9, 3);
        const auto pairs = common_subsequence(a, b, a, b);
        REQUIRE(pairs.size() == longest(a, b, 0, 0));
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            REQUIRE(a[pairs[k].first] == b[pairs[k].second]);
            if (k > 0) REQUIRE((pairs[k].first > pairs[k - 1].first && pairs[k].second > pairs[k - 1].second));
        }
    }
    const std::vector<std::uint64_t> one = {5}, three = {5, 5, 5}, finer = {2}, finer_three = {1, 2, 3};
    const auto chosen = common_subsequence(one, three, finer, finer_three);
    REQUIRE(chosen.size() == 1);
    CHECK(chosen.front().second == 1);
}

TEST_CASE("a sequence that is too long for the table still gives a common subsequence") {
    std::mt19937 random(3);
    std::vector<std::uint64_t> a(6000), b;
    for (std::uint64_t& key : a)
        key = random() % 900;
    for (const std::uint64_t key : a)
        if (random() % 10 != 0) b.push_back(key);
    REQUIRE(a.size() * b.size() > kMostCells);
    const auto pairs = common_subsequence(a, b, a, b);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        REQUIRE(a[pairs[k].first] == b[pairs[k].second]);
        if (k > 0) REQUIRE((pairs[k].first > pairs[k - 1].first && pairs[k].second > pairs[k - 1].second));
    }
    CHECK(pairs.size() > a.size() / 20);
}

TEST_CASE("two versions of a compiler: most instructions of one kernel have their partner") {
    const KernelPtr left = load_kernel("flash_attn_mma.cubin"), right = load_kernel("/cubins/flash_attn_mma.cuda124.cubin");
    const KernelAlignment found = align_kernels(*left, *right);
    expect_whole(*left, *right, found);
    CHECK(found.only_left < left->size() / 2);
    CHECK(found.same + found.renamed > left->size() / 4);
}
