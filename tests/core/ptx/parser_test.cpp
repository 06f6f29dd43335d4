// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <cstdlib>

#include "core/ptx/module.h"
#include "core/ptx/order.h"
#include "core/ptx/order_check.h"
#include "tests/core/ptx/ptx_corpus.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

const ptx::Entry& entry_of(const ptx::Module& module, std::string_view name) {
    const ptx::Entry* entry = module.find(name);
    REQUIRE(entry);
    return *entry;
}

std::string with_body(const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" + body +
           "}\n";
}

}  // namespace

TEST_CASE("PTX: entries, their parameters and launch bounds") {
    for (const ptx_corpus::File& file : ptx_corpus::all()) {
        INFO(file.name);
        const ptx::Module module = *required(ptx::parse(file.text));
        CHECK(module.address_size == 64);
        if (file.name.ends_with("calls.ptx")) {
            // struct Settings { double; int[3]; char; }: 24 bytes at a multiple of 8.
            const ptx::Entry& calls = entry_of(module, "calls");
            REQUIRE(calls.parameters.size() == 4);
            CHECK(calls.parameters[0].type == "u64");
            CHECK(calls.parameters[0].size == 8);
            CHECK(calls.parameters[1].type == "b8");
            CHECK(calls.parameters[1].size == 24);
            CHECK(calls.parameters[1].align == 8);
            CHECK(calls.parameters[2].size == 4);
        }
        if (file.name.ends_with("tiles.ptx")) {
            CHECK(module.target == std::vector<std::string>{"sm_90"});
            CHECK(entry_of(module, "tiled_product").maxntid == ptx::Extent{256, 1, 1});
            CHECK(entry_of(module, "tiled_product").minnctapersm == 2u);
            CHECK_FALSE(entry_of(module, "reduce").maxntid);
        }
        if (file.name.ends_with("assembly.ptx"))
            CHECK(entry_of(module, "warpgroup").reqnctapercluster == ptx::Extent{2, 1, 1});
        if (file.name.ends_with("debug_labels.ptx")) {
            const ptx::Entry& scale = entry_of(module, "scale");
            CHECK(module.version == "8.7");
            CHECK(scale.reqntid == ptx::Extent{128, 1, 1});
            CHECK(scale.maxnreg == 128u);
            CHECK(scale.parameters[1].pointer);
            CHECK(scale.parameters[1].align == 8);  // of the pointer, not of what it points to
        }
    }
}

TEST_CASE("PTX: what does not parse is named with its line") {
    const struct {
        std::string text;
        const char* message;
    } cases[] = {
        {"", "line 1: the text has no .version directive"},
        {".version 8.0\n.foo 1;\n", "line 2: the module has an unknown construct '.foo'"},
        {".version 8.0\n.global .b8 x[4] = {1, 2;\n", "the declaration .global"},
        {with_body("add.s32 %r1, %r2, %r3\n"), "line 7: the instruction add.s32 has an unexpected '}'"},
        {with_body("ld.global.b32 %r1, [%rd1;\n"), "the instruction ld.global.b32"},
        {with_body(".nothing 3;\n"), "line 6: the body of k has an unknown directive '.nothing'"},
        {with_body("{\n"), "line 5: the body of k has no end"},
        {with_body("@%p1 $;\n"), "line 6: the body of k has an unexpected '$'"},
        {with_body("// begin inline asm\nret;\n"), "line 6: inline assembly without an end"},
        {with_body("/* for ever\n"), "line 6: a comment without an end"},
        {with_body(".pragma \"no end;\n"), "line 6: a string without an end"},
        {with_body("mov.b32 %r1, '0';\n"), "line 6: a character that PTX does not have"},
        {with_body(std::string(1000, '{')), "scopes are nested deeper than 256"},
        {".version 8.0\n.entry k(.param .u64 p, )\n{ ret; }", "line 2: a parameter of k"},
        {".version 8.0\n.entry k()\n.maxntid lots\n{ ret; }", "line 3: the directives of k"},
    };
    for (const auto& c : cases) {
        INFO(c.text.substr(0, 200));
        const auto module = ptx::parse(c.text);
        REQUIRE_FALSE(module);
        CHECK(module.error().code == ErrorCode::BadInput);
        CHECK_THAT(module.error().message(), contains_text(c.message));
    }
}

