// SPDX-License-Identifier: GPL-3.0-or-later
// Finding a kernel again. tests/data/patch/anonymous.*.cubin are one source compiled in two folders, whose anonymous
// namespace has another name in each.
#include <cstring>

#include "core/base/file.h"
#include "core/binary/code_identity.h"
#include "core/binary/elf_image.h"
#include "core/binary/kernel_list.h"
#include "core/binary/stable_name.h"
#include "core/evidence/install_cubin.h"
#include "core/evidence/proven_swap.h"
#include "core/evidence/schedule_patch.h"
#include "core/schedule/cubin_writer.h"
#include "core/schedule/file_comparison.h"
#include "tests/cli/program.h"
#include "tests/core/evidence/legal_edits.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using cubinlab::test::TemporaryFolder;

namespace {

const std::string kOne = CUBINLAB_TEST_DATA "/patch/anonymous.one.cubin",
                  kOther = CUBINLAB_TEST_DATA "/patch/anonymous.other.cubin";
const std::string kName = "_ZN45_GLOBAL__N__745b41d2_12_anonymous_cu_0bd5af855blendEPfPKfS2_i",
                  kThere = "_ZN45_GLOBAL__N__68edb388_12_anonymous_cu_0bd5af855blendEPfPKfS2_i";

std::shared_ptr<const Cubin> opened(const std::string& file) {
    return *required(Cubin::open(file));
}

KernelPtr loaded(const std::string& file, const std::string& name) {
    return *required(Kernel::load(opened(file), name));
}

SoughtKernel sought_of(const Cubin& cubin, const std::string& name) {
    return {name, code_hash(cubin, **required(cubin.kernel(name)))};
}

std::vector<std::byte> tuned_one() {
    auto checker = required(HazardChecker::create(loaded(kOne, kName)));
    auto writer = required(CubinWriter::create((*checker)->kernel()));
    return writer->image(test::some_legal_schedule(**checker, 6, 6));
}

// A copy in which each occurrence of a text is another of the same length.
std::vector<std::byte> renamed(const std::string& file, const std::string& from, const std::string& to) {
    std::vector<std::byte> bytes = *required(read_file(file));
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    REQUIRE(from.size() == to.size());
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
        text.replace(at, from.size(), to);
    std::memcpy(bytes.data(), text.data(), bytes.size());
    return bytes;
}

}  // namespace

TEST_CASE("the stable part of a name") {
    const auto one = [](const char* name, const char* stable) { CHECK(stable_name(name) == stable); };
    one("_Z5shiftPfPKfi", "_Z5shiftPfPKfi");
    one("softmax", "softmax");
    one("", "");
    one("_ZN36_GLOBAL__N__63a97211_4_k_cu_0bd5af855blendEPfPKfS2_i", "_ZN11_GLOBAL__N_5blendEPfPKfS2_i");
    one("_ZN43_INTERNAL_745b41d2_12_anonymous_cu_0bd5af8545_GLOBAL__N__745b41d2_12_anonymous_cu_0bd5af856factorE",
        "_ZN10_INTERNAL_11_GLOBAL__N_6factorE");
    // Inside the name of another namespace, and as an argument of a template.
    one("_ZN4demo36_GLOBAL__N__63a97211_4_k_cu_0bd5af855blendEv", "_ZN4demo11_GLOBAL__N_5blendEv");
    one("_Z3runIN36_GLOBAL__N__63a97211_4_k_cu_0bd5af853AddEEvT_", "_Z3runIN11_GLOBAL__N_3AddEEvT_");
    // A name that only looks like one, or is cut off.
    one("_ZN99_GLOBAL__N__6", "_ZN99_GLOBAL__N__6");
    one("a_GLOBAL__N_", "a_GLOBAL__N_");
}

