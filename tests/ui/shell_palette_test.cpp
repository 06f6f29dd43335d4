// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette and keys of one's own, by typing.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "tests/ui/window_support.h"
#include "ui/base/commands.h"
#include "ui/settings/settings_dialog.h"
#include "ui/settings/shortcut_page.h"
#include "ui/shell/command_palette.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

int score(const char* pattern, const char* text) {
    const auto match = fuzzy_match(QString::fromLatin1(pattern), QString::fromLatin1(text));
    return match ? match->score : -1000;
}

QString first(const CommandPalette& palette) {
    const PaletteEntry* entry = palette.model().entry(0);
    return entry != nullptr ? entry->id : QString();
}

QLabel* detail_of(CommandPalette& palette) {
    for (QLabel* label : palette.findChildren<QLabel*>())
        if (label->accessibleName() == QStringLiteral("Description of the selected command")) return label;
    return nullptr;
}

}  // namespace

TEST_CASE("fuzzy: letters in order, words first, no match without a letter") {
    CHECK(fuzzy_match({}, QStringLiteral("x"))->score == 0);
    CHECK_FALSE(fuzzy_match(QStringLiteral("xyz"), QStringLiteral("Move up")));
    CHECK_FALSE(fuzzy_match(QStringLiteral("pu"), QStringLiteral("up")));  // not in this order
    CHECK(fuzzy_match(QStringLiteral("m u"), QStringLiteral("Move up"))->at == std::vector<int>{0, 5});
    CHECK(fuzzy_match(QStringLiteral("MOVE"), QStringLiteral("Edit: Move up"))->at ==
          std::vector<int>{6, 7, 8, 9});
    CHECK(score("mu", "Move up") > score("mu", "Minimum"));
    CHECK(score("undo", "Edit: Undo") > score("undo", "Turn on dock"));
    CHECK(score("exp", "Export") > score("exp", "Edit: x p"));
    CHECK(
        fuzzy_match(QString(500, QLatin1Char('a')), QString(10000, QLatin1Char('a'))));  // bounded, not slow
}

TEST_CASE("an offset is told from a word") {
    CHECK(parse_offset(QStringLiteral("0x1270")) == 0x1270u);
    CHECK(parse_offset(QStringLiteral(" 1270 ")) == 0x1270u);
    CHECK(parse_offset(QStringLiteral(":add")) == 0xaddu);
    CHECK_FALSE(parse_offset(QStringLiteral("add")));
    CHECK_FALSE(parse_offset(QStringLiteral("0xzz")));
    CHECK_FALSE(parse_offset(QStringLiteral("0xfffffffff")));
    CHECK_FALSE(parse_offset({}));
}

