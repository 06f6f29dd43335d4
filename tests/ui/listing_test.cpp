// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and colours of the listings, and the job runner: the parts under the window.
#include <QTest>
#include <atomic>

#include "tests/ui/window_support.h"
#include "ui/base/theme.h"
#include "ui/listing/gutter.h"
#include "ui/listing/sass_view.h"
#include "ui/run/session_hub.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

std::vector<std::pair<std::string, SassStyle>> pieces(const std::string& line) {
    std::vector<std::pair<std::string, SassStyle>> out;
    std::size_t at = 0;
    for (const SassToken& token : tokens_of(line)) {
        out.emplace_back(line.substr(at, token.length), token.style);
        at += token.length;
    }
    CHECK(at == line.size());  // without gaps
    return out;
}

SassStyle style_of(const std::string& line, const std::string& piece) {
    for (const auto& [text, style] : pieces(line))
        if (text == piece) return style;
    FAIL(piece << " is not a token of " << line);
    return SassStyle::Plain;
}

}  // namespace

TEST_CASE("the header of a block has its number, however narrow the columns are") {
    ListingRow row;
    row.header = 27;
    row.folded = 12;
    const QFontMetrics font(Theme::instance().mono_font());
    const auto at = [&](const char* room) {
        return Gutter::header_text(row, font, font.horizontalAdvance(QString::fromUtf8(room)));
    };
    CHECK(at("block 27  \u00b7  12 folded") == QStringLiteral("block 27  \u00b7  12 folded"));
    CHECK(at("block 27  \u00b7") == QStringLiteral("block 27"));
    CHECK(at("block") == QStringLiteral("B27"));
}

TEST_CASE("SASS text is coloured by what the words are") {
    const std::string load = "@!P2 LDG.E.128 R8, desc[UR6][R18.64]";
    CHECK(style_of(load, "@!P2") == SassStyle::Guard);
    CHECK(style_of(load, "LDG") == SassStyle::MemoryOp);
    CHECK(style_of(load, ".E.128") == SassStyle::Modifier);
    CHECK(style_of(load, "R8") == SassStyle::Register);
    CHECK(style_of(load, "UR6") == SassStyle::UniformRegister);
    CHECK(style_of(load, "desc") == SassStyle::Constant);
    CHECK(style_of("HMMA.16816.F32 R4, R8, R12, R4", "HMMA") == SassStyle::MathOp);
    CHECK(style_of("@P5 BRA `(.L_x_12)", "`(.L_x_12)") == SassStyle::Label);
    CHECK(style_of("LEA R2, R3, R4, 0x2", "LEA") == SassStyle::Mnemonic);
    CHECK(style_of("IADD3 R2, P1, R3, 0x80, RZ", "0x80") == SassStyle::Number);
    CHECK(style_of("IADD3 R2, P1, R3, 0x80, RZ", "P1") == SassStyle::Predicate);
    for (const char* odd : {"", " ", "@", "@P0", ".", "A.", "`(", "\xff\xfe R1", "MOV R1, c[0x0][0x28]"})
        pieces(odd);  // whatever comes, it is covered
}

TEST_CASE("the changed range is the smallest replacement that makes one text of the other") {
    using Texts = std::vector<std::string>;
    const std::vector<std::pair<Texts, Texts>> pairs = {{{}, {}},
                                                        {{}, {"a"}},
                                                        {{"a"}, {}},
                                                        {{"a", "b", "c"}, {"a", "x", "c"}},
                                                        {{"a", "a"}, {"a", "a", "a"}},
                                                        {{"a", "b"}, {"b", "a"}},
                                                        {{"a", "b"}, {"a", "b"}}};
    for (const auto& [before, after] : pairs) {
        const ChangedRange r = changed_range(before, after);
        Texts made = before;
        made.erase(made.begin() + static_cast<long>(r.first), made.begin() + static_cast<long>(r.old_end));
        made.insert(made.begin() + static_cast<long>(r.first), after.begin() + static_cast<long>(r.first),
                    after.begin() + static_cast<long>(r.new_end));
        CHECK(made == after);
        CHECK(r.empty() == (before == after));
    }
}

TEST_CASE("rows hold every instruction once a side, blocks have headers, and the maps lead back") {
    auto cubin = required(Cubin::open(sample("bmm_mma.cubin")));
    const KernelPtr kernel = *Kernel::load(*cubin);
    Schedule right(kernel);
    const Block* big = &kernel->flow().blocks.front();
    for (const Block& block : kernel->flow().blocks)
        if (block.count > big->count) big = &block;
    right.move(right.at(big->first + 10), big->first + 2);
    const ListingRows rows = make_rows(*kernel, diff_schedules(Schedule(kernel), right));
    std::size_t headers = 0, lefts = 0, rights = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        headers += rows.rows[row].is_header();
        lefts += rows.rows[row].left != kNone;
        rights += rows.rows[row].right != kNone;
    }
    CHECK(headers == kernel->flow().blocks.size());
    CHECK(lefts == kernel->size());
    CHECK(rights == kernel->size());
    for (InstrId id = 0; id < kernel->size(); ++id)
        for (const Side side : {Side::Left, Side::Right})
            REQUIRE(rows.instr(rows.row_of(id, side), side) == id);
    // Going down the right side gives the right schedule's order.
    Position next = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows.rows[row].right != kNone) REQUIRE(rows.rows[row].right == right.at(next++));
    CHECK(rows.instr(-1, Side::Left) == kNone);
    CHECK(rows.row_of(kNone, Side::Right) == -1);
}

