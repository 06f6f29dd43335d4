// SPDX-License-Identifier: GPL-3.0-or-later
// The listing by keys and mouse: folding, search, ranges, bookmarks, history that restores the view, columns,
// another file on the left.
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QScrollBar>
#include <cmath>

#include "core/evidence/export_cubin.h"
#include "core/schedule/cubin_writer.h"
#include "core/schedule/loops.h"
#include "core/tuning/evaluator_choice.h"
#include "tests/ui/window_support.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_notes.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/gutter.h"
#include "ui/listing/listing_overlay.h"
#include "ui/listing/sass_query.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

bool has_caption(OpenWindow& open, const char* name) {
    for (const auto& [x, caption] : open.window.compare_view().pane(Side::Right)->gutter()->captions())
        if (caption == QString::fromLatin1(name)) return true;
    return false;
}

}  // namespace

TEST_CASE("a query is a register, an opcode or text") {
    CHECK(SassQuery::parse("").kind == QueryKind::Empty);
    CHECK(SassQuery::parse("  ").kind == QueryKind::Empty);
    CHECK(SassQuery::parse("r12").kind == QueryKind::Register);
    CHECK(SassQuery::parse("R12").reg == 12);
    CHECK(SassQuery::parse("UR4").file == RegFile::UGpr);
    CHECK(SassQuery::parse("UP1").file == RegFile::UPred);
    CHECK(SassQuery::parse("P0").file == RegFile::Pred);
    CHECK(SassQuery::parse("ldg").kind == QueryKind::Opcode);
    CHECK(SassQuery::parse("op:XYZ").kind == QueryKind::Opcode);
    CHECK(SassQuery::parse("LDG.E").kind == QueryKind::Text);
    CHECK(SassQuery::parse("text:R12").kind == QueryKind::Text);
    CHECK(SassQuery::parse("R999").kind == QueryKind::Text);
    CHECK(SassQuery::parse("R1x").kind == QueryKind::Text);
}

TEST_CASE("a register is found in every operand that covers it, reads apart from writes") {
    auto cubin = required(Cubin::open(sample("bmm_mma.cubin")));
    const KernelPtr kernel = *Kernel::load(*cubin);
    for (const unsigned reg : {0u, 8u, 13u, 70u}) {
        SassQuery query = SassQuery::parse("R" + std::to_string(reg));
        for (const Instruction& instruction : kernel->instructions()) {
            bool reads = false, writes = false;
            for (const Operand& operand : instruction.operands)
                if (operand.file == RegFile::Gpr && operand.first <= reg &&
                    reg < operand.first + operand.count) {
                    reads = reads || operand.read;
                    writes = writes || operand.write;
                }
            const QueryHit hit = match(query, instruction, "");
            CHECK(hit.reads == reads);
            CHECK(hit.writes == writes);
        }
    }
}

QUIET_CASE("typing a register in the search field marks it and says how often, Enter goes through the hits") {
    OpenWindow open;
    auto* field = open.window.findChild<QLineEdit*>(QString(), Qt::FindChildrenRecursively);
    for (QLineEdit* one : open.window.findChildren<QLineEdit*>())
        if (one->accessibleName() == QStringLiteral("Find in the listing")) field = one;
    open.key(Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("R13"));
    CHECK(field->accessibleDescription().contains(QStringLiteral("R13")));
    const KernelPtr kernel = open.window.document().kernel();
    const SassQuery query = SassQuery::parse("R13");
    InstrId last = kNone;
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(field, Qt::Key_Return);
        const InstrId id = open.window.selection().instr();
        REQUIRE(id != kNone);
        CHECK(id != last);
        CHECK(match(query, kernel->instruction(id), "").hit);
        last = id;
    }
    field->clear();
    CHECK(field->accessibleDescription().isEmpty());
}

