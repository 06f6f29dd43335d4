// SPDX-License-Identifier: GPL-3.0-or-later
// What small widgets do where there is less room than they ask for.
#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextDocument>
#include <QVBoxLayout>
#include <memory>

#include "tests/support/catch.h"
#include "tests/ui/panels_warnings.h"
#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/base/message_bar.h"
#include "ui/base/table.h"

using namespace cubinlab::ui;

TEST_CASE("an empty view's note: whole, its first sentence, or nothing, never half a line") {
    QWidget view;
    EmptyNote note(&view);
    note.setText(QStringLiteral("No run yet. Start an agent or open a session to see its curves."));
    const QFontMetrics font = note.fontMetrics();
    const int line = font.height(), whole = font.horizontalAdvance(note.text()) + 8;
    const auto at = [&](int width, int height) {
        note.resize(width, height);
        return note.shown();
    };
    CHECK(at(whole, line) == note.text());
    CHECK(at(whole / 2, 3 * line) == note.text());  // on two or three lines
    CHECK(at(whole / 2, line) == QStringLiteral("No run yet."));
    CHECK(at(whole, line / 2).isEmpty());
    CHECK(at(8, 8).isEmpty());
}

QUIET_CASE("a column is as wide as its head, however long that is", "[table]") {
    QStandardItemModel model(3, 2);
    model.setHorizontalHeaderLabels(
        {QStringLiteral("no"), QStringLiteral("Donaudampfschifffahrtsgesellschaft")});
    QTableView* table = new_table(nullptr, QStringLiteral("table"), &model, 8);
    table->setColumnWidth(0, 300);
    table->setColumnWidth(1, 20);
    widen_to_heads(table);
    CHECK(table->columnWidth(0) == 300);
    CHECK(table->columnWidth(1) >= table->horizontalHeader()->sectionSizeHint(1));
    const int width = table->columnWidth(1);
    model.setHeaderData(1, Qt::Horizontal, QStringLiteral("Donaudampfschifffahrtsgesellschaftskapitän"));
    CHECK(table->columnWidth(1) > width);
    CHECK(table->columnWidth(1) >= table->horizontalHeader()->sectionSizeHint(1));
    CHECK(table->columnWidth(0) == 300);
    delete table;
}

TEST_CASE("the column that takes the rest is as wide as it was, whatever comes to stand in it", "[table]") {
    QStandardItemModel model(3, 3);
    model.setHorizontalHeaderLabels(
        {QStringLiteral("Kernel"), QStringLiteral("State"), QStringLiteral("Best")});
    const std::unique_ptr<QTableView> table(new_table(nullptr, QStringLiteral("table"), &model, 8));
    const int letter = table->fontMetrics().averageCharWidth();
    table->setColumnWidth(1, 20 * letter);
    table->setColumnWidth(2, 20 * letter);
    stretch_column(table.get(), 0);
    table->resize(70 * letter, 200);
    table->show();
    QCoreApplication::processEvents();
    const int width = table->columnWidth(0);
    CHECK(table->horizontalScrollBar()->maximum() == 0);
    model.setItem(0, 0, new_cell(QStringLiteral("a name of a kernel ").repeated(20)));
    table->setColumnWidth(1, 21 * letter);
    QCoreApplication::processEvents();
    CHECK(table->columnWidth(0) == width - letter);
    CHECK(table->horizontalScrollBar()->maximum() == 0);
}

TEST_CASE("what may be cut gives way before a table scrolls sideways, a number does not", "[table]") {
    QStandardItemModel model(3, 4);
    model.setHorizontalHeaderLabels(
        {QStringLiteral("State"), QStringLiteral("Steps"), QStringLiteral("Agents"), QStringLiteral("File")});
    const std::unique_ptr<QTableView> table(new_table(nullptr, QStringLiteral("table"), &model, 8));
    const int letter = table->fontMetrics().averageCharWidth();
    for (const int column : {0, 1, 2})
        table->setColumnWidth(column, 30 * letter);
    stretch_column(table.get(), 3, {0, 2});
    const auto at = [&](int letters) {
        table->resize(letters * letter, 200);
        table->show();
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    };
    at(140);  // room for all
    CHECK(table->columnWidth(0) == 30 * letter);
    CHECK(table->columnWidth(3) > 40 * letter);
    CHECK(table->horizontalScrollBar()->maximum() == 0);
    at(90);
    CHECK(table->columnWidth(0) < 30 * letter);
    CHECK(table->columnWidth(1) == 30 * letter);
    CHECK(table->columnWidth(2) < 30 * letter);
    CHECK(table->horizontalScrollBar()->maximum() == 0);
    at(30);  // too little for anything
    CHECK(table->columnWidth(1) == 30 * letter);
    CHECK(table->columnWidth(0) >= table->horizontalHeader()->sectionSizeHint(0));
    CHECK(table->horizontalScrollBar()->maximum() > 0);
    at(140);  // as before
    CHECK(table->columnWidth(0) == 30 * letter);
    CHECK(table->horizontalScrollBar()->maximum() == 0);
}

