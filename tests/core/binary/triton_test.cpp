// SPDX-License-Identifier: GPL-3.0-or-later
// A cache entry that Triton 3.6 wrote.
#include <filesystem>

#include "core/binary/container.h"
#include "core/binary/kernel_list.h"
#include "tests/support/catch.h"

using namespace cubinlab;
namespace fs = std::filesystem;

namespace {

const fs::path kCache = CUBINLAB_TEST_DATA "/containers/triton";
const fs::path kEntry = kCache / "KAUSDGA7WTWRAVHCKWFJVCAYQB66YRZX22MY24L5BS2MEI2A7NBA";

}  // namespace

TEST_CASE("a Triton cache, one entry and each of its files open the same kernel") {
    for (const fs::path& path :
         {kCache, kEntry, kEntry / "add.cubin", kEntry / "add.json", kEntry / "__grp__add.json"}) {
        INFO(path.string());
        auto container = required(Container::open(path));
        auto choice = required(choose_kernel(**container, {}));
        CHECK(choice->kernel == "add");
        CHECK(choice->cubin->where() == (kEntry / "add.cubin").string());
        REQUIRE(choice->triton);
        CHECK(choice->triton->num_warps == 4);
        CHECK(choice->triton->version == "3.6.0");
        CHECK(choice->triton->arch == "90");
    }
}

TEST_CASE("the signature of a kernel is that of the text beside it") {
    const auto entry = required(read_triton_entry(kEntry / "add.cubin"));
    REQUIRE(entry->has_signature);
    REQUIRE(entry->params.size() == 4);
    CHECK(entry->params[0].name == "x");
    CHECK(entry->params[0].pointer);
    CHECK(entry->params[0].type == "f32");
    CHECK(entry->params[0].divisibility == 16);
    CHECK(entry->params[3].name == "n");
    CHECK_FALSE(entry->params[3].pointer);
    CHECK(entry->params[3].type == "i32");
}

TEST_CASE("signatures with brackets, attributes and locations") {
    const auto params = required(triton_signature(
        "module {\n  tt.func public @k(%a: !tt.ptr<bf16, 1> {tt.divisibility = 8 : i32, x = \"a, (b)\"} "
        "loc(\"a\"(#loc)), %d: !tt.tensordesc<tensor<64x64xf16>>, %s: f32 loc(#l)) attributes {}",
        "k"));
    REQUIRE(params->size() == 3);
    CHECK((*params)[0].type == "bf16");
    CHECK((*params)[0].divisibility == 8);
    CHECK((*params)[1].type == "!tt.tensordesc<tensor<64x64xf16>>");
    CHECK((*params)[2].type == "f32");
    CHECK(triton_signature("tt.func public @k()", "k")->empty());
    CHECK_FALSE(triton_signature("tt.func public @k(%a: i32", "k"));
    CHECK_FALSE(triton_signature("tt.func public @other()", "k"));
}