TEST_CASE("the identity of code does not depend on the folder that its file lay in") {
    const auto identity = [](const std::string& file, const std::string& name) {
        const auto cubin = opened(file);
        auto elf = required(ElfImage::read(cubin->bytes(), file));
        for (const CodeLocation& place : kernels_in(*elf))
            if (place.name == name) return code_identity(cubin->bytes(), *elf, place.section);
        return Hash128{};
    };
    CHECK(identity(kOne, kName) != Hash128{});
    CHECK(identity(kOne, kName) == identity(kOther, kThere));
}

TEST_CASE("a kernel is found by code before it is found by name, and what is there instead is said") {
    const auto one = opened(kOne), other = opened(kOther);
    const auto at_home = required(find_again(*one, sought_of(*one, kName)));
    CHECK(at_home->by == FoundBy::NameAndCode);
    CHECK(instead_of(sought_of(*one, kName), kName, at_home->by).empty());
    const auto there = required(find_again(*other, sought_of(*one, kName)));
    CHECK(there->by == FoundBy::Code);
    CHECK(there->kernel->name == kThere);
    CHECK_THAT(instead_of(sought_of(*one, kName), kThere, there->by), contains_text("same code, other name"));
    // Other code of the same name; other code of the same name but for the path.
    const SoughtKernel changed{"_Z5shiftPfPKfi", Hash128{}};
    const auto named = required(find_again(*one, changed));
    CHECK(named->by == FoundBy::Name);
    CHECK_THAT(instead_of(changed, named->kernel->name, named->by), contains_text("same name, other code"));
    const auto stable = required(find_again(*other, {kName, Hash128{}}));
    CHECK(stable->by == FoundBy::StableName);
    CHECK(stable->kernel->name == kThere);
    // Two kernels changed names: the code decides.
    const auto swapped =
        required(find_again(*one, {"_Z5shiftPfPKfi", code_hash(*one, **required(one->kernel(kName)))}));
    CHECK(swapped->by == FoundBy::Code);
    CHECK(swapped->kernel->name == kName);
    const auto none = find_again(*one, {"nothing", Hash128{}});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::NotFound);
    CHECK_THAT(none.error().message(), contains_text("no kernel has its code"));
    // Schedules of one kernel are the same instructions.
    auto tuned = required(Cubin::parse(tuned_one(), "tuned"));
    const KernelInfo& mine = **required((*tuned)->kernel(kName));
    CHECK(code_hash(**tuned, mine) != code_hash(*one, **required(one->kernel(kName))));
    CHECK(instructions_hash(**tuned, mine) == instructions_hash(*one, **required(one->kernel(kName))));
    CHECK(code_hash(*one, **required(one->kernel(kName))) == loaded(kOne, kName)->hash());
}

TEST_CASE("a container's kernel is found again, and a patch made in one folder applies in the other") {
    auto checker = required(HazardChecker::create(loaded(kOne, kName)));
    const Schedule tuned = test::some_legal_schedule(**checker, 20, 20);
    auto patch = required(make_patch(**checker, tuned));
    auto container = required(Container::open(kOther));
    auto found = required(choose_kernel_again(**container, {}, {patch->kernel, patch->original_code}));
    CHECK(found->choice.kernel == kThere);
    auto rebuilt = required(HazardChecker::create(loaded(kOther, kThere)));
    auto applied = required(apply_patch(*patch, **rebuilt));
    CHECK(applied->schedule.words() == tuned.words());
    const auto none = choose_kernel_again(**container, {}, {"nothing", Hash128{}});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::NotFound);
}

