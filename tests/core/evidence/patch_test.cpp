// SPDX-License-Identifier: GPL-3.0-or-later
// Patches over three builds of one source (tests/data/patch): the first; one under another file name, with line
// tables and another kernel in front; one whose second loop was changed.
#include <nlohmann/json.hpp>

#include "core/evidence/schedule_patch.h"

#include "core/sass/cache_hint.h"
#include "tests/core/evidence/legal_edits.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

CheckerPtr build(const std::string& name) {
    auto cubin = required(Cubin::open(CUBINLAB_TEST_DATA "/patch/patch_" + name + ".cubin"));
    auto kernel = required(Kernel::load(*cubin, "blend"));
    auto checker = required(HazardChecker::create(*kernel));
    return *checker;
}

SchedulePatch patch_of(const HazardChecker& checker, const Schedule& tuned) {
    auto patch = make_patch(checker, tuned);
    INFO((patch ? std::string() : patch.error().message()));
    REQUIRE(patch);
    return *patch;
}

}  // namespace

TEST_CASE("a patch applies to what it was made from, and to a rebuild of other name, lines and place") {
    const CheckerPtr original = build("original");
    const Schedule tuned = test::some_legal_schedule(*original, 40, 40);
    REQUIRE(original->legal(tuned));
    const SchedulePatch patch = patch_of(*original, tuned);
    REQUIRE(patch.blocks.size() >= 2);
    for (const char* name : {"original", "rebuilt"}) {
        INFO(name);
        const CheckerPtr rebuilt = build(name);
        auto applied = required(apply_patch(patch, *rebuilt));
        for (const AppliedBlock& b : applied->blocks)
            CHECK(b.fate == BlockFate::Applied);
        CHECK(applied->schedule.words() == tuned.words());
        CHECK(rebuilt->legal(applied->schedule));
    }
}

TEST_CASE("after a changed loop each block says whether it still fits") {
    const CheckerPtr original = build("original");
    const Schedule tuned = test::some_legal_schedule(*original, 40, 40);
    const SchedulePatch patch = patch_of(*original, tuned);
    const CheckerPtr changed = build("changed");
    auto applied = required(apply_patch(patch, *changed));
    CHECK(changed->legal(applied->schedule));
    // The block of the changed loop is unrolled into one large block, which has other instructions now.
    std::size_t fits = 0, gone = 0;
    for (const AppliedBlock& b : applied->blocks) {
        fits += b.fate == BlockFate::Applied || b.fate == BlockFate::Already ? 1 : 0;
        gone += b.fate == BlockFate::NotFound ? 1 : 0;
        if (b.fate == BlockFate::NotFound) CHECK_FALSE(b.why.empty());
    }
    CHECK(gone >= 1);
    CHECK(fits + gone <= applied->blocks.size());
    const auto made = std::count_if(applied->blocks.begin(), applied->blocks.end(),
                                    [](const AppliedBlock& b) { return b.fate == BlockFate::Applied; });
    CHECK(applied->applied == static_cast<std::size_t>(made));
}

TEST_CASE("an applied patch is already so") {
    const CheckerPtr original = build("original");
    const Schedule tuned = test::some_legal_schedule(*original, 0, 2);
    const SchedulePatch patch = patch_of(*original, tuned);
    auto once = required(apply_patch(patch, *original));
    CHECK(once->applied == patch.blocks.size());
    SchedulePatch none = patch;
    for (PatchBlock& b : none.blocks)
        for (std::size_t i = 0; i < b.order.size(); ++i)
            b.tuned[i] = b.original[b.order[i]];
    auto nothing = required(apply_patch(none, *original));
    CHECK(nothing->applied == 0);
    for (const AppliedBlock& b : nothing->blocks)
        CHECK(b.fate == BlockFate::Already);
}

