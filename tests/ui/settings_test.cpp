// SPDX-License-Identifier: GPL-3.0-or-later
// Settings take effect as they are made; layouts by name; text sizes; the desktop's dark and light.
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <limits>
#include <set>

#include "tests/ui/window_support.h"
#include "ui/base/file_dialog.h"
#include "ui/run/agent_bar.h"
#include "ui/settings/settings_dialog.h"
#include "ui/settings/system_appearance.h"
#include "ui/settings/tools_page.h"
#include "ui/shell/layouts.h"
#include "ui/shell/pane_cycle.h"
#include "ui/shell/windows.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

QDockWidget* dock(MainWindow& window, const char* name) {
    return window.findChild<QDockWidget*>(QString::fromLatin1(name), Qt::FindDirectChildrenOnly);
}

template <class T>
T* named(QWidget* root, const char* accessible_name) {
    for (T* each : root->findChildren<T*>())
        if (each->accessibleName() == QString::fromLatin1(accessible_name)) return each;
    return nullptr;
}

}  // namespace

TEST_CASE("Enter behind a new path takes it and presses no default button") {
    QDialog dialog;
    PathField field({}, QStringLiteral("Folder"), Ask::Folder, &dialog);
    QPushButton open(QStringLiteral("Open"), &dialog);
    open.setDefault(true);
    dialog.show();
    QSignalSpy chosen(&field, &PathField::chosen);
    QSignalSpy opened(&open, &QPushButton::clicked);
    field.line()->setFocus();
    QTest::keyClicks(field.line(), QStringLiteral("/tmp"));
    QTest::keyClick(field.line(), Qt::Key_Return);
    REQUIRE(chosen.count() == 1);
    CHECK(chosen[0][0].toString() == QStringLiteral("/tmp"));
    CHECK(opened.count() == 0);
    QTest::keyClick(field.line(), Qt::Key_Return);  // nothing new: as anywhere in the dialog
    CHECK(chosen.count() == 1);
    CHECK(opened.count() == 1);
}

QUIET_CASE("text sizes by key and by settings, kept for the next start") {
    OpenWindow open;
    Theme& theme = Theme::instance();
    const int ui = theme.ui_points(), mono = theme.mono_points();
    QTest::keyClick(open.listing(), Qt::Key_Plus, Qt::ControlModifier);
    CHECK(theme.ui_points() == ui + 1);
    CHECK(theme.mono_points() == mono + 1);
    CHECK(Settings().ui_points() == ui + 1);
    QTest::keyClick(open.listing(), Qt::Key_0, Qt::ControlModifier);
    CHECK(theme.ui_points() == theme.default_ui_points());
    CHECK(theme.mono_points() == Settings::kMonoPoints);
    SettingsDialog* settings = open.window.show_settings(QStringLiteral("look"));
    auto* box = required(named<QSpinBox>(settings, "Listing font size"));
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Up);
    CHECK(theme.mono_points() == Settings::kMonoPoints + 1);
    CHECK(Settings().mono_points() == Settings::kMonoPoints + 1);
    QTest::keyClick(box, Qt::Key_Down);
    CHECK_FALSE(settings->grab().isNull());
}

QUIET_CASE("the desktop's colours are followed while the mode is \"as the system\", and only then") {
    OpenWindow open;
    open.window.commands()[QStringLiteral("view.theme_system")]->trigger();
    SystemAppearance::instance().take_scheme(1);
    CHECK(Theme::instance().dark());
    CHECK_FALSE(open.window.grab().isNull());
    SystemAppearance::instance().take_scheme(2);
    CHECK_FALSE(Theme::instance().dark());
    open.window.commands()[QStringLiteral("view.theme_light")]->trigger();
    SystemAppearance::instance().take_scheme(1);
    CHECK_FALSE(Theme::instance().dark());
    SystemAppearance::instance().take_scheme(0);
}

