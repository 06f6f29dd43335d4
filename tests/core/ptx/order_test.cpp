// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ptx/order.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <sstream>

#include "core/ptx/order_check.h"
#include "tests/core/ptx/ptx_corpus.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

struct Ordered {
    std::string name;
    ptx::Module module;
    std::string entry;
    ptx::Order order;
};

std::vector<Ordered> all_orders() {
    std::vector<Ordered> all;
    for (ptx_corpus::File& file : ptx_corpus::all()) {
        ptx::Module module = *required(ptx::parse(file.text));
        for (const ptx::Entry& entry : module.entries)
            all.push_back({file.name + " " + entry.name, module, entry.name,
                           *required(ptx::order_of(module, entry.name))});
    }
    return all;
}

std::string unit_text(const Ordered& o, std::size_t unit) {
    const ptx::Unit& u = o.order.units[unit];
    return o.module.text.substr(u.begin, u.end - u.begin);
}

// What lies between line ends and semicolons, sorted.
std::vector<std::string> sorted_parts(std::string text) {
    std::replace(text.begin(), text.end(), ';', '\n');
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part);)
        parts.push_back(part);
    std::sort(parts.begin(), parts.end());
    return parts;
}

// The text with `later` directly in front of `earlier`, of one block.
std::string moved_up(const Ordered& o, std::size_t earlier, std::size_t later) {
    std::string text = o.module.text;
    const ptx::Unit &up = o.order.units[later], &down = o.order.units[earlier];
    text.erase(up.begin, up.end - up.begin);
    return text.insert(down.begin, unit_text(o, later) + "\n");
}

}  // namespace

TEST_CASE("PTX orders: the original's keys give the original, also equal keys and keys that are no numbers") {
    for (const Ordered& o : all_orders()) {
        INFO(o.name);
        REQUIRE_FALSE(o.order.units.empty());
        CHECK(required(ptx::reorder(o.module, o.entry, o.order.identity())) == o.module.text);
        std::vector<double> keys(o.order.units.size(), 7);
        CHECK(required(ptx::reorder(o.module, o.order, keys)) == o.module.text);
        std::fill(keys.begin(), keys.end(), std::numeric_limits<double>::quiet_NaN());
        CHECK(required(ptx::reorder(o.module, o.order, keys)) == o.module.text);
        keys.pop_back();
        CHECK(ptx::reorder(o.module, o.order, keys).error().code == ErrorCode::BadUse);
        CHECK(ptx::reorder(o.module, "no such entry", keys).error().code == ErrorCode::NotFound);
    }
}

TEST_CASE("PTX orders: units lie in their blocks, and blocks in the text") {
    for (const Ordered& o : all_orders()) {
        INFO(o.name);
        std::uint32_t position = 0, unit = 0;
        for (std::size_t b = 0; b < o.order.blocks.size(); ++b) {
            const ptx::Block& block = o.order.blocks[b];
            REQUIRE(block.first == unit);
            REQUIRE(block.count > 0);
            REQUIRE(o.order.units[unit].begin >= position);
            for (position = o.order.units[unit].begin; unit < block.first + block.count; ++unit) {
                REQUIRE(o.order.units[unit].begin == position);
                REQUIRE(o.order.units[unit].block == b);
                position = o.order.units[unit].end;
            }
        }
        REQUIRE(unit == o.order.units.size());
        for (std::uint32_t u = 0; u < unit; ++u)
            for (std::uint32_t s = o.order.successor_begin[u]; s < o.order.successor_begin[u + 1]; ++s) {
                const ptx::Unit& successor = o.order.units[o.order.successors[s]];
                REQUIRE(successor.block == o.order.units[u].block);
                REQUIRE(successor.depth > o.order.units[u].depth);
                REQUIRE(successor.height < o.order.units[u].height);
            }
    }
}

