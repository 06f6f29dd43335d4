// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/container.h"
#include "core/binary/kernel_list.h"
#include "tests/core/binary/container_writer.h"
#include "tests/core/binary/test_images.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::shared_ptr<const Container> program() {
    auto container = required(Container::open(CUBINLAB_TEST_DATA "/containers/exec_size_stripped"));
    return *container;
}

std::string chosen(const KernelQuery& wish) {
    const auto container = program();
    auto choice = choose_kernel(*container, wish);
    return choice ? choice->kernel + " " + choice->cubin->arch().name() : choice.error().message();
}

}  // namespace

TEST_CASE("short names of C++ functions") {
    struct Case {
        std::string text, name, bare;
    };
    const std::vector<Case> table = {
        {"void total<float>(float const*, float*, int)", "total<float>", "total"},
        {"tile_gemm(float const*, float const*, float*, int)", "tile_gemm", "tile_gemm"},
        {"void demo::saxpy<double, 2>(double*, double const*, double, int)", "demo::saxpy<double, 2>",
         "demo::saxpy"},
        {"(anonymous namespace)::k(int)", "(anonymous namespace)::k", "(anonymous namespace)::k"},
        {"void a::f<(a::Kind)3, void (*)(int)>(int)", "a::f<(a::Kind)3, void (*)(int)>", "a::f"},
        {"spilly", "spilly", "spilly"},
        {"std::pair<int, int> f<int>(int)", "f<int>", "f"},
        {"", "", ""},
    };
    for (const Case& c : table) {
        INFO(c.text);
        CHECK(short_name(c.text) == c.name);
        CHECK(short_name(c.text, true) == c.bare);
    }
}

TEST_CASE("one kernel by every way of naming it") {
    const std::string gemm = "_Z9tile_gemmPKfS0_Pfi";
    CHECK(chosen({gemm, "sm_90a", ""}) == gemm + " sm_90a");
    CHECK(chosen({"tile_gemm(float const*, float const*, float*, int)", "90", ""}) == gemm + " sm_90");
    CHECK(chosen({"tile_gemm", "sm_80", ""}) == gemm + " sm_80");
    CHECK(chosen({"regex:^tile_.*float", "sm_80", ""}) == gemm + " sm_80");
    CHECK(chosen({"demo::saxpy<float, 4>", "sm_90a", ""}) == "_ZN4demo5saxpyIfLi4EEEvPT_PKS1_S1_i sm_90a");
    CHECK(chosen({"saxpy<float, 4>", "sm_90a", ""}) == "_ZN4demo5saxpyIfLi4EEEvPT_PKS1_S1_i sm_90a");
    CHECK_THAT(chosen({"saxpy", "sm_90a", ""}), contains_text("--kernel NAME"));
}

TEST_CASE("several kernels are told with what chooses between them") {
    CHECK_THAT(chosen({"tile_gemm", "", ""}), contains_text("means 3 kernels, choose one with --arch sm_XX"));
    CHECK_THAT(chosen({"demo::saxpy", "sm_90", ""}), contains_text("--kernel NAME"));
    CHECK_THAT(chosen({"", "", ""}), contains_text("has 12 kernels"));
    CHECK_THAT(chosen({"no_such", "sm_90", ""}), contains_text("has no kernel \"no_such\""));
    CHECK_THAT(chosen({"tile_gemm", "sm_75", ""}), contains_text("there is sm_80, sm_90, sm_90a"));
    CHECK_THAT(chosen({"tile_gemm", "ninety", ""}), contains_text("not an architecture"));
    CHECK_THAT(chosen({"regex:(", "sm_90", ""}), contains_text("not a usable regular expression"));
    CHECK_THAT(chosen({"tile_gemm", "", "99"}), contains_text("no image '99'"));
}

TEST_CASE("an image is chosen by its number or by a part of its member's name") {
    const Buffer object = host_elf({{".nv_fatbin", fatbin({{.image = softmax()}})}}, true, 1);
    auto library = required(Container::read(archive({{"first.o", object}, {"second.o", object}}), "lib.a"));
    auto both = choose_kernel(**library, {});
    REQUIRE_FALSE(both);
    CHECK(exit_code(both.error().code) == 2);
    CHECK_THAT(both.error().message(), contains_text("--image N"));
    for (const char* wish : {"2", "second"}) {
        auto choice = required(choose_kernel(**library, {"", "", wish}));
        CHECK(choice->image == 1);
    }
}

TEST_CASE("the linked code stands for what it was linked from") {
    auto program = required(Container::open(CUBINLAB_TEST_DATA "/containers/exec_rdc"));
    auto choice = required(choose_kernel(**program, {"tile_gemm", "", ""}));
    CHECK_FALSE(choice->cubin->relocatable());
    auto input = required(choose_kernel(**program, {"spilly", "", ""}));
    CHECK(input->cubin->relocatable());
    auto image = required(choose_image(**program, {}));
    CHECK(image->cubin->kernels().size() == 3);
}

TEST_CASE("an expression with a repeat inside of a repeat comes to an end, with the right answer") {
    const std::string name = "_Z" + std::string(1500, 'a') + "b";
    const std::vector<KernelEntry> kernels = {{0, name, name, {}, 0, 0, 0, 0, false},
                                              {1, "tail!", "tail!", {}, 0, 0, 0, 0, false}};
    const std::vector<std::pair<std::string, std::vector<std::size_t>>> table = {
        {"(.*)*!", {1}},         {"((a+)+)+c", {}},          {"^_Z(a|a)*$", {}}, {"(a|aa)+!|^tail", {1}},
        {"(?=.*a)(x+x+)*y", {}}, {"^(([a-z])+.)+[A-Z]", {}}, {"^(a*)*a", {}},    {"(a*)*a", {0, 1}},
    };
    for (const auto& [pattern, wanted] : table) {
        INFO(pattern);
        auto found = required(matching(kernels, "regex:" + pattern));
        CHECK(*found == wanted);
    }
    // What refers back cannot be looked for in linear time.
    auto back = matching(kernels, "regex:((a*)*)*\\1!");
    REQUIRE_FALSE(back);
    CHECK(back.error().code == ErrorCode::BadUse);
    CHECK_THAT(back.error().message(), contains_text("without a repeat inside of a repeat"));
    CHECK(matching(kernels, "regex:(a)\\1b")->size() == 1);
}

TEST_CASE("a long name meets any expression without harm") {
    const std::string name(100'000, 'a');
    const std::vector<KernelEntry> kernels = {{0, name, name, {}, 0, 0, 0, 0, false}};
    auto found = required(matching(kernels, "regex:(a|b)*c"));
    CHECK(found->empty());
}
