// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QTreeWidget>

#include "tests/support/catch.h"
#include "tests/ui/panels_warnings.h"
#include "tests/ui/shown.h"
#include "ui/base/fitting_label.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_info.h"
#include "ui/document/problems_panel.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

Hazard hazard() {
    Hazard h;
    h.rule = Rule::RawDistance;
    h.earlier = 3;
    h.later = 5;
    h.need = 4;
    h.have = 2;
    h.resource = "R4";
    h.explanation = "FADD 0x0120 -> FMUL 0x0130 on R4: 4 cycles needed, 2 there";
    return h;
}

bool any_label(const QWidget& widget, const QString& text) {
    for (const auto* label : widget.findChildren<QLabel*>())
        if (!label->isHidden() && label->text().contains(text)) return true;
    return false;
}

}  // namespace

QUIET_CASE("a problem names rule, both instructions and cycles, and leads to either", "[problems]") {
    Shown<ProblemsPanel> panel({900, 200});
    panel.set_names([](InstrId id) { return QStringLiteral("I%1").arg(id); });
    QSignalSpy chosen(&panel, &ProblemsPanel::instr_chosen);
    panel.set_problems(QStringLiteral("Hand"), {hazard()});
    CHECK(panel.count() == 1);
    CHECK(any_label(panel, QStringLiteral("Hand against the original: 1 problem")));
    REQUIRE(panel.tree()->topLevelItemCount() == 1);
    QTreeWidgetItem* item = panel.tree()->topLevelItem(0)->child(0);
    CHECK(item->text(1) == QStringLiteral("I3"));
    CHECK(item->text(2) == QStringLiteral("I5"));
    CHECK(item->text(3) == QStringLiteral("needs 4, has 2"));
    const QRect row = panel.tree()->visualItemRect(item);
    QTest::mouseClick(panel.tree()->viewport(), Qt::LeftButton, {},
                      {panel.tree()->columnViewportPosition(1) + 20, row.center().y()});
    QTest::mouseClick(panel.tree()->viewport(), Qt::LeftButton, {},
                      {panel.tree()->columnViewportPosition(2) + 20, row.center().y()});
    QTest::keyClick(panel.tree(), Qt::Key_Return, Qt::ShiftModifier);
    REQUIRE(chosen.count() == 3);
    CHECK(chosen[0][0].toUInt() == 3);
    CHECK(chosen[1][0].toUInt() == 5);
    CHECK(chosen[2][0].toUInt() == 3);
    // In a narrow dock rule and explanation have the room; the others are scrolled to.
    panel.resize(400, 200);
    QCoreApplication::processEvents();
    const int at = panel.tree()->columnViewportPosition(5);
    CHECK(at > 0);
    CHECK(at < panel.tree()->viewport()->width() / 2);
    CHECK(at + panel.tree()->columnWidth(5) >= panel.tree()->viewport()->width() - 1);
}

QUIET_CASE("no problems, nothing open and a refusal are told apart", "[problems]") {
    ProblemsPanel panel;
    panel.show();
    CHECK(any_label(panel, QStringLiteral("Open a cubin")));
    CHECK_FALSE(any_label(panel, QStringLiteral("no problems")));
    panel.set_problems(QStringLiteral("Original"), {});
    CHECK(any_label(panel, QStringLiteral("no problems")));
    panel.set_refusal(QStringLiteral("Move 0x0120 up"), QStringLiteral("It is pinned."), {hazard()});
    CHECK(any_label(panel, QStringLiteral("It is pinned.")));
    CHECK(panel.count() == 0);  // the schedule itself is fine
    CHECK(panel.tree()->topLevelItemCount() == 1);
    panel.clear_refusal();
    CHECK(panel.tree()->topLevelItemCount() == 0);
}