TEST_CASE("a tuned cubin of one folder is installed into the build of another, and nothing else of it changes") {
    const TemporaryFolder folder;
    const std::string best = folder / "best.cubin", target = folder / "target.cubin";
    REQUIRE(write_file(best, tuned_one()));
    const std::vector<std::byte> before = *required(read_file(kOther));
    REQUIRE(write_file(target, before));
    const auto vague = install_cubin(best, target, {});
    REQUIRE_FALSE(vague);  // two kernels: which is meant?
    CHECK_THAT(vague.error().message(), contains_text("--kernel"));
    auto report = required(install_cubin(best, target, {.query = {kName, {}, {}}}));
    REQUIRE(report->kernels.size() == 1);
    CHECK(report->kernels[0].name == kThere);
    REQUIRE_FALSE(report->notes.empty());
    CHECK_THAT(report->notes[0], contains_text("same code, other name"));
    const auto written = opened(target);
    const auto tuned = required(Cubin::parse(tuned_one(), "tuned"));
    CHECK(written->code(**required(written->kernel(kThere))) == (*tuned)->code(**required((*tuned)->kernel(kName))));
    // All other bytes are those of the target: only the code and its tables differ.
    const auto was = opened(kOther);
    FileComparison same(*was, *written);
    auto schedule = required(Schedule::match(loaded(kOther, kThere), *written));
    same.accept_schedule(*schedule);
    CHECK_FALSE(same.difference());
    REQUIRE(undo_install(target, false));
    CHECK(*required(read_file(target)) == before);
    // What is no schedule of the kernel there is refused.
    std::vector<std::byte> wrong = tuned_one();
    auto parsed = required(Cubin::parse(wrong, "wrong"));
    wrong[(**required((*parsed)->kernel(kName))).code_offset + 16 * 8 + 2] ^= std::byte{1};
    REQUIRE(write_file(best, wrong));
    CHECK_FALSE(install_cubin(best, target, {.query = {kName, {}, {}}}));
    CHECK(*required(read_file(target)) == before);
}

TEST_CASE("a kernel that kept its name goes into another build of its file, whose other contents stay") {
    const TemporaryFolder folder;
    const std::string best = folder / "best.cubin", target = folder / "target.cubin", name = "_Z5shiftPfPKfi";
    auto checker = required(HazardChecker::create(loaded(kOne, name)));
    auto writer = required(CubinWriter::create((*checker)->kernel()));
    const Schedule tuned = test::some_legal_schedule(**checker, 6, 6);
    REQUIRE(write_file(best, writer->image(tuned)));
    REQUIRE(write_file(target, *required(read_file(kOther))));
    // Without its name this is a file of which another kernel changed too.
    CHECK_FALSE(install_cubin(best, target, {}));
    auto report = required(install_cubin(best, target, {.query = {name, {}, {}}}));
    REQUIRE(report->kernels.size() == 1);
    CHECK_THAT(report->notes.at(0), contains_text("another build"));
    const auto written = opened(target), was = opened(kOther);
    CHECK(written->code(**required(written->kernel(name))) == tuned.words());
    CHECK(written->code(**required(written->kernel(kThere))) == was->code(**required(was->kernel(kThere))));
    REQUIRE(write_text(best + ".provenance.json", "{\"format\": \"cubinlab-provenance 1\", \"kernel\": \"" + name + "\"}"));
    auto swaps = required(proven_swaps(best, {kOther}));
    REQUIRE(swaps->size() == 1);
    CHECK(swaps->front().swap.kernel == name);
    // Other constants of the kernel are another kernel.
    REQUIRE(undo_install(target, false));
    std::vector<std::byte> other = *required(read_file(kOther));
    auto elf = required(ElfImage::read(other, "other"));
    other[required(elf->find(".nv.constant0." + name))->offset] ^= std::byte{1};
    REQUIRE(write_file(target, other));
    CHECK_FALSE(install_cubin(best, target, {.query = {name, {}, {}}}));
}

TEST_CASE("a running program of another folder gets a schedule that is proven against its own build") {
    const TemporaryFolder folder;
    const std::string best = folder / "best.cubin";
    REQUIRE(write_file(best, tuned_one()));
    auto swaps = required(proven_swaps(best, {kOther}));
    REQUIRE(swaps->size() == 1);
    const ProvenSwap& swap = swaps->front();
    CHECK(swap.swap.kernel == kThere);
    auto at_home = required(proven_swaps(best, {kOne}));
    CHECK(at_home->front().swap.original == swap.swap.original);
    CHECK(at_home->front().swap.tuned == swap.swap.tuned);
}