QUIET_CASE("folding hides a block or a loop, and going to a hidden instruction shows it again") {
    OpenWindow open;
    CompareView& view = open.window.compare_view();
    const KernelPtr kernel = open.window.document().kernel();
    const InstrId id = 0x1270 / kWordBytes;
    const BlockId block = kernel->block_of(id);
    open.window.selection().select(id);
    const std::size_t all = view.rows().size();
    open.key(Qt::Key_Period, Qt::ControlModifier);
    CHECK(view.rows().size() == all - kernel->flow().blocks[block].count);
    CHECK(view.rows().row_of(id, Side::Right) == -1);
    CHECK(view.rows().rows[static_cast<std::size_t>(view.rows().header_row[block])].folded ==
          kernel->flow().blocks[block].count);
    open.window.selection().select(0);
    open.window.selection().select(id);
    CHECK(view.rows().size() == all);

    // The loop: every block of its body, and no other.
    open.key(Qt::Key_Period, Qt::ControlModifier | Qt::ShiftModifier);
    const std::vector<BlockId> loop = blocks_of_loop(kernel->flow(), block);
    const std::set<BlockId> body(loop.begin(), loop.end());
    REQUIRE(body.contains(block));
    for (BlockId b = 0; b < kernel->flow().blocks.size(); ++b) {
        CHECK(view.folded(b) == body.contains(b));
        if (body.contains(b)) CHECK(kernel->flow().blocks[b].loop_depth > 0);
    }
    // A click on the header opens one block.
    Gutter* gutter = view.pane(Side::Right)->gutter();
    const int row = view.rows().header_row[block];
    SassView* listing = open.listing();
    listing->set_first_visible_row(row - 2);
    QTest::mouseClick(gutter, Qt::LeftButton, Qt::NoModifier,
                      QPoint(6, (row - listing->first_visible_row()) * listing->row_height() + 4));
    CHECK_FALSE(view.folded(block));
    open.window.commands()[QStringLiteral("view.fold_all")]->trigger();
    CHECK(view.rows().size() == kernel->flow().blocks.size());
    open.window.commands()[QStringLiteral("view.unfold_all")]->trigger();
    CHECK(view.rows().size() == all);
}

QUIET_CASE("bookmarks: set, gone through in order, kept for the kernel") {
    {
        OpenWindow open;
        for (const InstrId id : {40u, 10u, 90u}) {
            open.window.selection().select(id);
            open.key(Qt::Key_F2, Qt::ControlModifier);
        }
        open.window.selection().select(0);
        for (const InstrId expected : {10u, 40u, 90u, 10u}) {
            open.key(Qt::Key_F2);
            CHECK(open.window.selection().instr() == expected);
        }
        open.key(Qt::Key_F2, Qt::ShiftModifier);
        CHECK(open.window.selection().instr() == 90);
    }
    OpenWindow again;
    CHECK(again.window.hand_tools().notes()->bookmarks() == std::set<InstrId>{10, 40, 90});
    again.window.commands()[QStringLiteral("go.clear_bookmarks")]->trigger();
    CHECK(again.window.hand_tools().notes()->bookmarks().empty());
}

QUIET_CASE("back and forward restore what was on the screen") {
    OpenWindow open;
    SassView* listing = open.listing();
    open.window.selection().select(100);
    const int row = open.window.compare_view().rows().row_of(100, Side::Right);
    listing->set_first_visible_row(row - 5);
    const int first = listing->first_visible_row();
    open.window.selection().select(400);
    CHECK(listing->first_visible_row() != first);
    open.key(Qt::Key_Left, Qt::AltModifier);
    CHECK(open.window.selection().instr() == 100);
    CHECK(listing->first_visible_row() == first);
    open.key(Qt::Key_Right, Qt::AltModifier);
    CHECK(open.window.selection().instr() == 400);
}

QUIET_CASE("Shift and the arrows or a click select several, Ctrl+C copies them") {
    OpenWindow open;
    open.window.selection().select(100);
    open.key(Qt::Key_Down, Qt::ShiftModifier);
    open.key(Qt::Key_Down, Qt::ShiftModifier);
    CHECK(open.window.selection().range() == std::vector<InstrId>{100, 101, 102});
    open.key(Qt::Key_Up, Qt::ShiftModifier);
    CHECK(open.window.selection().range() == std::vector<InstrId>{100, 101});
    open.key(Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].contains(open.window.document().text_of(100)));
    SassView* listing = open.listing();
    const int row = open.window.compare_view().rows().row_of(104, Side::Right);
    QTest::mouseClick(listing->viewport(), Qt::LeftButton, Qt::ShiftModifier,
                      QPoint(60, (row - listing->first_visible_row()) * listing->row_height() + 4));
    CHECK(open.window.selection().range().size() == 5);
    open.key(Qt::Key_Down);
    CHECK(open.window.selection().range().empty());
}