QUIET_CASE("what the file's own check found stands apart from what the schedule breaks", "[problems]") {
    ProblemsPanel panel;
    panel.show();
    QSignalSpy counted(&panel, &ProblemsPanel::count_changed);
    panel.set_problems(QStringLiteral("Hand"), {});
    CHECK(any_label(panel, QStringLiteral("not run yet")));  // never "no problems" before it was asked
    CheckReport report;
    report.hazards = {hazard(), hazard(), hazard()};
    report.checked_pairs = 1200;
    report.uncovered_pairs = 7;
    panel.set_file_report(std::make_shared<const CheckReport>(report));
    CHECK(any_label(panel, QStringLiteral("File check: 3 finding")));
    CHECK(any_label(panel, QStringLiteral("7 without table data")));
    CHECK(any_label(panel, QStringLiteral("Hand against the original: no problems")));
    CHECK(panel.count() == 3);
    CHECK(counted.last()[0].toInt() == 3);
    panel.set_problems(QStringLiteral("Hand"), {hazard()});
    REQUIRE(panel.tree()->topLevelItemCount() == 2);
    CHECK(panel.tree()->topLevelItem(0)->childCount() == 1);
    CHECK(panel.tree()->topLevelItem(1)->childCount() == 3);
    CHECK(panel.count() == 4);
    report.hazards.clear();
    panel.set_file_report(std::make_shared<const CheckReport>(report));
    CHECK(any_label(panel, QStringLiteral("File check: no finding")));
    CHECK(panel.count() == 1);
}

QUIET_CASE("notes of the check are shown with a mark of their own and never counted", "[problems]") {
    ProblemsPanel panel;
    panel.set_names([](InstrId id) { return QStringLiteral("#%1").arg(id); });
    panel.show();
    CheckNote note;
    note.earlier = 7;
    note.later = 9;
    note.text = "LDS and STS changed order; lanes that exchange data here need __syncwarp";
    panel.set_problems(QStringLiteral("Hand"), {}, {note, note});
    CHECK(panel.count() == 0);
    CHECK(any_label(panel, QStringLiteral("no problems. 2 note")));
    REQUIRE(panel.tree()->topLevelItemCount() == 1);
    const QTreeWidgetItem* group = panel.tree()->topLevelItem(0);
    CHECK(group->text(0).startsWith(QStringLiteral("Notes")));
    REQUIRE(group->childCount() == 2);
    const QTreeWidgetItem* row = group->child(0);
    CHECK(row->text(0) == QStringLiteral("\u2139 Note"));
    CHECK(row->text(1) == QStringLiteral("#7"));
    CHECK(row->text(2) == QStringLiteral("#9"));
    CHECK(row->text(5).contains(QStringLiteral("__syncwarp")));
    QSignalSpy chosen(&panel, &ProblemsPanel::instr_chosen);
    Q_EMIT panel.tree()->itemClicked(group->child(0), 2);
    REQUIRE(chosen.count() == 1);
    CHECK(chosen[0][0].toUInt() == 9);

    panel.set_problems(QStringLiteral("Hand"), {hazard()}, {note});  // problems stand first
    CHECK(panel.count() == 1);
    REQUIRE(panel.tree()->topLevelItemCount() == 2);
    CHECK(panel.tree()->topLevelItem(1)->childCount() == 1);
    panel.set_message(QStringLiteral("Nothing is open"));
    CHECK(panel.tree()->topLevelItemCount() == 0);
}

QUIET_CASE("kernel facts say what is known and leave out what is not", "[kernel-info]") {
    KernelInfoPanel panel;
    CHECK(panel.toPlainText().contains(QStringLiteral("Open a cubin")));
    KernelFacts f;
    f.name = QStringLiteral("bmm<float>");
    f.arch = QStringLiteral("sm_90a");
    f.instructions = 100;
    f.registers = 96;
    f.static_shared = 49152;
    f.mix = {{QStringLiteral("Tensor"), 60}, {QStringLiteral("Shared memory"), 40}};
    f.left = {QStringLiteral("Original"), 400, 300, 90};
    f.right = {QStringLiteral("Hand"), 380, 290, 91};
    f.moved = 3;
    panel.set_facts(f);
    QString text = panel.toPlainText();
    text.replace(QChar(0x202F), QLatin1Char(' '));
    for (const char* part :
         {"bmm<float>", "sm_90a", "96 per thread", "49 152 bytes", "60 (60.0 %)", "3 moved", "not shown"}) {
        INFO(part);
        CHECK(text.contains(QString::fromUtf8(part)));
    }
    CHECK_FALSE(text.contains(QStringLiteral("Local memory")));
    f.threads_per_block = 256;
    f.occupancy = {{64, 32}, {96, 20}, {128, 16}};
    panel.set_facts(f);
    CHECK(panel.toPlainText().contains(QStringLiteral("20 warps \u25C0 here")));
    Theme::instance().set_mode(ThemeMode::Light);  // switches live, text stays
    CHECK(panel.toPlainText().contains(QStringLiteral("20 warps")));
    Theme::instance().set_mode(ThemeMode::Dark);
}