TEST_CASE("an illegal patch is applied as far as it is legal") {
    const CheckerPtr original = build("original");
    SchedulePatch patch = patch_of(*original, test::some_legal_schedule(*original, 40, 40));
    REQUIRE(patch.blocks.size() >= 2);
    for (PatchLine& line : patch.blocks.front().tuned)
        line.fields.front().bits = ControlCode{1, false, kNoBarrier, kNoBarrier, 0, 0}.bits();
    auto applied = required(apply_patch(patch, *original));
    CHECK(applied->blocks.front().fate == BlockFate::Illegal);
    CHECK_FALSE(applied->blocks.front().why.empty());
    CHECK(applied->applied == patch.blocks.size() - 1);
    CHECK(original->legal(applied->schedule));
}

TEST_CASE("no patch is made of an illegal schedule, and none crosses architectures") {
    const CheckerPtr original = build("original");
    Schedule illegal(original->kernel());
    for (InstrId id = 0; id < illegal.size(); ++id)
        illegal.set_control(id, ControlCode{1, false, kNoBarrier, kNoBarrier, 0, 0});
    CHECK_FALSE(make_patch(*original, illegal));
    SchedulePatch patch = patch_of(*original, test::some_legal_schedule(*original, 1, 0));
    patch.arch = "sm_80";
    CHECK_FALSE(apply_patch(patch, *original));
}

TEST_CASE("a patch is text that comes back as it was, and damage is named") {
    const CheckerPtr original = build("original");
    const SchedulePatch patch = patch_of(*original, test::some_legal_schedule(*original, 40, 40));
    const std::string text = patch_text(patch);
    auto again = required(read_patch(text));
    CHECK(patch_text(*again) == text);
    CHECK(again->blocks.size() == patch.blocks.size());
    CHECK(again->blocks.front().order == patch.blocks.front().order);

    const auto error_of = [](const nlohmann::json& json) {
        auto read = read_patch(json.dump());
        REQUIRE_FALSE(read);
        return read.error().message();
    };
    const auto json = nlohmann::json::parse(text);
    auto twice = json;
    twice["blocks"][0]["tuned"][0] = twice["blocks"][0]["tuned"][1];
    CHECK_THAT(error_of(twice), contains_text("blocks[0]"));
    auto other = json;
    other["blocks"][0]["tuned"][0] = "   0  B------:R-:W-:-:S01 r0  NOTHING";
    CHECK_THAT(error_of(other), contains_text("blocks[0]"));
    auto fewer = json;
    fewer["blocks"][0]["tuned"].erase(0);
    CHECK_THAT(error_of(fewer), contains_text("another number of instructions"));
    auto foreign = json;
    foreign["format"] = "something else";
    CHECK_THAT(error_of(foreign), contains_text("not a schedule patch"));
    CHECK_FALSE(read_patch("{"));
}

TEST_CASE("a patch carries cache hints, and an applied one is already so") {
    const CheckerPtr original = build("original");
    const KernelPtr kernel = original->kernel();
    Schedule tuned = test::some_legal_schedule(*original, 3, 2);
    const FieldBits first = CacheHint{Eviction::First, Prefetch::None}.bits();
    std::size_t hinted = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        if (!has_eviction(kernel->instruction(id).word)) continue;
        const Mutation hint = Mutation::field(tuned, kHintField, id, first);
        if (original->allows(tuned, hint)) hinted += hint.apply(tuned).has_value() ? 1 : 0;
    }
    REQUIRE(hinted > 0);
    const SchedulePatch patch = patch_of(*original, tuned);
    const std::string text = patch_text(patch);
    CHECK(text.find(" evict_first  ") != std::string::npos);
    CHECK(text.find(".EF") != std::string::npos);
    auto again = required(read_patch(text));
    CHECK(patch_text(*again) == text);
    auto applied = required(apply_patch(*again, *original));
    CHECK(applied->schedule == tuned);
    // A field that no instruction has is refused.
    std::string bad = text;
    bad.replace(bad.find(" evict_first  "), 14, " evict_never  ");
    CHECK_FALSE(read_patch(bad));
}