QUIET_CASE("settings of GPU and agent reach every window, a wrong budget is told and kept out") {
    OpenWindow open;
    MainWindow* other = Windows::instance().open_new();
    SettingsDialog* settings = open.window.show_settings(QStringLiteral("agent"));
    auto* budget = required(named<QLineEdit>(settings, "Budget"));
    budget->setFocus();
    budget->selectAll();
    QTest::keyClicks(budget, QStringLiteral("soon"));
    QTest::keyClick(budget, Qt::Key_Return);
    CHECK_FALSE(named<QLabel>(settings, "Error in the budget")->text().isEmpty());
    CHECK(named<QLabel>(settings, "Error in the budget")->isVisible());
    CHECK(other->agent_bar().request().budget != QStringLiteral("soon"));
    budget->setFocus();
    budget->selectAll();
    QTest::keyClicks(budget, QStringLiteral("777steps"));
    QTest::keyClick(budget, Qt::Key_Return);
    CHECK_FALSE(named<QLabel>(settings, "Error in the budget")->isVisible());  // and takes no room
    CHECK(other->agent_bar().request().budget == QStringLiteral("777steps"));
    CHECK(open.window.agent_bar().request().budget == QStringLiteral("777steps"));

    // A seed is what the command line takes: 64 bits. What is more, or no number, is not taken.
    auto* seed = required(named<SeedBox>(settings, "Seed"));
    const auto type = [&](const char* text) {
        seed->setFocus();
        seed->selectAll();
        QTest::keyClicks(seed, QString::fromLatin1(text));
        QTest::keyClick(seed, Qt::Key_Return);
        return other->agent_bar().request().seed;
    };
    const QLineEdit* digits = seed->findChild<QLineEdit*>();
    CHECK(digits->width() >= seed->width() - 20);  // as in other fields of numbers there are no step buttons
    CHECK(type("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
    CHECK(type("184467440737095516150") == std::numeric_limits<std::uint64_t>::max());
    CHECK(type("-+5 x") == 5);
    QTest::keyClick(seed, Qt::Key_Up);
    CHECK(Settings().last_request().seed == 6);

    // A budget that is none is told in the colour of what is wrong, and is no later start's default.
    const auto* wrong = required(named<QLabel>(settings, "Error in the budget"));
    const QString before = Settings().last_request().budget;
    budget->setText(QStringLiteral("banana"));
    budget->setFocus();
    QTest::keyClick(budget, Qt::Key_Return);
    CHECK(wrong->isVisibleTo(settings));
    CHECK(wrong->palette().color(QPalette::WindowText) == Theme::instance().colors().bad);
    CHECK(Settings().last_request().budget == before);
    RunRequest banana;
    banana.budget = QStringLiteral("banana");
    Settings().set_last_request(banana);
    CHECK(Settings().last_request().budget == before);
    QSettings store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("cubinlab"),
                    QStringLiteral("cubinlab"));
    store.setValue("agent/budget", QStringLiteral("banana"));  // as an earlier version kept it
    store.sync();
    CHECK(Settings().last_request().budget == RunRequest().budget);
    store.setValue("agent/budget", before);
    store.sync();
    budget->setText(before);
    QTest::keyClick(budget, Qt::Key_Return);
    CHECK_FALSE(wrong->isVisibleTo(settings));

    settings->show_page(QStringLiteral("gpu"));
    auto* worker = named<QLineEdit>(settings, "Worker command");
    worker->setFocus();
    QTest::keyClicks(worker, QStringLiteral("no-such-worker --x"));
    QTest::keyClick(worker, Qt::Key_Return);
    CHECK(Settings().gpu().worker_command == "no-such-worker --x");
    CHECK(wait_for([&] { return other->controller().gpu() && !other->controller().gpu()->present; }));
    worker->clear();
    worker->setModified(true);
    QTest::keyClick(worker, Qt::Key_Return);
    CHECK(Settings().gpu().worker_command.empty());
    other->close();
    CHECK(wait_for([&] { return Windows::instance().all().size() == 1; }));
}

QUIET_CASE("tools: found or missing, with what is lost and how to get it, a wrong path is told") {
    OpenWindow open("");
    SettingsDialog* settings = open.window.show_settings(QStringLiteral("tools"));
    auto* page = settings->findChild<ToolsPage*>();
    const auto text_of = [&](const char* part) {
        for (const QLabel* label : page->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("<b>%1</b>").arg(QLatin1String(part))))
                return label->text();
        return QString();
    };
    REQUIRE(wait_for([&] { return !text_of("nvdisasm").isEmpty() && !text_of("GPU").isEmpty(); }));
    page->show_findings({{"GPU", false, "none", "no measuring", "a GPU, or --worker \"ssh HOST ...\""}});
    CHECK(text_of("GPU").contains(QStringLiteral("the page GPU")));  // the window has no options
    CHECK_FALSE(text_of("GPU").contains(QStringLiteral("--worker")));
    auto* path = page->findChild<QLineEdit*>(QStringLiteral("path_of_nvcc"));
    path->setFocus();
    QTest::keyClicks(path, QStringLiteral("/no/such/nvcc"));
    QTest::keyClick(path, Qt::Key_Tab);
    REQUIRE(wait_for([&] { return text_of("nvcc").contains(QStringLiteral("/no/such/nvcc")); }));
    CHECK(text_of("nvcc").contains(QStringLiteral("To get it")));
    CHECK(Settings().nvcc() == QStringLiteral("/no/such/nvcc"));
    Settings().nvcc.set({});
    page->show_findings({{"<script>", false, "a < b & c", "x", "y"}});
    bool escaped = false;
    for (const QLabel* label : page->findChildren<QLabel*>())
        escaped = escaped || label->text().contains(QStringLiteral("&lt;script&gt;"));
    CHECK(escaped);
}