QUIET_CASE("columns come and go by command, issue cycles are the model's own") {
    OpenWindow open;
    CHECK_FALSE(has_caption(open, "cycle"));
    open.window.commands()[QStringLiteral("view.cycle")]->trigger();
    CHECK(has_caption(open, "cycle"));
    REQUIRE(wait_for([&] { return open.window.document().pair().right_timing() != nullptr; }));
    const KernelPtr kernel = open.window.document().kernel();
    const SmModel model(kernel, model_settings(*kernel, open.window.document().workload()));
    CHECK(open.window.document().pair().right_timing()->issue_cycle ==
          model.run(Schedule(kernel)).issue_cycle);
    QAction* live = open.window.commands()[QStringLiteral("view.live")];
    const bool shown = has_caption(open, "live regs");
    CHECK(live->isChecked() == shown);
    live->trigger();
    CHECK(has_caption(open, "live regs") != shown);
}

QUIET_CASE("a line that is cut at the edge is told whole by its tooltip") {
    OpenWindow open;
    SassView* listing = open.listing();
    int cut = -1;
    for (std::size_t row = 0; row < listing->texts().size() && cut < 0; ++row)
        if (listing->cut(static_cast<int>(row)) && listing->texts()[row].starts_with("LDGSTS"))
            cut = static_cast<int>(row);
    REQUIRE(cut >= 0);
    listing->set_first_visible_row(cut);
    const QString help =
        listing->help_at({40, (cut - listing->first_visible_row()) * listing->row_height() + 4});
    CHECK(help.contains(
        QString::fromStdString(listing->texts()[static_cast<std::size_t>(cut)]).toHtmlEscaped()));
}

QUIET_CASE("a label of a dependence begins with its register and leaves the row's own text free") {
    OpenWindow open;
    ListingOverlay* overlay = open.window.compare_view().pane(Side::Right)->overlay();
    const SassView* listing = open.window.compare_view().pane(Side::Right)->view();
    const RowLabel label{0, QStringLiteral("R19 WAW SB2, wait at 0x0310 \u2026"), Qt::gray, false};
    const QFontMetrics font(Theme::instance().small_font());
    REQUIRE(listing->horizontalScrollBar()->value() == 0);
    const int text = static_cast<int>(
        std::ceil(static_cast<double>(listing->texts()[0].size()) *
                  QFontMetricsF(Theme::instance().mono_font()).horizontalAdvance(QLatin1Char('0'))));
    overlay->resize(text + 400, overlay->height());
    CHECK(overlay->shown_text(label) == label.text);
    for (const int free : {160, 100, 60}) {
        overlay->resize(text + free, overlay->height());
        const QString shown = overlay->shown_text(label);
        CHECK(shown.startsWith(QStringLiteral("R19")));
        CHECK_FALSE(shown.contains(QStringLiteral("wait")));
        CHECK(font.horizontalAdvance(shown) < free);
    }
    // Without room it is a mark; its tooltip has the words.
    overlay->resize(text + 10, overlay->height());
    CHECK(overlay->shown_text(label).isEmpty());
}

