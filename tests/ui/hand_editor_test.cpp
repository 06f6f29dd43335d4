// SPDX-License-Identifier: GPL-3.0-or-later
// The control-code editor by keys and mouse: what is illegal is marked before it is committed, a commit is
// one undo step, a refusal leads to the other instruction.
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QToolTip>

#include "tests/ui/window_support.h"
#include "ui/hand/control_editor.h"
#include "ui/hand/hand_tools.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

bool legal(const Document& document, InstrId id, const ControlCode& code) {
    Schedule changed(*document.pair().schedule(ScheduleSlot::Hand));
    changed.set_control(id, code);
    return document.checker()->check(changed).empty();
}

// An instruction whose stall count cannot be lowered by one.
InstrId tight(const Document& document) {
    const Schedule& hand = *document.pair().schedule(ScheduleSlot::Hand);
    for (InstrId id = 0; id < hand.size(); ++id) {
        ControlCode code = hand.control(id);
        if (code.stall < 3 || code.stall > 9) continue;
        --code.stall;
        if (!legal(document, id, code)) return id;
    }
    return kNone;
}

struct OpenEditor {
    OpenWindow open;
    ControlEditor* editor = open.window.hand_tools().control_editor();
    InstrId id = kNone;

    OpenEditor() {
        id = tight(open.window.document());
        REQUIRE(id != kNone);
        open.window.selection().select(id);
        open.key(Qt::Key_Return);
        REQUIRE(editor->isVisible());
        judge();
    }
    void judge() {
        REQUIRE(wait_for([&] { return editor->judged(); }));
    }
    Document& document() { return open.window.document(); }
};

}  // namespace

QUIET_CASE("Enter opens the editor at the row, the marks are what a full check of each value says") {
    OpenEditor o;
    CHECK(o.editor->stall_box()->hasFocus());
    const ControlCode now = o.document().pair().schedule(ScheduleSlot::Hand)->control(o.id);
    CHECK(o.editor->stall_box()->value() == now.stall);
    for (std::size_t stall = 0; stall < 16; ++stall) {
        ControlCode code = now;
        code.stall = static_cast<std::uint8_t>(stall);
        INFO("stall " << stall);
        CHECK(o.editor->legality().stall[stall].legal() == legal(o.document(), o.id, code));
    }
    for (std::size_t i = 0; i < 6; ++i) {
        ControlCode wait = now, read = now, write = now;
        wait.wait_mask = static_cast<std::uint8_t>(now.wait_mask ^ (1u << i));
        read.read_barrier = write.write_barrier = static_cast<std::uint8_t>(i);
        INFO("scoreboard " << i);
        CHECK(o.editor->legality().wait[i].legal() == legal(o.document(), o.id, wait));
        CHECK(o.editor->legality().read[i].legal() == legal(o.document(), o.id, read));
        CHECK(o.editor->legality().write[i].legal() == legal(o.document(), o.id, write));
        const bool marked = o.editor->write_chip(i)->property("illegal").toBool();
        CHECK(marked != o.editor->legality().write[i].legal());
        if (marked) CHECK(o.editor->write_chip(i)->toolTip().startsWith(QStringLiteral("Illegal: ")));
    }
    const QRect row(o.editor->geometry());
    CHECK(o.open.window.compare_view().rect().contains(row));
}

QUIET_CASE(
    "an illegal stall is refused in place with its reason, and the other instruction is one key away") {
    OpenEditor o;
    const SchedulePtr before = o.document().pair().schedule(ScheduleSlot::Hand);
    QTest::keyClick(o.editor->stall_box(), Qt::Key_Down);
    o.judge();
    CHECK_FALSE(o.editor->legality().draft.legal());
    CHECK(o.editor->verdict_text().startsWith(QStringLiteral("Rejected")));
    const Hazard hazard = *o.editor->legality().draft.refused;
    const InstrId other = hazard.earlier == o.id ? hazard.later : hazard.earlier;

    QTest::keyClick(o.editor->stall_box(), Qt::Key_Return);  // asks for it all the same
    CHECK(*o.document().pair().schedule(ScheduleSlot::Hand) == *before);
    CHECK(o.open.window.messages().newest_text().contains(QStringLiteral("Rejected")));
    REQUIRE(o.editor->isVisible());
    if (other != kNone && other != o.id) {
        REQUIRE(o.editor->go_button()->isVisible());
        QTest::keyClick(o.editor->go_button(), Qt::Key_Space);
        CHECK(o.open.window.selection().instr() == other);
        CHECK(o.editor->instr() == other);
    }
}