QUIET_CASE("the palette: opened by key, finds by letters, Enter does it, Esc gives the keyboard back") {
    OpenWindow open;
    CommandPalette& palette = open.window.command_palette();
    const QAbstractItemModelTester tester(const_cast<PaletteModel*>(&palette.model()));
    open.listing()->setFocus();
    open.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(palette.isVisible());
    CHECK(palette.edit()->hasFocus());
    CHECK(palette.model().rowCount() >= static_cast<int>(open.window.commands().all().size()) - 1);

    QTest::keyClicks(palette.edit(), QStringLiteral("theme dark"));
    // "View: Dark" is found by the name of its group too; ids are not searched.
    QTest::keyClick(palette.edit(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(palette.edit(), QStringLiteral("follow"));
    CHECK(first(palette) == QStringLiteral("view.follow_live"));
    CHECK(palette.model().data(palette.model().index(0), PaletteModel::KeyRole).toString() ==
          QStringLiteral("Ctrl+L"));
    // A word for it that stands in no name.
    QTest::keyClick(palette.edit(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(palette.edit(), QStringLiteral("tune"));
    CHECK(first(palette) == QStringLiteral("agent.start"));
    QTest::keyClick(palette.edit(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(palette.edit(), QStringLiteral("follow"));
    const bool before = open.window.document().pair().follow_live();
    QTest::keyClick(palette.edit(), Qt::Key_Return);
    CHECK_FALSE(palette.isVisible());
    CHECK(open.window.document().pair().follow_live() != before);
    CHECK(open.listing()->hasFocus());

    open.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(first(palette) == QStringLiteral("view.follow_live"));  // what was done lately comes first
    QTest::keyClick(palette.edit(), Qt::Key_Escape);
    CHECK_FALSE(palette.isVisible());
    CHECK(open.listing()->hasFocus());
}

QUIET_CASE("the palette knows other words for commands") {
    OpenWindow open;
    CommandPalette& palette = open.window.command_palette();
    const std::pair<const char*, const char*> names[] = {
        {"bottleneck", "view.show_kernel"}, {"hot loop", "go.hot_loop"},      {"barrier", "edit.control"},
        {"reward", "view.show_rewards"},    {"nsight", "agent.profile"},      {"critical", "view.show_graph"},
        {"patch", "file.export_diff"},      {"stall reason", "go.next_wait"}, {"limits", "view.show_kernel"},
        {"install", "file.export_hand"}};
    for (const auto& [typed, command] : names) {
        palette.open(QString::fromLatin1(typed));
        bool found = false;
        for (int row = 0; row < 5; ++row)
            if (const PaletteEntry* entry = palette.model().entry(row))
                found = found || entry->id == QLatin1String(command);
        INFO(typed);
        CHECK(found);
        QTest::keyClick(palette.edit(), Qt::Key_Escape);
    }
}

QUIET_CASE("the palette goes to offsets and says why a command is off") {
    OpenWindow open;
    CommandPalette& palette = open.window.command_palette();
    palette.open();
    QTest::keyClicks(palette.edit(), QStringLiteral("0x1270"));
    REQUIRE(first(palette) == QStringLiteral("offset"));
    CHECK(detail_of(palette)->text() ==
          open.window.document().text_of(open.window.document().pair().right()->at(0x127)));
    QTest::keyClick(palette.edit(), Qt::Key_Return);
    CHECK(open.window.selection().instr() == open.window.document().pair().right()->at(0x127));

    palette.open();
    QTest::keyClicks(palette.edit(), QStringLiteral("fffff0"));
    REQUIRE(first(palette) == QStringLiteral("offset"));
    QTest::keyClick(palette.edit(), Qt::Key_Return);
    CHECK(palette.isVisible());  // there is no such instruction: nothing happened
    CHECK(detail_of(palette)->text().contains(QStringLiteral("ends at")));

    palette.open();
    QTest::keyClicks(palette.edit(), QStringLiteral("edit undo"));
    REQUIRE(first(palette) == QStringLiteral("edit.undo"));
    CHECK(detail_of(palette)->text().contains(QStringLiteral("no hand edit")));
    QTest::keyClick(palette.edit(), Qt::Key_Return);
    CHECK(palette.isVisible());
    // What has become possible since it was opened is done.
    Document& document = open.window.document();
    for (InstrId id = 0; id < document.kernel()->size() && !document.hand().tree().can_undo(); ++id)
        document.hand().move_by(id, 1);
    REQUIRE(document.hand().tree().can_undo());
    QTest::keyClick(palette.edit(), Qt::Key_Return);
    CHECK_FALSE(palette.isVisible());
    CHECK_FALSE(document.hand().tree().can_undo());
    palette.open();
    for (QAction* action : open.window.commands().all())
        if (!action->isEnabled()) {
            INFO(action->objectName().toStdString());
            CHECK_FALSE(open.window.commands().why_disabled(action).isEmpty());
        }
    QTest::keyClick(palette.edit(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(palette.edit(), QStringLiteral("qqqqq"));
    CHECK(palette.model().rowCount() == 0);
    QTest::keyClick(palette.edit(), Qt::Key_Return);
    QTest::keyClick(palette.edit(), Qt::Key_Down);
    CHECK(palette.isVisible());
}

QUIET_CASE("before anything is open every command that is off says what to do") {
    OpenWindow open("");
    const QAction* action = open.window.commands()[QStringLiteral("edit.move_up")];
    CHECK_FALSE(action->isEnabled());
    CHECK(open.window.commands().why_disabled(action).contains(QStringLiteral("Open a cubin")));
}

TEST_CASE("no two commands ship with one key") {
    OpenWindow open("");
    for (QAction* action : open.window.commands().all())
        for (const QAction* other : open.window.commands().using_key(Commands::default_key(action), action)) {
            INFO(action->objectName().toStdString() << " and " << other->objectName().toStdString());
            CHECK(false);
        }
}

QUIET_CASE("keys can be changed: a free key at once, a used one only when told to, kept, reset") {
    OpenWindow open;
    SettingsDialog* settings = open.window.show_settings(QStringLiteral("keys"));
    auto* table = settings->findChild<QTableView*>();
    auto* edit = settings->findChild<QKeySequenceEdit*>();
    REQUIRE(table != nullptr);
    const QAbstractItemModelTester tester(table->model());
    auto* filter = table->parentWidget()->findChild<QLineEdit*>();
    const auto choose = [&](const char* id) {
        filter->clear();
        QTest::keyClicks(filter, QString::fromLatin1(id));
        REQUIRE(table->model()->rowCount() >= 1);
    };
    const auto button = [&](const char* text) -> QPushButton* {
        for (auto* each : settings->findChildren<QPushButton*>())
            if (each->text() == QString::fromLatin1(text)) return each;
        return nullptr;
    };
    Commands& commands = open.window.commands();
    // The field waits a second for further keys before it tells of one.
    const auto type_key = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
        QSignalSpy finished(edit, &QKeySequenceEdit::editingFinished);
        QTest::keyClick(edit, key, modifiers);
        CHECK((finished.count() > 0 || finished.wait(5000)));
    };

    choose("edit.yield");
    type_key(Qt::Key_J, Qt::ControlModifier);
    CHECK(commands[QStringLiteral("edit.yield")]->shortcut() == QKeySequence(QStringLiteral("Ctrl+J")));
    CHECK(commands[QStringLiteral("edit.yield")]->toolTip().contains(QStringLiteral("Ctrl+J")));

    choose("edit.yield");
    type_key(Qt::Key_L, Qt::ControlModifier);  // follow live has it
    CHECK(commands[QStringLiteral("edit.yield")]->shortcut() == QKeySequence(QStringLiteral("Ctrl+J")));
    QPushButton* take = button("Reassign");
    REQUIRE(take->isVisible());
    QTest::mouseClick(take, Qt::LeftButton);
    CHECK(commands[QStringLiteral("edit.yield")]->shortcut() == QKeySequence(QStringLiteral("Ctrl+L")));
    CHECK(commands[QStringLiteral("view.follow_live")]->shortcut().isEmpty());

    ShortcutBook::instance().load();  // as the next start does
    CHECK(commands[QStringLiteral("edit.yield")]->shortcut() == QKeySequence(QStringLiteral("Ctrl+L")));
    {
        MainWindow second;  // other windows have them too
        CHECK(second.commands()[QStringLiteral("edit.yield")]->shortcut() ==
              QKeySequence(QStringLiteral("Ctrl+L")));
    }
    settings->hide();
    open.window.activateWindow();
    const InstrId id = open.window.document().pair().right()->at(20);
    open.window.selection().select(id);
    bool edited = false;
    QObject::connect(&open.window.document().hand(), &HandEditor::changed, &open.window,
                     [&] { edited = true; });
    QObject::connect(&open.window.document().hand(), &HandEditor::refused, &open.window,
                     [&] { edited = true; });
    QApplication::setActiveWindow(&open.window);  // the offscreen platform does not give it back by itself
    open.listing()->setFocus();
    REQUIRE(open.window.isActiveWindow());
    open.key(Qt::Key_L, Qt::ControlModifier);
    CHECK(QTest::qWaitFor([&] { return edited; }, 5000));  // the new key reaches the command

    QTest::mouseClick(button("Reset all shortcuts"), Qt::LeftButton);
    CHECK(commands[QStringLiteral("edit.yield")]->shortcut() == QKeySequence(QStringLiteral("Alt+Y")));
    CHECK(commands[QStringLiteral("view.follow_live")]->shortcut() == QKeySequence(QStringLiteral("Ctrl+L")));
    CHECK(ShortcutBook::instance().empty());
}