QUIET_CASE("the hint of a drag has room for its last word, however narrow the listing is") {
    OpenWindow open;
    ListingOverlay* overlay = open.window.compare_view().pane(Side::Right)->overlay();
    DragPicture drag;
    drag.origin = 4;
    drag.target = 6;
    drag.first = 0;
    drag.last = 10;
    drag.hint =
        QStringLiteral("WAR on R28: HMMA 0x0da0 reads what HMMA 0x0db0 writes; keep HMMA 0x0df0 first");
    overlay->set_drag(drag);
    const QFontMetrics font(Theme::instance().small_font());
    for (int width = 140; width < 640; width += 7) {
        overlay->resize(width, 400);
        const ListingOverlay::Hint hint = overlay->hint_place();
        INFO(width);
        CHECK(hint.chip.right() < width);
        CHECK(font.boundingRect(QRect(0, 0, hint.text.width(), 400), Qt::TextWordWrap | Qt::AlignLeft,
                                drag.hint)
                  .height() <= hint.text.height() + 1);
    }
}

QUIET_CASE("a narrow heading of a schedule tells what was changed before what was not") {
    OpenWindow open;
    Document& document = open.window.document();
    QWidget* facts = nullptr;
    for (QWidget* each : open.window.compare_view().pane(Side::Right)->findChildren<QWidget*>())
        if (each->accessibleName() == QStringLiteral("Facts of the schedule")) facts = each;
    REQUIRE(facts != nullptr);
    const auto at = [&](const char* words) { return facts->toolTip().indexOf(QString::fromLatin1(words)); };
    CHECK(at("0 moved") < at("0 control codes changed"));
    const SchedulePtr original = document.pair().schedule(ScheduleSlot::Original);
    ControlCode longer = original->control(0);
    longer.stall = static_cast<std::uint8_t>(longer.stall + 1);
    REQUIRE(document.hand().set_control(0, longer));
    REQUIRE(at("1 control codes changed") > 0);
    CHECK(at("1 control codes changed") < at("0 moved"));
}

QUIET_CASE("the same kernel of another file stands on the left, another kernel is refused") {
    OpenWindow open;
    Document& document = open.window.document();
    Schedule changed(*document.pair().schedule(ScheduleSlot::Original));
    InstrId id = 0;
    while (changed.control(id).stall < 1 || changed.control(id).stall > 9)
        ++id;
    ControlCode longer = changed.control(id);
    ++longer.stall;
    changed.set_control(id, longer);
    const std::string path = open.path("other.cubin").toStdString();
    REQUIRE(export_cubin(changed, path, Claim()));
    open.window.hand_tools().compare_with(QString::fromStdString(path));
    REQUIRE(wait_for([&] { return document.pair().left_slot() == ScheduleSlot::Other; }));
    CHECK(document.pair().left()->hash() == changed.hash());
    CHECK(document.pair().diff()->control == 1);
    CHECK(document.pair().other_name() == QStringLiteral("other.cubin"));
    open.window.hand_tools().compare_with(QString::fromStdString(sample("softmax.cubin")));
    REQUIRE(wait_for([&] {
        return open.window.messages().newest_text().contains(QStringLiteral("Cannot compare with"));
    }));
    CHECK(document.pair().left()->hash() == changed.hash());
}

QUIET_CASE("where the cubin has line tables each instruction has its line of the source") {
    OpenWindow open("../tests/data/cubins/variants.90.cubin");
    open.window.open_path(QString::fromStdString(sample("../tests/data/cubins/variants.90.cubin")),
                          QStringLiteral("k_large"));
    REQUIRE(wait_for([&] {
        return open.window.document().is_open() && open.window.document().kernel()->name() == "k_large" &&
               open.window.document().hand().can_edit();
    }));
    open.window.commands()[QStringLiteral("view.source")]->trigger();
    REQUIRE(wait_for([&] { return has_caption(open, "line"); }));
    const Gutter* gutter = open.window.compare_view().pane(Side::Right)->gutter();
    const auto tip = [&](InstrId id) {
        return gutter->tip_at(open.window.compare_view().rows().row_of(id, Side::Right), 30);
    };
    // As readelf decodes them: 0x00 line 19, 0x10 to 0xd0 line 20, from 0xe0 on line 21.
    CHECK(tip(0).contains(QStringLiteral("variants.cu:19")));
    CHECK(tip(1).contains(QStringLiteral("variants.cu:20")));
    CHECK(tip(0xd).contains(QStringLiteral("variants.cu:20")));
    CHECK(tip(0xe).contains(QStringLiteral("variants.cu:21")));
}
