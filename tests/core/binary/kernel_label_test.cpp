// SPDX-License-Identifier: GPL-3.0-or-later
// Names that fit a column and still tell kernels apart.
#include "core/binary/kernel_label.h"

#include "core/binary/kernel_list.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("names without what qualifies them") {
    struct Case {
        const char *name, *plain;
    };
    const std::vector<Case> table = {
        {"scan", "scan"},
        {"a::b::scan", "scan"},
        {"a::scan<b::policy<float>::Policy900, b::Kind*>", "scan<Policy900, Kind*>"},
        {"a::scan<(a::b::Order)1, c::d const&, -5>", "scan<(Order)1, d const&, -5>"},
        {"(anonymous namespace)::k", "k"},
        {"a::k<(anonymous namespace)::T>", "k<T>"},
        {"k<a::f(int, b::c)::{lambda(float)#1}>", "k<{lambda(float)#1}>"},
        {"k<void (*)(a::b)>", "k<void (*)(b)>"},
        {"k<a::b<c::d<e::f> >::g[3]>", "k<g[3]>"},
        {"::k", "k"},
        {"a::", ""},
        {"", ""},
    };
    for (const Case& c : table) {
        INFO(c.name);
        CHECK(unqualified(c.name) == c.plain);
    }
    CHECK(unqualified("a::k<b::c<d::e>::f, (anonymous namespace)::g>", Qualifiers::OfTemplates) ==
          "k<c<e>::f, g>");
}

TEST_CASE("names that differ in their namespaces or arguments alone stay apart") {
    const std::string end = "::kernel_with_a_name_that_is_long_enough_for_this<float>";
    const std::vector<std::string> names = {"void first" + end + "(int)", "void second" + end + "(int)",
                                            "void second" + end + "(long)"};
    CHECK(kernel_labels(names) == std::vector<std::string>{"first" + end, names[1], names[2]});
}

TEST_CASE("a short name keeps its namespaces, a long one does without, alike ones say more") {
    const std::vector<std::string> names = {
        "void demo::saxpy<float, 4>(float*, float const*, float, int)",
        "void library::detail::reduce::kernel_of_one_tile<library::detail::policy<float>::Policy900, "
        "float>(float*)",
        "void library::detail::reduce::kernel_of_one_tile<library::detail::policy<double>::Policy900, "
        "float>(float*)",
        "void library::detail::reduce::kernel_of_one_tile<library::detail::policy<int>::Policy900, "
        "int>(int*)",
        "tile(float*)",
        "tile(int*)",
        "spilly",
        "spilly",
    };
    CHECK(kernel_labels(names) ==
          std::vector<std::string>{
              "demo::saxpy<float, 4>", "kernel_of_one_tile<policy<float>::Policy900, float>",
              "kernel_of_one_tile<policy<double>::Policy900, float>", "kernel_of_one_tile<Policy900, int>",
              "tile(float*)", "tile(int*)", "spilly", "spilly"});
}

TEST_CASE("compiled names of CUB fit a column") {
    // tests/data/cubins/cub_idioms.cu
    const std::string name =
        "_ZN3cub17CUB_300001_SM_8006detail19adjacent_difference34DeviceAdjacentDifferenceInitKernelINS2_"
        "19AgentDifferenceInit"
        "IPddjLb1EEES5_djEEvT0_PT1_T2_i";
    const std::vector<std::string> whole = {demangled(name)};
    REQUIRE(whole[0].size() > 250);
    CHECK(kernel_labels(whole)[0] ==
          "DeviceAdjacentDifferenceInitKernel<AgentDifferenceInit<double*, double, unsigned int, true>, "
          "double*, "
          "double, unsigned int>");
}