TEST_CASE("PTX orders: random orders are permutations that keep every dependence") {
    std::mt19937_64 random(51);
    std::size_t changed = 0;
    for (const Ordered& o : all_orders()) {
        INFO(o.name);
        for (const double far : {1.0, 8.0, 100.0})
            for (int i = 0; i < 10; ++i) {
                const std::string text =
                    *required(ptx::reorder(o.module, o.order, ptx_corpus::random_keys(o.order, random, far)));
                changed += text != o.module.text;
                REQUIRE((sorted_parts(text) == sorted_parts(o.module.text)));
                const Status checked = ptx::check_order(o.module.text, text);
                INFO((checked ? "" : checked.error().message()));
                REQUIRE(checked);
                // The way back is an order too.
                REQUIRE(ptx::check_order(text, o.module.text));
            }
    }
    CHECK(changed > 100);
}

TEST_CASE("PTX orders: the check refuses a unit above one that it depends on") {
    std::mt19937_64 random(200);
    std::size_t refused = 0;
    const std::vector<Ordered> all = all_orders();
    while (refused < 400) {
        const Ordered& o = all[random() % all.size()];
        const std::size_t u = random() % o.order.units.size();
        const std::uint32_t begin = o.order.successor_begin[u], end = o.order.successor_begin[u + 1];
        if (begin == end) continue;
        const std::size_t later = o.order.successors[begin + random() % (end - begin)];
        if (unit_text(o, u) == unit_text(o, later)) continue;
        const Status checked = ptx::check_order(o.module.text, moved_up(o, u, later));
        INFO(o.name << "\n" << unit_text(o, u) << unit_text(o, later));
        REQUIRE_FALSE(checked);
        REQUIRE(checked.error().code == ErrorCode::Refused);
        ++refused;
    }
}

TEST_CASE("PTX orders: the check refuses texts that differ in more than order") {
    for (const Ordered& o : all_orders()) {
        INFO(o.name);
        const std::string& text = o.module.text;
        const auto edited = [&text](const std::string& from, const std::string& to) {
            std::string out = text;
            const std::size_t at = out.find(from);
            return at == std::string::npos ? text + "//" + from : out.replace(at, from.size(), to);
        };
        CHECK(ptx::check_order(text, text));
        CHECK(ptx::check_order(text, edited("\n\tadd", "\n\n\t// a comment\n\tadd")));
        CHECK_FALSE(ptx::check_order(text, edited("\tret;", "\tret;\tret;")));
        CHECK_FALSE(ptx::check_order(text, edited("add.s", "sub.s")));
        CHECK_FALSE(ptx::check_order(text, edited(".visible", "")));
        const ptx::Unit& unit = o.order.units.back();
        std::string lost = text;
        lost.erase(unit.begin, unit.end - unit.begin);
        CHECK_FALSE(ptx::check_order(text, lost));
        std::string twice = text;
        CHECK_FALSE(ptx::check_order(text, twice.insert(unit.begin, unit_text(o, o.order.units.size() - 1))));
        // Into another block.
        if (o.order.blocks.size() > 1) {
            lost.insert(o.order.units[0].begin, unit_text(o, o.order.units.size() - 1) + "\n");
            CHECK_FALSE(ptx::check_order(text, lost));
        }
    }
}

TEST_CASE("PTX orders: what a search knows of a unit") {
    const std::string text =
        ".version 8.0\n.target sm_80\n.entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
        "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, 1;\nmul.lo.u32 %r3, %r1, "
        "%r2;\n"
        "st.global.u32 [%rd1], %r3;\nmov.u32 %r4, 5;\nbra END;\nEND:\nret;\n}\n";
    const ptx::Order order = *required(ptx::order_of(*required(ptx::parse(text)), "k"));
    REQUIRE(order.units.size() == 6);
    CHECK(order.blocks.size() == 1);
    std::vector<std::uint32_t> depth, height, uses;
    for (const ptx::Unit& u : order.units) {
        depth.push_back(u.depth);
        height.push_back(u.height);
        uses.push_back(u.uses);
    }
    CHECK(depth == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 0});
    CHECK(height == std::vector<std::uint32_t>{4, 3, 2, 1, 0, 0});
    CHECK(uses == std::vector<std::uint32_t>{2, 2, 1, 1, 0, 0});
    CHECK(order.units[1].kind == ptx::OpKind::Load);
    CHECK(order.units[4].kind == ptx::OpKind::Store);
}
