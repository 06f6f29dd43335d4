// SPDX-License-Identifier: GPL-3.0-or-later
// Dragging an instruction with the mouse, the legal places that are shown, the arrows of its dependences, and
// move and pay.
#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>

#include "tests/ui/window_support.h"
#include "ui/base/theme.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/dependency_arrows.h"
#include "ui/listing/gutter.h"
#include "ui/listing/instr_drag.h"
#include "ui/listing/listing_overlay.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// An instruction with a legal place above it, at least `away` positions off, all of it in one view.
InstrId with_room(const Document& document, Position away, SlotRange* range) {
    const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
    for (InstrId id = 0; id < hand.size(); ++id) {
        if (document.kernel()->pinned(id)) continue;
        *range = document.checker()->slots(hand, id);
        const Position at = hand.position_of(id);
        const Block& block = document.kernel()->flow().blocks[document.kernel()->block_of(id)];
        if (at - range->lowest >= away && at - range->lowest < 6 && range->lowest > block.first + 1)
            return id;
    }
    return kNone;
}

struct DragWindow {
    OpenWindow open;
    Document& document = open.window.document();
    SassView* view = open.listing();
    ListingOverlay* overlay = open.window.compare_view().pane(Side::Right)->overlay();
    SlotRange range;
    InstrId id = kNone;

    DragWindow() {
        id = with_room(document, 2, &range);
        REQUIRE(id != kNone);
        open.window.selection().select(id);
        open.window.compare_view().pane(Side::Left)->view();
        view->set_first_visible_row(row(id) - view->visible_rows() / 2);
    }
    int row(InstrId of) const { return open_rows().row_of(of, Side::Right); }
    const ListingRows& open_rows() const {
        return const_cast<OpenWindow&>(open).window.compare_view().rows();
    }
    QPoint place(int of_row) const {
        return {60, (of_row - view->first_visible_row()) * view->row_height() + view->row_height() / 2};
    }
    void press() { QTest::mousePress(view->viewport(), Qt::LeftButton, Qt::NoModifier, place(row(id))); }
    void drag_to(int to_row) {
        const QPoint from = place(row(id)), to = place(to_row);
        for (int i = 1; i <= 4; ++i) {  // as a hand moves
            const QPoint at = from + (to - from) * i / 4;
            QMouseEvent move(QEvent::MouseMove, at, view->viewport()->mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(view->viewport(), &move);
        }
    }
    void release(int at_row) {
        QTest::mouseRelease(view->viewport(), Qt::LeftButton, Qt::NoModifier, place(at_row));
    }
};

}  // namespace

QUIET_CASE("an instruction dragged to a legal place goes there, in one edit") {
    DragWindow w;
    const int target = w.row(w.document.pair().schedule(ScheduleSlot::Hand)->at(w.range.lowest));
    w.press();
    w.drag_to(target);
    REQUIRE(w.open.window.hand_tools().drag()->dragging());
    REQUIRE(wait_for([&] { return w.overlay->drag().known; }));
    // What is highlighted is what the checker says, place by place.
    const DragPicture& picture = w.overlay->drag();
    for (int row = picture.first; row <= picture.last; ++row) {
        const InstrId other = w.open_rows().instr(row, Side::Right);
        if (other == kNone) continue;
        INFO("row " << row);
        CHECK(picture.legal_at(row) ==
              w.range.contains(w.document.pair().schedule(ScheduleSlot::Hand)->position_of(other)));
    }
    CHECK(picture.hint.contains(QStringLiteral("legal")));
    const std::size_t asked = w.document.hand().questions();
    w.release(target);
    CHECK(w.document.hand().questions() == asked);  // the drag already knows the answer
    CHECK_FALSE(w.open.window.hand_tools().drag()->dragging());
    CHECK(w.document.pair().schedule(ScheduleSlot::Hand)->position_of(w.id) == w.range.lowest);
    CHECK(w.document.hand().tree().line().size() == 1);
    CHECK_FALSE(w.view->hasSelectedText());
    CHECK_FALSE(w.overlay->drag().active());
}

