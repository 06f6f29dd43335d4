// SPDX-License-Identifier: GPL-3.0-or-later
// Every item model of the window, also those inside tables, trees and combo boxes, keeps its promises while
// the window is used.
#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <memory>
#include <set>

#include "tests/ui/window_support.h"
#include "ui/base/theme.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

// Models come and go: taken again at each stage.
class Testers {
  public:
    void watch(QWidget* root) {
        std::set<QAbstractItemModel*> models;
        for (auto* model : root->findChildren<QAbstractItemModel*>())
            models.insert(model);
        for (auto* view : root->findChildren<QAbstractItemView*>())
            models.insert(view->model());
        for (auto* box : root->findChildren<QComboBox*>())
            models.insert(box->model());
        models.erase(nullptr);
        for (QAbstractItemModel* model : models) {
            // Qt's own helpers (empty models, completion lists) are Qt's to test.
            if (QByteArray(model->metaObject()->className()).startsWith("Q") || !seen_.insert(model).second)
                continue;
            testers_.push_back(std::make_unique<QAbstractItemModelTester>(
                model, QAbstractItemModelTester::FailureReportingMode::Warning));
        }
    }
    std::size_t size() const { return seen_.size(); }

  private:
    std::set<QAbstractItemModel*> seen_;
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers_;
};

void raise_each_dock(MainWindow& window, Testers& testers) {
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
        dock->show();
        dock->raise();
        settle();
        testers.watch(&window);
    }
}

}  // namespace

// The testers report as warnings.
QUIET_CASE("every model of the window keeps its promises while the window is used", "[models]") {
    OpenWindow open;
    Testers testers;
    testers.watch(&open.window);
    open.window.controller().set_session_path(open.path("s.db").toStdString());
    const RunRequest request = model_run(QStringLiteral("300steps"), QStringLiteral("greedy"));
    open.window.start_agent(request);
    REQUIRE(wait_for([&] { return open.window.controller().active(); }));
    raise_each_dock(open.window, testers);
    REQUIRE(wait_for([&] { return !open.window.controller().active(); }));
    raise_each_dock(open.window, testers);
    // A refusal, an edit, an undo, a filter, another theme, another file.
    open.window.selection().select(0x1270 / 16);
    open.window.commands()[QStringLiteral("edit.move_top")]->trigger();
    open.window.commands()[QStringLiteral("edit.move_up")]->trigger();
    open.window.commands()[QStringLiteral("edit.undo")]->trigger();
    for (auto* edit : open.window.findChildren<QLineEdit*>())
        if (edit->placeholderText().contains(QStringLiteral("instruction"))) {
            edit->setText(QStringLiteral("LDG"));
            settle();
            edit->clear();
        }
    Theme::instance().set_mode(ThemeMode::Dark);
    settle();
    Theme::instance().set_mode(ThemeMode::Light);
    open.window.open_path(QString::fromStdString(sample("softmax.cubin")));
    REQUIRE(wait_for([&] {
        return open.window.document().is_open() && open.window.document().kernel()->name() == "softmax";
    }));
    raise_each_dock(open.window, testers);
    INFO("models watched: " << testers.size());
    CHECK(testers.size() >= 3);
}