QUIET_CASE("built-in layouts show and hide what they say, own layouts are saved, brought back, deleted") {
    OpenWindow open;
    MainWindow& window = open.window;
    for (const QString& id : built_in_layouts()) {
        window.commands()[QStringLiteral("layout.") + id]->trigger();
        settle();
        INFO(id.toStdString());
        CHECK(dock(window, "dock_rewards")->isVisible() == (id != QStringLiteral("hand")));
        CHECK(dock(window, "dock_graph")->isVisibleTo(&window));
        CHECK(window.compare_view().width() > window.width() / 3);
    }
    dock(window, "dock_kernel")->hide();
    window.layouts().save(QStringLiteral(" my / own "));
    CHECK(Settings().layouts() == QStringList{QStringLiteral("my - own")});
    window.commands()[QStringLiteral("view.reset")]->trigger();
    CHECK(dock(window, "dock_kernel")->isVisibleTo(&window));
    CHECK(window.layouts().apply(QStringLiteral("my - own")));
    CHECK_FALSE(dock(window, "dock_kernel")->isVisibleTo(&window));
    QMenu menu;
    window.layouts().fill_menu(&menu);
    CHECK(menu.actions().size() >= 6);
    window.layouts().remove(QStringLiteral("my - own"));
    CHECK(Settings().layouts().isEmpty());
    Settings().save_layout(QStringLiteral("broken"), QByteArrayLiteral("not a layout"));
    CHECK_FALSE(window.layouts().apply(QStringLiteral("broken")));
    CHECK(window.messages().newest_text().contains(QStringLiteral("another version")));
    Settings().remove_layout(QStringLiteral("broken"));
    window.commands()[QStringLiteral("view.reset")]->trigger();
}

QUIET_CASE("Ctrl+F6 walks through every pane and back by the keyboard alone") {
    OpenWindow open;
    const std::vector<WindowPane> panes = panes_of(open.window);
    CHECK(panes.size() >= 6);  // two bars, two listings, docks in front
    open.listing(Side::Left)->setFocus();
    std::set<QWidget*> reached;
    for (std::size_t i = 0; i < panes.size(); ++i) {
        QWidget* focus = required(QApplication::focusWidget());
        for (const WindowPane& pane : panes)
            if (pane.root == focus || pane.root->isAncestorOf(focus)) reached.insert(pane.root);
        QTest::keyClick(focus, Qt::Key_F6, Qt::ControlModifier);
    }
    CHECK(reached.size() == panes.size());
    QWidget* here = QApplication::focusWidget();
    QTest::keyClick(here, Qt::Key_F6, Qt::ControlModifier);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(QApplication::focusWidget() == here);
}

QUIET_CASE("auto asks for earlier schedules where its start says so, other agents cannot") {
    OpenWindow open;
    Settings().set_sessions_folder(open.path("sessions"));
    auto* agent = named<QComboBox>(&open.window, "Agent");
    auto* from = named<QComboBox>(&open.window, "Starting schedule of the agent");
    REQUIRE((agent != nullptr && from != nullptr));
    agent->setCurrentIndex(agent->findData(QStringLiteral("auto")));
    from->setCurrentIndex(2);
    RunRequest request = open.window.agent_bar().request();
    CHECK(request.earlier);
    CHECK(request.start == ScheduleSlot::Original);
    agent->setCurrentIndex(agent->findData(QStringLiteral("greedy")));
    CHECK(from->currentIndex() == 0);
    CHECK_FALSE(from->model()->flags(from->model()->index(2, 0)).testFlag(Qt::ItemIsEnabled));
}