QUIET_CASE("hovering over an illegal place says why, dropping there changes nothing") {
    DragWindow w;
    QSignalSpy refused(&w.document.hand(), &HandEditor::refused);
    const SchedulePtr before = w.document.pair().schedule(ScheduleSlot::Hand);
    REQUIRE_FALSE(w.range.contains(w.range.lowest - 1));
    const int target = w.row(before->at(w.range.lowest - 1));
    w.press();
    w.drag_to(target);
    REQUIRE(wait_for([&] { return w.overlay->drag().known; }));
    const Legality expected =
        w.document.checker()->explain(*before, Mutation::move_to(*before, w.id, w.range.lowest - 1));
    REQUIRE_FALSE(expected.empty());
    const QString why = QString::fromStdString(expected.front().explanation);
    const bool told = wait_for([&] { return w.overlay->drag().hint.contains(why); }, 20);
    INFO(w.overlay->drag().hint.toStdString() << " / " << why.toStdString());
    REQUIRE(told);
    const std::size_t asked = w.document.hand().questions();
    w.release(target);
    CHECK(w.document.hand().questions() == asked);
    CHECK(*w.document.pair().schedule(ScheduleSlot::Hand) == *before);
    CHECK(refused.count() == 1);
    CHECK(w.open.window.messages().newest_text().contains(QStringLiteral("Rejected")));
}

QUIET_CASE("Esc ends a drag and leaves everything as it is") {
    DragWindow w;
    const SchedulePtr before = w.document.pair().schedule(ScheduleSlot::Hand);
    const int target = w.row(before->at(w.range.lowest));
    w.press();
    w.drag_to(target);
    REQUIRE(w.open.window.hand_tools().drag()->dragging());
    QTest::keyClick(w.view, Qt::Key_Escape);
    CHECK_FALSE(w.open.window.hand_tools().drag()->dragging());
    w.drag_to(target - 2);  // the button is still down
    w.release(target);
    CHECK_FALSE(w.view->hasSelectedText());
    CHECK(w.document.pair().schedule(ScheduleSlot::Hand) == before);
}