TEST_CASE("renamed entries: the same code under a name that has nothing in common") {
    const std::vector<std::byte> bytes = renamed(kOne, "_Z5shiftPfPKfi", "_Z5movedPfPKfi");
    auto cubin = required(Cubin::parse(bytes, "renamed"));
    auto found = required(find_again(**cubin, sought_of(*opened(kOne), "_Z5shiftPfPKfi")));
    CHECK(found->by == FoundBy::Code);
    CHECK(found->kernel->name == "_Z5movedPfPKfi");
}

namespace {

// k1.90a.cubin with other names of its kernels: `at`: which symbol gets the name of `of`; -1: none at all.
std::vector<std::byte> with_names(const std::vector<std::pair<std::size_t, int>>& changes) {
    const std::string file = CUBINLAB_TEST_DATA "/cubins/k1.90a.cubin";
    std::vector<std::byte> bytes = *required(read_file(file));
    auto elf = required(ElfImage::read(bytes, file));
    const ElfSection* table = elf->find(".symtab");
    REQUIRE(table != nullptr);
    constexpr std::size_t kEntry = 24;
    std::vector<std::size_t> kernels;
    for (std::size_t i = 0; i < elf->symbols.size(); ++i)
        if (elf->symbols[i].type == 2 && (elf->symbols[i].other & 0x10) != 0) kernels.push_back(i);
    REQUIRE(kernels.size() > 4);
    const std::vector<std::byte> before = bytes;
    for (const auto& [at, of] : changes) {
        std::uint32_t name = 0;
        if (of >= 0)
            std::memcpy(&name, before.data() + table->offset + kernels[static_cast<std::size_t>(of)] * kEntry, 4);
        std::memcpy(bytes.data() + table->offset + kernels[at] * kEntry, &name, 4);
    }
    return bytes;
}

}  // namespace

TEST_CASE("two kernels of one name and a kernel without one leave the others of their file usable") {
    const auto good = opened(CUBINLAB_TEST_DATA "/cubins/k1.90a.cubin");
    for (const bool doubled : {true, false}) {
        INFO((doubled ? "doubled" : "nameless"));
        auto cubin = required(Cubin::parse(doubled ? with_names({{0, 1}}) : with_names({{0, -1}}), "bad"));
        REQUIRE((*cubin)->unusable().size() == 1);
        const UnusableKernel& bad = (*cubin)->unusable()[0];
        CHECK((*cubin)->kernels().size() == good->kernels().size() - (doubled ? 2 : 1));
        CHECK_THAT(bad.why, contains_text(doubled ? "2 kernels have this name" : "no name"));
        for (const KernelInfo& info : (*cubin)->kernels()) {
            auto kernel = required(Kernel::load(*cubin, info.name));
            CHECK((*kernel)->hash() == code_hash(*good, **required(good->kernel(info.name))));
        }
        if (!doubled) continue;
        const auto refused = (*cubin)->kernel(bad.name);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::Refused);
        CHECK_THAT(refused.error().message(), contains_text(bad.name));
        const auto sought = find_again(**cubin, {bad.name, Hash128{}});
        REQUIRE_FALSE(sought);
        CHECK(sought.error().code == ErrorCode::Refused);
    }
    const TemporaryFolder folder;
    const std::string file = folder / "dup.cubin";
    REQUIRE(write_file(file, with_names({{0, 1}, {2, -1}})));
    const auto named = required(Cubin::open(file));
    const std::string doubled = (*named)->unusable()[0].name, fine = (*named)->kernels().front().name;
    auto container = required(Container::open(file));
    CHECK(choose_kernel(**container, {fine, {}, {}}));
    for (const std::string& query : {doubled, demangled(doubled)}) {
        const auto refused = choose_kernel(**container, {query, {}, {}});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::Refused);
    }
    // A file of which nothing can be used says why.
    std::vector<std::pair<std::size_t, int>> all;
    for (std::size_t i = 0; i < good->kernels().size(); ++i)
        all.emplace_back(i, -1);
    const auto none = Cubin::parse(with_names(all), "none");
    REQUIRE_FALSE(none);
    CHECK_THAT(none.error().message(), contains_text("no name"));
}