TEST_CASE("PTX: an entry is renamed wherever it is named, and longer names are not") {
    const std::string text = R"(.version 8.0
.target sm_80
.visible .entry sum(.param .u64 sum_param_0)
;
.global .u64 table[2] = {sum, sum_2};
.visible .entry sum(
	.param .u64 sum_param_0 // of sum
)
{
	.reg .b64 %rd<3>;
	.pragma "sum";
	ld.param.u64 %rd1, [sum_param_0];
	mov.u64 %rd2, sum;
	ret;
}
.visible .entry sum_2()
{
	ret;
}
)";
    const std::string renamed = *required(ptx::rename_entry(text, "sum", "cutlass_sum"));
    CHECK(renamed.find("{cutlass_sum, sum_2}") != std::string::npos);
    CHECK(renamed.find(".entry cutlass_sum(\n\t.param .u64 sum_param_0 // of sum\n") != std::string::npos);
    CHECK(renamed.find(".pragma \"cutlass_sum\"") != std::string::npos);
    CHECK(renamed.find("mov.u64 %rd2, cutlass_sum;") != std::string::npos);
    CHECK(renamed.find(".entry sum_2()") != std::string::npos);
    CHECK(required(ptx::rename_entry(renamed, "cutlass_sum", "sum")) == text);

    CHECK(ptx::rename_entry(text, "su", "x").error().code == ErrorCode::NotFound);
    CHECK(ptx::rename_entry(text, "sum", "sum_2").error().code == ErrorCode::BadUse);
    CHECK(ptx::rename_entry(text, "sum", "2 sums").error().code == ErrorCode::BadUse);
    CHECK(required(ptx::rename_entry(text, "sum", "sum")) == text);
    for (const ptx_corpus::File& file : ptx_corpus::all()) {
        const ptx::Module module = *required(ptx::parse(file.text));
        for (const ptx::Entry& entry : module.entries) {
            const std::string there = *required(ptx::rename_entry(file.text, entry.name, "a_new_name"));
            CHECK(required(ptx::parse(there))->find("a_new_name"));
            CHECK(required(ptx::rename_entry(there, "a_new_name", entry.name)) == file.text);
        }
    }
}

// CUBINLAB_PTX_FOLDER=FOLDER test_ptx "[folder]": which of the PTX files below a folder parse, and whether orders of
// them are accepted.
TEST_CASE("PTX files of a folder", "[.][folder]") {
    const char* const folder = std::getenv("CUBINLAB_PTX_FOLDER");
    REQUIRE(folder);
    std::size_t parsed = 0, entries = 0, units = 0, blocks = 0;
    std::mt19937_64 random(1);
    const std::vector<ptx_corpus::File> files = ptx_corpus::in(folder);
    for (const ptx_corpus::File& file : files) {
        const auto module = ptx::parse(file.text);
        if (!module) {
            std::printf("FAILED %s: %s\n", file.name.c_str(), module.error().message().c_str());
            continue;
        }
        ++parsed;
        for (const ptx::Entry& entry : module->entries) {
            if (entry.body.empty()) continue;
            const ptx::Order order = *required(ptx::order_of(*module, entry.name));
            ++entries;
            units += order.units.size();
            blocks += order.blocks.size();
            INFO(file.name << " " << entry.name);
            CHECK(required(ptx::reorder(*module, order, order.identity())) == file.text);
            if (entries > 4000 || file.text.size() > 2 << 20) continue;
            const std::string other =
                *required(ptx::reorder(*module, order, ptx_corpus::random_keys(order, random, 30)));
            const Status checked = ptx::check_order(file.text, other);
            if (!checked)
                std::printf("REFUSED %s: %s\n", file.name.c_str(), checked.error().message().c_str());
            CHECK(checked);
        }
    }
    std::printf("%zu of %zu parsed; %zu entries, %zu units in %zu blocks\n", parsed, files.size(), entries,
                units, blocks);
}