TEST_CASE("a digit that would make a stall count above 15 is not taken, and that is said") {
    OpenEditor o;
    QTest::keyClicks(o.editor->stall_box(), QStringLiteral("15"));
    CHECK(o.editor->stall_box()->value() == 15);
    CHECK(QToolTip::text().isEmpty());
    o.editor->stall_box()->selectAll();
    QTest::keyClicks(o.editor->stall_box(), QStringLiteral("99"));
    CHECK(o.editor->stall_box()->value() == 9);
    CHECK(QToolTip::text().contains(QStringLiteral("0 to 15")));
}

QUIET_CASE("legality is asked once per key press, and not again for what the editor has marked") {
    OpenEditor o;
    HandEditor& hand = o.document().hand();
    QTest::keyClick(o.editor->stall_box(), Qt::Key_Up);
    o.judge();
    std::size_t asked = hand.questions();
    QTest::keyClick(o.editor->stall_box(), Qt::Key_Return);
    CHECK(hand.tree().can_undo());
    CHECK(hand.questions() == asked);
    for (const auto& [key, modifiers] : {std::pair(Qt::Key_Up, Qt::KeyboardModifiers(Qt::ControlModifier)),
                                         std::pair(Qt::Key_Y, Qt::KeyboardModifiers(Qt::AltModifier)),
                                         std::pair(Qt::Key_Up, Qt::KeyboardModifiers(Qt::AltModifier)),
                                         std::pair(Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier)}) {
        asked = hand.questions();
        o.open.key(key, modifiers);
        INFO(key);
        CHECK(hand.questions() == asked + 1);
    }
}

QUIET_CASE("several fields changed in the editor are one edit and one undo") {
    OpenEditor o;
    const SchedulePtr before = o.document().pair().schedule(ScheduleSlot::Hand);
    auto* strip = o.editor->findChild<StallStrip*>();
    const int longer = before->control(o.id).stall + 1;
    QTest::mouseClick(strip, Qt::LeftButton, Qt::NoModifier, strip->cell(longer).center());
    CHECK(o.editor->stall_box()->value() == longer);
    o.judge();
    std::size_t waited = 0;  // waiting for one more scoreboard is legal for some of them
    while (waited < 6 &&
           (!o.editor->legality().wait[waited].legal() || o.editor->wait_chip(waited)->isChecked()))
        ++waited;
    REQUIRE(waited < 6);
    QTest::mouseClick(o.editor->wait_chip(waited), Qt::LeftButton);
    o.judge();
    REQUIRE(o.editor->legality().draft.legal());
    QTest::keyClick(o.editor->wait_chip(waited), Qt::Key_Return);
    CHECK_FALSE(o.editor->isVisible());
    CHECK(o.open.listing()->hasFocus());
    const ControlCode after = o.document().pair().schedule(ScheduleSlot::Hand)->control(o.id);
    CHECK(after.stall == longer);
    CHECK(((after.wait_mask >> waited) & 1) == 1);
    CHECK(o.document().hand().tree().line().size() == 1);
    o.open.key(Qt::Key_Z, Qt::ControlModifier);
    CHECK(*o.document().pair().schedule(ScheduleSlot::Hand) == *before);
}

QUIET_CASE("Esc leaves the schedule alone and gives the keyboard back to the listing") {
    OpenEditor o;
    const SchedulePtr before = o.document().pair().schedule(ScheduleSlot::Hand);
    QTest::keyClick(o.editor->stall_box(), Qt::Key_Up);
    QTest::keyClick(o.editor->stall_box(), Qt::Key_Escape);
    CHECK_FALSE(o.editor->isVisible());
    CHECK(o.open.listing()->hasFocus());
    CHECK(o.document().pair().schedule(ScheduleSlot::Hand) == before);
    CHECK_FALSE(o.document().hand().tree().can_undo());
}

QUIET_CASE("every field of the editor has a name and can be reached with Tab") {
    OpenEditor o;
    for (QWidget* widget : o.editor->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
        if (widget->objectName().startsWith(QLatin1String("qt_"))) continue;
        INFO(widget->metaObject()->className());
        CHECK_FALSE(widget->accessibleName().isEmpty());
    }
    QSet<QWidget*> reached;
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        reached.insert(QApplication::focusWidget());
    }
    CHECK(reached.contains(o.editor->yield_switch()));
    CHECK(reached.contains(o.editor->write_chip(5)));
    CHECK(reached.contains(o.editor->reuse_chip(2)));
}
