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

TEST_CASE("Blackwell is for viewing only") {
    REQUIRE_FALSE(Arch::parse("sm_100a")->decodable());
    REQUIRE_FALSE(Arch::parse("sm_120")->editable());
    REQUIRE(Arch::parse("sm_87")->editable());
}
