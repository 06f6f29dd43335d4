// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/opcode_help.h"

#include <set>

#include "core/sass/decoder.h"
#include "tests/core/sass/listing_data.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("Help is found by mnemonic, with guard and modifiers or without") {
    REQUIRE(opcode_help("LDG") != nullptr);
    CHECK(opcode_help("@!P2 LDG.E.128 R8, [R2]") == opcode_help("LDG"));
    CHECK(opcode_help("HFMA2.MMA") == opcode_help("HFMA2"));
    CHECK(opcode_help("LD") != opcode_help("LDG"));
    CHECK(opcode_help("") == nullptr);
    CHECK(opcode_help("@P0") == nullptr);
    CHECK(opcode_help("NOSUCH") == nullptr);
}

TEST_CASE("Every mnemonic the decoder can give has help, each once") {
    std::set<std::string_view> seen;
    for (const OpcodeHelp& h : all_opcode_help()) {
        CHECK(seen.insert(h.name).second);
        CHECK_FALSE(h.title.empty());
        CHECK(h.text.size() > 15);
    }
    for (const Arch& arch :
         {Arch{75, false}, Arch{80, false}, Arch{86, false}, Arch{89, false}, Arch{90, true}})
        for (unsigned opcode = 0; opcode < 4096; ++opcode) {
            const Instruction in = decode(arch, {opcode, 0}, 0);
            if (std::string_view(in.mnemonic) == "?") continue;
            INFO(in.mnemonic);
            CHECK(opcode_help(in.mnemonic) != nullptr);
        }
}

TEST_CASE("Every control field has help") {
    for (const char* field : {"stall", "yield", "wait", "read", "write", "reuse"})
        CHECK(control_field_help(field) != nullptr);
    CHECK(control_field_help("LDG") == nullptr);
}