TEST_CASE("larger text has wider heads and higher rows", "[table]") {
    QStandardItemModel model(3, 2);
    model.setHorizontalHeaderLabels({QStringLiteral("Gain (model)"), QStringLiteral("Date")});
    const std::unique_ptr<QTableView> table(new_table(nullptr, QStringLiteral("table"), &model, 8));
    set_column_widths(table.get(), {20, 140});
    const int narrow = table->columnWidth(0);
    QFont larger = table->font();
    larger.setPointSize(2 * larger.pointSize());
    table->setFont(larger);
    table->horizontalHeader()->setFont(larger);
    QCoreApplication::processEvents();
    CHECK(table->columnWidth(0) > narrow);
    CHECK(table->columnWidth(1) > 250);  // what is in a column grows, too
    CHECK(table->columnWidth(0) >= table->horizontalHeader()->sectionSizeHint(0));
    CHECK(table->verticalHeader()->defaultSectionSize() == QFontMetrics(larger).height() + 8);
}

TEST_CASE("a flow's lines are seen whole or not at all, the first one always") {
    QWidget bar;
    auto* flow = new FlowLayout(&bar);
    flow->setContentsMargins(0, 0, 0, 0);
    flow->setSpacing(4);
    QWidget* field[3];
    for (QWidget*& one : field) {
        one = new QWidget;
        one->setFixedSize(80, 20);
        flow->addWidget(one);
    }
    bar.ensurePolished();
    const auto seen = [&](int height) {  // fields that are inside the bar, whole
        bar.resize(100, height);
        flow->setGeometry(bar.rect());
        int whole = 0;
        for (QWidget* one : field) {
            whole += bar.rect().contains(one->geometry());
            // Else out of sight, but for the first, which has to stand somewhere.
            if (one != field[0] && !bar.rect().contains(one->geometry()))
                CHECK_FALSE(bar.rect().intersects(one->geometry()));
        }
        return whole;
    };
    CHECK(flow->heightForWidth(100) == 68);
    CHECK(seen(68) == 3);
    CHECK(seen(67) == 2);
    CHECK(seen(44) == 2);
    CHECK(seen(30) == 1);
    CHECK(seen(10) == 0);
    CHECK(bar.rect().intersects(field[0]->geometry()));
    CHECK(seen(200) == 3);

    // What stands below a flow is never covered by a line that waits.
    QWidget page;
    auto* column = new QVBoxLayout(&page);
    auto* above = new FlowLayout;
    for (int i = 0; i < 3; ++i) {
        auto* one = new QWidget;
        one->setFixedSize(80, 20);
        above->addWidget(one);
    }
    auto* below = new QWidget;
    below->setMinimumHeight(50);
    column->addLayout(above);
    column->addWidget(below);
    page.resize(100, 110);
    column->setGeometry(page.rect());
    for (int i = 0; i < above->count(); ++i)
        CHECK_FALSE(above->itemAt(i)->geometry().intersects(below->geometry()));
}

TEST_CASE("no line of a message ends inside a number, nor before its %") {
    MessageBar bar;
    bar.post(MessageKind::Done, QStringLiteral("Done"),
             QStringLiteral("%1 steps, 3.5 % slower").arg(grouped(4331)));
    QTextDocument shown;
    for (const QLabel* label : bar.findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("steps"))) shown.setHtml(label->text());
    CHECK(shown.toRawText().contains(QStringLiteral("4\u00A0331 steps, 3.5\u00A0% slower")));
}

TEST_CASE("what is said once and stays true is not driven out by what comes and goes") {
    MessageBar bar;
    const auto says = [&](const char* words) {
        for (const QLabel* label : bar.findChildren<QLabel*>())
            if (label->isVisibleTo(&bar) && label->text().contains(QString::fromLatin1(words))) return true;
        return false;
    };
    Message changed{MessageKind::Info, QStringLiteral("changed"), {}, {}, 0, QStringLiteral("file"), true};
    bar.post(changed);
    bar.post(MessageKind::Info, QStringLiteral("Note"), QStringLiteral("first"));
    bar.post(MessageKind::Info, QStringLiteral("Note"), QStringLiteral("second"));
    CHECK(says("changed"));
    CHECK_FALSE(says("first"));  // the newest of a kind, as ever
    CHECK(says("second"));
    bar.clear(MessageKind::Info);
    CHECK(says("changed"));
    CHECK(bar.count() == 1);
    for (const MessageKind kind :
         {MessageKind::Done, MessageKind::Warning, MessageKind::Error, MessageKind::Refused})
        bar.post(kind, QStringLiteral("one more"), {});
    CHECK(says("changed"));
    CHECK(bar.count() == 3);
    changed.title = QStringLiteral("once more");
    bar.post(changed);  // the same thing again stands once
    CHECK(says("once more"));
    CHECK_FALSE(says("changed"));
    bar.clear_about(QStringLiteral("file"));
    CHECK_FALSE(says("once more"));
}