QUIET_CASE("a choice with less room than its name keeps the name's beginning and end", "[eliding-combo]") {
    ElidingCombo box;
    const auto name = QStringLiteral("cutlass::gemm::device::GemmUniversal<float, 128, 128, 32, ");
    box.addItem(name + QStringLiteral("4, true>"));
    box.addItem(name + QStringLiteral("5, true>"));
    box.resize(240, 30);
    box.show();
    const QString first = box.shown_text();
    box.setCurrentIndex(1);
    CHECK(first != box.shown_text());
    CHECK(first.startsWith(QStringLiteral("cutlass")));
    CHECK(first.endsWith(QStringLiteral("4, true>")));
    CHECK(first.contains(QChar(0x2026)));
    CHECK(box.fontMetrics().horizontalAdvance(first) < box.width());
    // Two that differ in their middle alone are told apart as well.
    box.clear();
    box.addItem(QStringLiteral("fused_attention_forward_kernel<float, 64, 16, float, 8>"));
    box.addItem(QStringLiteral("fused_attention_forward_kernel<double, 64, 16, float, 8>"));
    CHECK(box.shown_text().contains(QStringLiteral("\u2026float, 64")));
    box.setCurrentIndex(1);
    CHECK(box.shown_text().contains(QStringLiteral("\u2026double, 64")));
    CHECK(box.fontMetrics().horizontalAdvance(box.shown_text()) < box.width());
    box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box.resize(box.sizeHint());  // what it asks for is enough
    CHECK(box.shown_text() == box.currentText());
}

QUIET_CASE("a choice with less room than its name cuts no number, and rather drops the tail that it may drop",
           "[eliding-combo]") {
    ElidingCombo box;
    const auto whole = QStringLiteral("Best, minimised: 46 of 83 edits, +1.63 % in the model");
    const auto numbers = [](const QString& text) {
        QStringList out;
        const QRegularExpression number(QStringLiteral("\\d+([.,]\\d+)?"));
        for (auto each = number.globalMatch(text); each.hasNext();)
            out << each.next().captured();
        return out;
    };
    box.addItem(whole);
    box.show();
    for (int width = 60; width < 460; ++width) {
        box.resize(width, 30);
        for (const QString& number : numbers(box.shown_text()))
            if (!numbers(whole).contains(number)) FAIL(width << ": " << box.shown_text().toStdString());
    }
    const auto edits = QStringLiteral("Best, minimised: 46 of 83 edits"),
               name = QStringLiteral("Best, minimised");
    box.setItemData(0, QStringList{edits, name}, ElidingCombo::kShorterRole);
    QStringList shown;
    for (int width = 460; width > 160; --width) {
        box.resize(width, 30);
        if (!shown.contains(box.shown_text())) shown << box.shown_text();
    }
    CHECK(shown == QStringList{whole, edits, name});
}

QUIET_CASE("in a narrow panel a word of the facts is not broken, nor is a figure from its unit",
           "[kernel-info]") {
    KernelInfoPanel panel;
    KernelFacts f;
    f.name = QStringLiteral("bmm");
    f.arch = QStringLiteral("sm_90a");
    f.hash = QString(32, QLatin1Char('a'));
    f.instructions = 100;
    f.mix = {{QStringLiteral("Global memory, constants"), 60},
             {QStringLiteral("Shared memory, shuffles"), 40}};
    panel.resize(40 * panel.fontMetrics().averageCharWidth(), 400);
    panel.show();
    panel.set_facts(f);
    int found = 0;
    for (QTextBlock block = panel.document()->begin(); block.isValid(); block = block.next()) {
        const QString text = block.text();
        if (text != QStringLiteral("Architecture") && !text.contains(QLatin1Char('%'))) continue;
        ++found;
        INFO(text.toStdString());
        CHECK(block.layout()->lineCount() == 1);
    }
    CHECK(found == 3);
}

TEST_CASE("every unit belongs to a group of the mix", "[kernel-info]") {
    for (int u = 0; u <= static_cast<int>(Unit::Unknown); ++u)
        CHECK_FALSE(mix_group(static_cast<Unit>(u)).isEmpty());
    CHECK(mix_group(Unit::Gmma) == mix_group(Unit::Mma2x));
}
