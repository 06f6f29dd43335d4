// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/isa/arch.h"

#include "tests/support/catch.h"

using cubinlab::Arch;

TEST_CASE("Architecture names are read in both spellings and written back") {
    REQUIRE(Arch::parse("sm_90a") == Arch{90, true});
    REQUIRE(Arch::parse("90") == Arch{90, false});
    REQUIRE(Arch::parse("sm_120a") == Arch{120, true});
    for (const char* name :
         {"sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_120"})
        REQUIRE(Arch::parse(name)->name() == name);
}

TEST_CASE("What is no architecture is refused") {
    for (const char* name : {"", "sm_", "a", "sm_a", "90b", "sm_9", "sm_9000", "-90", "sm_90aa", " 90"})
        REQUIRE_FALSE(Arch::parse(name).has_value());
}

TEST_CASE("Blackwell is edited, and edited code needs a test") {
    for (const char* name : {"sm_100a", "sm_103a", "sm_120"}) {
        const Arch arch = *Arch::parse(name);
        CHECK(arch.decodable());
        CHECK(arch.editable());
        CHECK(arch.needs_edit_test());
    }
    CHECK_FALSE(Arch::parse("sm_90a")->needs_edit_test());
    CHECK_FALSE(Arch::parse("sm_110a")->editable());
    CHECK(Arch::parse("sm_87")->editable());
    CHECK(Arch::parse("sm_87")->why_view_only().empty());
}

TEST_CASE("Every view-only architecture has its own reason") {
    const Arch sm88 = *Arch::parse("sm_88");
    CHECK(sm88.decodable());
    CHECK_FALSE(sm88.editable());
    CHECK(sm88.why_view_only().find("latencies") != std::string::npos);
    CHECK(Arch::parse("sm_70")->why_view_only().find("not decoded") != std::string::npos);
}
