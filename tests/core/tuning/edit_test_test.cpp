// SPDX-License-Identifier: GPL-3.0-or-later
// The edit test (core/tuning/edit_test.h) against a scripted GPU, and the gate that asks for it.
#include <cstdlib>
#include <cstring>

#include "core/base/scratch_folder.h"
#include "core/binary/elf_image.h"
#include "core/legality/hazard_checker.h"
#include "core/schedule/capsule.h"
#include "core/tuning/edit_test.h"
#include "tests/core/binary/test_cubins.h"
#include "tests/support/catch.h"
#include "tests/support/edit_trial.h"

using namespace cubinlab;
using cubinlab::test::ran_trial;
using cubinlab::test::ScriptedTrial;

namespace {

constexpr int kTested[] = {90, 100, 103, 120};

GpuProbe gpu_of(int sm) {
    GpuProbe gpu;
    gpu.present = true;
    gpu.device = "Scripted GPU";
    gpu.driver = "1.2 (CUDA 13.0)";
    gpu.sm = sm;
    return gpu;
}

Result<EditTest> tested(int sm, const ScriptedTrial& script = {}) {
    return run_edit_test(gpu_of(sm), [&](const KernelTrial& trial) -> Result<TrialAnswer> {
        TrialAnswer answer{ran_trial(trial.cubin, trial.kernel, trial.number, script), ""};
        if (answer.words.empty()) answer.failure = "CUDA_ERROR_INVALID_IMAGE";
        return answer;
    });
}

const EditTestPart& part(const EditTest& test, const std::string& name) {
    for (const EditTestPart& p : test.parts)
        if (p.name == name) return p;
    FAIL("no part " << name);
    return test.parts.front();
}

// Bytes outside the code of one kernel that differ.
std::size_t elsewhere(const Cubin& cubin, std::span<const std::byte> other, const char* kernel) {
    const KernelInfo* info = required(cubin.kernel(kernel)).value();
    std::size_t count = 0;
    for (std::size_t i = 0; i < other.size(); ++i)
        if (i < info->code_offset || i >= info->code_offset + info->code_size)
            count += other[i] != cubin.bytes()[i];
    return count;
}

}  // namespace

TEST_CASE("the edit test passes on a GPU that runs .text, with and without capsules") {
    for (const int sm : kTested) {
        INFO(sm);
        const EditTest test = *required(tested(sm));
        CHECK(test.passed());
        CHECK(test.parts.size() == (sm == 90 ? 3u : 5u));
        CHECK_THAT(test.sentence(), contains_text("Scripted GPU, driver 1.2 (CUDA 13.0): edited sm_" +
                                                  std::to_string(sm) + "a code runs as edited: "));
    }
    CHECK_FALSE(tested(80));
}

TEST_CASE(
    "a GPU that runs another copy of the code does not pass, and a cubin without capsule need not load") {
    for (const int sm : kTested) {
        INFO(sm);
        CHECK_FALSE(required(tested(sm, {.compiled_constant = true}))->passed());
        CHECK_FALSE(required(tested(sm, {.flat_clock = true}))->passed());
    }
    const EditTest test = *required(tested(100, {.needs_capsule = true}));
    CHECK(test.passed());
    CHECK_FALSE(part(test, "no-capsule").as_edited);
    CHECK_THAT(test.sentence(), contains_text("a cubin without its capsule: CUDA_ERROR_INVALID_IMAGE"));
}

TEST_CASE("an answer that no edit explains is refused: changed, or that of an earlier run") {
    const auto refused = tested(100, {.added = 1});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::Refused);
    std::vector<std::vector<std::uint32_t>> recorded;
    const auto recording = [&](const KernelTrial& trial) -> Result<TrialAnswer> {
        recorded.push_back(ran_trial(trial.cubin, trial.kernel, trial.number));
        return TrialAnswer{recorded.back(), ""};
    };
    REQUIRE(run_edit_test(gpu_of(120), recording));
    std::size_t next = 0;
    const auto replayed = run_edit_test(gpu_of(120), [&](const KernelTrial&) -> Result<TrialAnswer> {
        return TrialAnswer{recorded.at(next++), ""};
    });
    REQUIRE_FALSE(replayed);
    CHECK(replayed.error().code == ErrorCode::Refused);
}

TEST_CASE("the edits of the test change what they say and nothing else") {
    for (const int sm : kTested) {
        INFO(sm);
        const auto cubin = *required(edit_test_cubin(sm));
        CHECK(cubin->arch().sm == sm);
        const TestEdit immediate = *required(changed_immediate(*cubin, 0x12345678));
        CHECK(elsewhere(*cubin, immediate.cubin, "edit_stores") == 0);
        const TestEdit stores = *required(exchanged_stores(cubin));
        const KernelPtr kernel = *required(Kernel::load(cubin, "edit_stores"));
        auto parsed = *required(Cubin::parse(stores.cubin, "stores"));
        const Schedule exchanged = *required(Schedule::match(kernel, *parsed));
        CHECK(required(legality_of(exchanged))->empty());
        CHECK_FALSE(exchanged.hash() == kernel->hash());
        CHECK(required(raised_stalls(cubin))->more_clocks >= 8u * 4 * 200);
        if (sm == 90) continue;
        const TestEdit left = *required(left_capsule(cubin));
        CHECK(elsewhere(*cubin, left.cubin, "edit_stores") == 0);
        const std::vector<std::byte> bare = without_capsule(*cubin);
        const auto image = required(ElfImage::read(bare, "bare"));
        for (const ElfSection& section : image->sections)
            CHECK(section.name.find("merc") == std::string_view::npos);
        CHECK(elsewhere(*cubin, bare, "edit_stores") > 0);
        CHECK((*required(Cubin::parse(bare, "bare")))->code(kernel->info()) == cubin->code(kernel->info()));
    }
}

TEST_CASE(
    "edited code of sm_100 may run and be written where a GPU has passed, by device, driver and "
    "architecture") {
    const auto folder = required(ScratchFolder::make());
    ::setenv("XDG_STATE_HOME", folder->path().c_str(), 1);
    const Arch b200{100, true}, h200{90, true};
    CHECK(edited_code_may_run(h200, "any", "any"));
    CHECK_FALSE(edited_code_may_run(b200, "Scripted GPU", "1.2 (CUDA 13.0)"));
    CHECK_FALSE(edited_code_may_be_written(b200));
    CHECK_THAT(edit_test_note(b200), contains_text("no GPU has passed"));
    REQUIRE(store_edit_test(required(tested(100, {.flat_clock = true}))->record()));
    CHECK_FALSE(edited_code_may_be_written(b200));
    REQUIRE(store_edit_test(required(tested(100))->record()));
    CHECK(stored_edit_tests().size() == 1);  // the newer one
    CHECK(edited_code_may_run(b200, "Scripted GPU", "1.2 (CUDA 13.0)"));
    CHECK_FALSE(edited_code_may_run(b200, "Scripted GPU", "1.3 (CUDA 13.0)"));
    CHECK_FALSE(edited_code_may_run(b200, "Other GPU", "1.2 (CUDA 13.0)"));
    CHECK_FALSE(edited_code_may_run(Arch{103, true}, "Scripted GPU", "1.2 (CUDA 13.0)"));
    CHECK(edited_code_may_be_written(b200));
    CHECK(is_edit_test_note(b200, edit_test_note(b200)));
    CHECK_FALSE(is_edit_test_note(Arch{120, true}, edit_test_note(b200)));
}