QUIET_CASE("a drag near the edge scrolls the listing") {
    DragWindow w;
    const int first = w.view->first_visible_row();
    w.press();
    w.drag_to(w.row(w.id) - 1);
    const QPoint edge(60, 4);
    QMouseEvent move(QEvent::MouseMove, edge, w.view->viewport()->mapToGlobal(edge), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(w.view->viewport(), &move);
    REQUIRE(wait_for([&] { return w.view->first_visible_row() < first; }));
    QTest::keyClick(w.view, Qt::Key_Escape);
}

QUIET_CASE("every legal place of the selected instruction is marked on demand") {
    DragWindow w;
    CHECK(w.overlay->legal_rows().empty());
    w.open.key(Qt::Key_L, Qt::AltModifier);
    REQUIRE(wait_for([&] { return !w.overlay->legal_rows().empty(); }));
    std::vector<int> expected;
    for (Position p = w.range.lowest; p <= w.range.highest; ++p)
        if (w.range.contains(p))
            expected.push_back(w.row(w.document.pair().schedule(ScheduleSlot::Hand)->at(p)));
    CHECK(w.overlay->legal_rows() == expected);
    // The answer is at the row, too; a pinned instruction has no other position.
    CHECK(w.overlay->note() == QStringLiteral("%1 other legal positions").arg(w.range.count() - 1));
    InstrId pinned = 0;
    while (!w.document.kernel()->pinned(pinned))
        ++pinned;
    w.open.window.selection().select(pinned);
    CHECK(wait_for([&] { return w.overlay->note() == QStringLiteral("no other legal position"); }));
    w.open.key(Qt::Key_L, Qt::AltModifier);
    CHECK(w.overlay->legal_rows().empty());
    CHECK(w.overlay->note().isEmpty());
}

QUIET_CASE("arrows: each dependence once, labels on the other rows, the tooltip with cycles and slack") {
    OpenWindow open;
    Document& document = open.window.document();
    const Schedule& original = *document.pair().schedule(ScheduleSlot::Original);
    const InstrId id = original.at(0x1270 / kWordBytes);
    open.window.selection().select(id);
    ListingOverlay* overlay = open.window.compare_view().pane(Side::Right)->overlay();
    REQUIRE(wait_for([&] { return !overlay->labels().empty(); }));
    const DependencyArrows arrows = arrows_of(original, id);
    REQUIRE_FALSE(arrows.arrows.empty());
    std::set<std::pair<InstrId, InstrId>> ends;
    for (const DependencyArrow& arrow : arrows.arrows) {
        CHECK((arrow.from == id) != (arrow.to == id));
        CHECK(ends.insert({arrow.from, arrow.to}).second);
        CHECK(arrow.lane < kMostLanes);
    }
    for (const Dependence& d : dependences_of(original, id))
        if (arrows.left_out == 0 && d.from != d.to) CHECK(ends.count({d.from, d.to}) == 1);
    const Gutter* gutter = open.window.compare_view().pane(Side::Right)->gutter();
    const int row = open.window.compare_view().rows().row_of(id, Side::Right);
    const QString tip = gutter->tip_at(row, gutter->arrows_rect(row).center().x());
    CHECK(tip.contains(QStringLiteral("slack")));
    QAction* toggle = open.window.commands()[QStringLiteral("view.arrows")];
    toggle->trigger();
    CHECK(overlay->labels().empty());
}

TEST_CASE("a load's scoreboard leads to the first wait on it, with 2 cycles needed between") {
    auto cubin = required(Cubin::open(sample("bmm_mma.cubin")));
    const Schedule original(*Kernel::load(*cubin));
    int checked = 0;
    for (InstrId id = 0; id < original.size(); ++id) {
        const std::uint8_t slot = original.control(id).write_barrier;
        if (slot == kNoBarrier) continue;
        const Block& block = original.kernel()->flow().blocks[original.kernel()->block_of(id)];
        Position wait = original.position_of(id) + 1;
        int cycles = original.control(id).stall;
        while (wait < block.end() && ((original.control(original.at(wait)).wait_mask >> slot) & 1) == 0 &&
               (original.kernel()->instruction(original.at(wait)).named_scoreboard != slot ||
                std::string(original.kernel()->instruction(original.at(wait)).mnemonic) != "DEPBAR"))
            cycles += original.control(original.at(wait++)).stall;
        if (wait == block.end()) continue;
        bool found = false;
        for (const DependencyArrow& arrow : arrows_of(original, id).arrows)
            for (const ArrowReason& reason : arrow.reasons)
                if (arrow.to == original.at(wait) && reason.kind == DependenceKind::Scoreboard) {
                    found = true;
                    CHECK(reason.have == cycles);
                    CHECK(reason.need == 2);
                    CHECK(reason.slack() >= 0);  // ptxas' own code
                }
        INFO("0x" << std::hex << id * kWordBytes);
        CHECK(found);
        if (++checked == 12) break;
    }
    CHECK(checked > 3);
}

QUIET_CASE("move and pay goes where a plain move is refused for cycles, and the result is legal") {
    OpenWindow open;
    Document& document = open.window.document();
    QSignalSpy edited(&document.hand(), &HandEditor::edited);
    QSignalSpy refused(&document.hand(), &HandEditor::refused);
    int paid = 0;
    const Schedule original = *document.pair().schedule(ScheduleSlot::Original);
    for (InstrId id = 0x1000 / kWordBytes; id < original.size() && paid == 0 && id < 0x1400 / kWordBytes;
         ++id) {
        if (document.kernel()->pinned(id)) continue;
        open.window.selection().select(id);
        const int before = static_cast<int>(edited.count() + refused.count());
        open.key(Qt::Key_Up, Qt::AltModifier | Qt::ControlModifier);
        REQUIRE(wait_for([&] { return edited.count() + refused.count() > before; }));
        if (!document.hand().tree().can_undo()) continue;
        paid += document.hand().tree().nodes()[document.hand().tree().current()].forward.kind() ==
                MutationKind::MoveAndPay;
        CHECK(document.checker()->check(*document.pair().schedule(ScheduleSlot::Hand)).empty());
        if (paid == 0) document.hand().undo();
    }
    CHECK(paid == 1);
}

QUIET_CASE(
    "the row's menu offers free scoreboards: barrier and waits change together, legally, in one edit") {
    OpenWindow open;
    Document& document = open.window.document();
    const Schedule original = *document.pair().schedule(ScheduleSlot::Original);
    QMenu* scoreboards = nullptr;
    for (QMenu* menu : open.window.findChildren<QMenu*>())
        if (menu->title() == QStringLiteral("S&coreboards")) scoreboards = menu;
    REQUIRE(scoreboards != nullptr);
    auto* row_menu = required(qobject_cast<QMenu*>(scoreboards->parent()));
    bool done = false;
    for (InstrId id = 0; id < original.size() && !done; ++id) {
        const std::uint8_t slot = original.control(id).write_barrier;
        if (slot == kNoBarrier) continue;
        open.window.selection().select(id);
        QMetaObject::invokeMethod(row_menu, "aboutToShow");
        for (QAction* action : scoreboards->actions()) {
            if (!action->text().startsWith(QStringLiteral("Write barrier"))) continue;
            action->trigger();
            done = document.hand().tree().can_undo();
            break;
        }
        if (!done) continue;
        const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
        CHECK(hand.control(id).write_barrier != slot);
        CHECK(document.hand().tree().line().size() == 1);
        CHECK(document.hand().tree().nodes()[document.hand().tree().current()].forward.kind() ==
              MutationKind::Reassign);
        CHECK(document.checker()->check(hand).empty());
        document.hand().undo();
        CHECK(*document.pair().schedule(ScheduleSlot::Hand) == original);
    }
    CHECK(done);
}

TEST_CASE("a pair that a scoreboard guards is never too close: the guard is named instead of a distance") {
    auto cubin = required(Cubin::open(sample("bmm_mma.cubin")));
    const Schedule original(*Kernel::load(*cubin));
    int guarded = 0, placed = 0;
    for (InstrId id = 0; id < original.size(); id += 3)
        for (const DependencyArrow& arrow : arrows_of(original, id).arrows)
            for (const ArrowReason& reason : arrow.reasons) {
                INFO(arrow.from << " -> " << arrow.to << ": " << arrow.sentence());
                CHECK_FALSE(reason.too_close());  // the compiler's own schedule
                if (!reason.guarded) continue;
                ++guarded;
                if (&reason == &arrow.reasons.front())
                    CHECK(arrow.label().find('/') == std::string::npos);  // no "21/26 -5"
                if (reason.wait_at < 0) continue;
                ++placed;
                // The wait that is named is one, and comes after the producer, no later than the consumer.
                const auto at = static_cast<Position>(reason.wait_at / static_cast<int>(kWordBytes));
                const InstrId waiter = original.at(at);
                CHECK(at > original.position_of(arrow.from));
                CHECK(at <= original.position_of(arrow.to));
                const bool by_mask = ((original.control(waiter).wait_mask >> reason.scoreboard) & 1) != 0;
                const bool by_name =
                    original.kernel()->instruction(waiter).named_scoreboard == reason.scoreboard;
                CHECK((by_mask || by_name));
            }
    CHECK(guarded > 20);
    CHECK(placed > 10);
}

QUIET_CASE("the label of a guarded arrow is not red", "[arrows]") {
    OpenWindow open;
    const Schedule& original = *open.window.document().pair().schedule(ScheduleSlot::Original);
    InstrId load = kNone;  // a load whose result is waited for before it is read
    for (InstrId id = 0; id < original.size() && load == kNone; ++id)
        for (const DependencyArrow& arrow : arrows_of(original, id).arrows)
            if (arrow.from == id && arrow.reasons.front().wait_at >= 0 && arrow.kind() == DependenceKind::Raw)
                load = id;
    REQUIRE(load != kNone);
    open.window.selection().select(load);
    ListingOverlay* overlay = open.window.compare_view().pane(Side::Right)->overlay();
    REQUIRE(wait_for([&] { return !overlay->labels().empty(); }));
    bool named = false;
    for (const RowLabel& label : overlay->labels()) {
        CHECK_FALSE(label.strong);
        if (!label.text.contains(QStringLiteral("wait at 0x"))) continue;
        named = true;
        CHECK(label.color == Theme::instance().colors().text_dim);
    }
    CHECK(named);
}