TEST_CASE("a compact comparison has no blank rows, and only what changed leaves the rest out") {
    auto cubin = required(Cubin::open(sample("bmm_mma.cubin")));
    const KernelPtr kernel = *Kernel::load(*cubin);
    const Schedule left(kernel);
    Schedule right(kernel);
    const Block* big = &kernel->flow().blocks.front();
    for (const Block& block : kernel->flow().blocks)
        if (block.count > big->count) big = &block;
    const InstrId moved = right.at(big->first + 30);
    right.move(moved, big->first + 20);
    const ScheduleDiff diff = diff_schedules(left, right);

    const ListingRows compact = make_rows(*kernel, diff, {}, {true, false, kNone});
    CHECK(compact.size() == kernel->size() + kernel->flow().blocks.size());
    for (const ListingRow& row : compact.rows)
        CHECK((row.is_header() || (row.left != kNone && row.right != kNone)));
    // A row is a place: the offset is the same on both sides.
    for (InstrId id = 0; id < kernel->size(); ++id) {
        CHECK(compact.instr(compact.row_of(id, Side::Left), Side::Left) == id);
        const InstrId other = compact.instr(compact.row_of(id, Side::Left), Side::Right);
        CHECK(right.position_of(other) == left.position_of(id));
    }

    // One move: its two rows, and two around each.
    const ListingRows changed = make_rows(*kernel, diff, {}, {false, true, kNone});
    CHECK(changed.size() == kernel->flow().blocks.size() + 2 * 5);
    CHECK(changed.row_of(moved, Side::Right) >= 0);
    CHECK(changed.row_of(big->first, Side::Right) == -1);
    std::size_t hidden = 0, shown = 0;
    for (const ListingRow& row : changed.rows) {
        hidden += row.hidden;
        shown += row.right != kNone;
    }
    CHECK(hidden + shown == kernel->size());
    const ListingRows kept = make_rows(*kernel, diff, {}, {false, true, big->first});
    CHECK(kept.row_of(big->first, Side::Right) >= 0);
}

TEST_CASE("a control code is explained in words") {
    const auto control = required(ControlCode::parse("B0--3--:R-:W1:Y:S04"));
    const QString text = explain_control(*control);
    CHECK(text == QStringLiteral("waits for SB0, SB3; signals SB1 when its result is written; yields to "
                                 "another warp; stalls 4 cycles"));
}

TEST_CASE("a newer job of the same tag replaces the older one") {
    JobRunner jobs;
    std::atomic<bool> release{false};
    std::vector<int> results;
    for (int i = 0; i < 5; ++i)
        jobs.run<int>(
            QStringLiteral("same"),
            [i, &release](std::stop_token stop) {
                while (i == 0 && !release && !stop.stop_requested())
                    std::this_thread::yield();
                return i;
            },
            [&results](int result) { results.push_back(result); });
    release = true;
    REQUIRE(wait_for([&] { return jobs.idle(); }));
    CHECK(results == std::vector<int>{4});
}

TEST_CASE("jobs of the log keep their order, and what waits untagged is still done at the end") {
    std::vector<int> done;  // one thread: no race
    {
        JobRunner jobs;
        for (int i = 0; i < 100; ++i)
            jobs.run_always([i, &done](std::stop_token) { done.push_back(i); }, {}, JobRunner::Scope::Kernel,
                            JobRunner::Lane::Log);
    }
    REQUIRE(done.size() == 100);
    CHECK(std::is_sorted(done.begin(), done.end()));
}

TEST_CASE("back and forward retrace the selection") {
    Selection selection;
    for (const InstrId id : {5u, 9u, 2u})
        selection.select(id);
    selection.go_back();
    CHECK(selection.instr() == 9);
    selection.go_back();
    CHECK(selection.instr() == 5);
    CHECK_FALSE(selection.can_go_back());
    selection.go_forward();
    selection.select(7);
    CHECK_FALSE(selection.can_go_forward());
    selection.go_back();
    CHECK(selection.instr() == 9);
}

QUIET_CASE(
    "larger text of the listings takes the room of the control codes, never that of the instructions") {
    OpenWindow open;
    Theme& theme = Theme::instance();
    const int points = theme.mono_points();
    const auto codes = [&] {
        return open.window.compare_view().pane(Side::Right)->gutter()->columns().control;
    };
    CHECK(codes());
    theme.set_mono_points(3 * points);
    CHECK_FALSE(codes());
    theme.set_mono_points(points);
    CHECK(codes());
}
