// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/scene.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <QStatusBar>
#include <QTimer>
#include <cstdio>
#include <utility>

#include "ui/base/theme.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/listing/sass_view.h"
#include "ui/run/output_gate.h"
#include "ui/sessions/session_browser.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/exports.h"
#include "ui/shell/main_window.h"
#include "ui/shell/schedule_actions.h"

namespace cubinlab::ui {
namespace {

constexpr int kBetweenMs = 120;
constexpr int kTryMs = 50;
constexpr int kMostTries = 2400;  // two minutes

}  // namespace

Scene::Scene(MainWindow& window, const QString& actions, std::function<void()> finished)
    : QObject(&window),
      window_(window),
      actions_(actions.split(QLatin1Char(';'), Qt::SkipEmptyParts)),
      finished_(std::move(finished)) {}

void Scene::start(int in_ms) {
    QTimer::singleShot(in_ms, this, [this] { next(); });
}

void Scene::next() {
    if (at_ >= actions_.size()) return finished_();
    const QString action = actions_[at_].trimmed();
    pause_ms_ = kBetweenMs;
    const Outcome outcome = act(action.section(QLatin1Char(':'), 0, 0), action.section(QLatin1Char(':'), 1));
    if (outcome == Outcome::NotYet && ++tries_ < kMostTries) {
        start(kTryMs);
        return;
    }
    failed_ = failed_ || outcome != Outcome::Done;
    if (outcome != Outcome::Done)
        std::fprintf(stderr, "window_scene: %s: %s\n", qPrintable(action),
                     outcome == Outcome::Unknown ? "there is no such action" : "could not be done");
    ++at_;
    tries_ = 0;
    begun_ = over_ = false;
    start(pause_ms_);
}

Scene::Outcome Scene::act(const QString& name, const QString& value) {
    if (name == QLatin1String("wait")) {
        pause_ms_ = static_cast<int>(1000 * value.toDouble());
        return Outcome::Done;
    }
    if (name == QLatin1String("show")) {
        QDockWidget* dock = window_.dock(value);
        if (dock == nullptr) return Outcome::Unknown;
        MainWindow::bring_forward(dock);
        return Outcome::Done;
    }
    if (name == QLatin1String("palette")) {
        window_.command_palette().open(value);
        return Outcome::Done;
    }
    if (name == QLatin1String("settings")) {
        window_.show_settings(value);
        return Outcome::Done;
    }
    if (name == QLatin1String("sessions")) {
        window_.show_sessions();
        return Outcome::Done;
    }
    if (name == QLatin1String("select")) return select(value);
    if (name == QLatin1String("drag")) return drag(value);
    if (name == QLatin1String("float")) return float_dock(value);
    if (name == QLatin1String("grab")) return grab(value);
    if (name == QLatin1String("keys")) return press_keys(value);
    if (name == QLatin1String("click")) {
        auto* button = window_.findChild<QAbstractButton*>(value);
        if (button == nullptr) return Outcome::Unknown;
        if (!button->isEnabled()) return Outcome::NotYet;
        button->click();
        return Outcome::Done;
    }
    if (name == QLatin1String("type")) {
        auto* field = window_.findChild<QLineEdit*>(value.section(QLatin1Char('='), 0, 0));
        if (field == nullptr) return Outcome::Unknown;
        field->setText(value.section(QLatin1Char('='), 1));
        return Outcome::Done;
    }
    if (name == QLatin1String("size")) {
        window_.resize(value.section(QLatin1Char('x'), 0, 0).toInt(),
                       value.section(QLatin1Char('x'), 1, 1).toInt());
        return Outcome::Done;
    }
    if (name == QLatin1String("find")) {
        if (!window_.document().is_open()) return Outcome::NotYet;
        for (QLineEdit* field : window_.findChildren<QLineEdit*>())
            if (field->accessibleName() == MainWindow::tr("Find in the listing")) field->setText(value);
        return Outcome::Done;
    }
    if (name == QLatin1String("open")) {
        window_.open_path(value);
        return Outcome::Done;
    }
    if (name == QLatin1String("profile") || name == QLatin1String("compare")) {
        if (!window_.document().hand().can_edit()) return Outcome::NotYet;
        name == QLatin1String("profile") ? window_.hand_tools().import_profile(value)
                                         : window_.hand_tools().compare_with(value);
        return Outcome::Done;
    }
    if (name == QLatin1String("run")) return start_agent(value) ? Outcome::Done : Outcome::NotYet;
    if (name == QLatin1String("step")) return view_step(value);
    if (name == QLatin1String("agent")) return run_agent(value);
    if (name == QLatin1String("measure")) return run_command(QStringLiteral("file.measure"));
    for (const char* kind : {"export", "report", "listing", "diff", "csv"})
        if (name == QLatin1String(kind)) return export_file(name, value);
    return run_command(name);
}

// Commands that take their time are waited for.
Scene::Outcome Scene::run_command(const QString& id) {
    QAction* command = window_.commands().find(id);
    if (command == nullptr) return Outcome::Unknown;
    if (begun_) return over_ ? Outcome::Done : Outcome::NotYet;
    if (!command->isEnabled()) return Outcome::NotYet;
    if (id != QLatin1String("file.measure")) {
        command->trigger();
        return Outcome::Done;
    }
    if (!window_.controller().gpu()) return Outcome::NotYet;  // still looking for one
    const Document& document = window_.document();
    if (*document.pair().right() == *document.pair().schedule(ScheduleSlot::Original)) {
        std::fprintf(stderr, "window_scene: measure: the schedule on the right is the original\n");
        return Outcome::Done;
    }
    begun_ = true;
    connect(&window_.actions(), &ScheduleActions::compared, this, [this] { over_ = true; });
    command->trigger();
    return Outcome::NotYet;
}

Scene::Outcome Scene::select(const QString& offset) {
    const SchedulePtr original = window_.document().pair().schedule(ScheduleSlot::Original);
    if (!window_.document().is_open()) return Outcome::NotYet;
    const auto position = offset.toUInt(nullptr, 16) / kWordBytes;
    if (position >= original->size()) return Outcome::Unknown;
    window_.selection().select(original->at(static_cast<Position>(position)));
    return Outcome::Done;
}

// AGENT,BUDGET[,EVALUATOR]: on the model where no evaluator is named.
bool Scene::start_agent(const QString& value) {
    if (!window_.document().hand().can_edit() || window_.controller().active()) return false;
    const QStringList parts = value.split(QLatin1Char(','));
    RunRequest request;
    request.agent = parts.value(0);
    request.budget = parts.value(1);
    request.evaluator = parse_evaluator_policy(parts.value(2).toStdString()).value_or(EvaluatorPolicy::Model);
    window_.start_agent(request);
    return true;
}

Scene::Outcome Scene::run_agent(const QString& value) {
    if (begun_) return window_.controller().active() || !over_ ? Outcome::NotYet : Outcome::Done;
    if (!window_.document().hand().can_edit() || window_.controller().active()) return Outcome::NotYet;
    connect(&window_.controller(), &RunController::finished, this, [this] { over_ = true; });
    connect(&window_.controller(), &RunController::failed, this, [this] { over_ = true; });
    begun_ = start_agent(value);
    return Outcome::NotYet;
}

// A press on the instruction at the first offset, moved to the second and held there.
Scene::Outcome Scene::drag(const QString& offsets) {
    if (!window_.document().hand().can_edit()) return Outcome::NotYet;
    CompareView& compare = window_.compare_view();
    SassView* view = compare.pane(Side::Right)->view();
    const Schedule& schedule = *window_.document().pair().right();
    const auto place = [&](int part) {
        const auto at = offsets.section(QLatin1Char(','), part, part).toUInt(nullptr, 16) / kWordBytes;
        const InstrId id = at < schedule.size() ? schedule.at(static_cast<Position>(at)) : kNone;
        const int row = id == kNone ? -1 : compare.rows().row_of(id, Side::Right);
        return QPoint(120, (row - view->first_visible_row()) * view->row_height() + view->row_height() / 2);
    };
    const QPoint from = place(0), to = place(1);
    if (!view->viewport()->rect().contains(from) || !view->viewport()->rect().contains(to))
        return Outcome::Unknown;
    const auto send = [&](QEvent::Type type, const QPoint& at, Qt::MouseButton button) {
        QMouseEvent event(type, at, view->viewport()->mapToGlobal(at), button, Qt::LeftButton,
                          Qt::NoModifier);
        QApplication::sendEvent(view->viewport(), &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    for (const QPoint& at : {(from + to) / 2, to})
        send(QEvent::MouseMove, at, Qt::NoButton);
    return Outcome::Done;
}

// Where a person's keys would go: to the dialog on top, else to this window.
Scene::Outcome Scene::press_keys(const QString& keys) {
    QWidget* top = &window_;
    for (QWidget* each : QApplication::topLevelWidgets())
        if (qobject_cast<QDialog*>(each) != nullptr && each->isVisible()) top = each;
    for (const QString& name : keys.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        QWidget* target = top->focusWidget() != nullptr ? top->focusWidget() : top;
        const QKeySequence sequence(name);
        if (sequence.isEmpty()) return Outcome::Unknown;
        const int code = sequence[0].key();
        const bool printed = name.size() == 1;
        for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
            QKeyEvent event(type, code, sequence[0].keyboardModifiers(), printed ? name : QString());
            QApplication::sendEvent(target, &event);
        }
    }
    return Outcome::Done;
}

Scene::Outcome Scene::float_dock(const QString& value) {
    QDockWidget* dock = window_.dock(value.section(QLatin1Char('='), 0, 0));
    if (dock == nullptr) return Outcome::Unknown;
    dock->show();
    dock->setFloating(true);
    const QStringList size = value.section(QLatin1Char('='), 1).split(QLatin1Char('x'));
    if (size.size() == 2) dock->resize(size[0].toInt(), size[1].toInt());
    return Outcome::Done;
}

// DOCK:FILE: one view alone. `listing` is both listings, `dialog` the one on top, `status` the status bar,
// `window` everything.
Scene::Outcome Scene::grab(const QString& value) {
    const QString name = value.section(QLatin1Char(':'), 0, 0);
    const QString file = value.section(QLatin1Char(':'), 1);
    if (name == QLatin1String("window"))
        return save_picture(window_, file) ? Outcome::Done : Outcome::Unknown;
    QWidget* view = nullptr;
    if (name == QLatin1String("listing")) {
        view = window_.centralWidget();
    } else if (name == QLatin1String("status")) {
        view = window_.statusBar();
    } else if (name == QLatin1String("dialog")) {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (qobject_cast<QDialog*>(top) != nullptr && top->isVisible()) view = top;
    } else if (QDockWidget* dock = window_.dock(name)) {
        view = dock->widget();
    }
    if (view == nullptr) return Outcome::Unknown;
    if (!view->isVisible()) {
        if (auto* dock = qobject_cast<QDockWidget*>(view->parentWidget())) dock->raise();
        return Outcome::NotYet;
    }
    if (!make_way(file, Replace::Confirmed) || !view->grab().save(file)) {
        std::fprintf(stderr, "window_scene: cannot write %s\n", qPrintable(file));
        return Outcome::Unknown;
    }
    return Outcome::Done;
}

Scene::Outcome Scene::view_step(const QString& value) {
    const auto& run = window_.controller().shown_run();
    if (!run) return Outcome::NotYet;
    const StepId step =
        value == QLatin1String("best") ? window_.controller().progress().best_step : value.toLongLong();
    if (value == QLatin1String("best") && step == 0) return Outcome::NotYet;
    if (!begun_) window_.controller().view_step(step);
    begun_ = true;
    return window_.document().pair().viewed_step().step == step ? Outcome::Done : Outcome::NotYet;
}

Scene::Outcome Scene::export_file(const QString& name, const QString& path) {
    if (begun_) return over_ ? Outcome::Done : Outcome::NotYet;
    const auto end = [this] { over_ = true; };
    if (name == QLatin1String("export")) {
        if (!window_.document().pair().schedule(ScheduleSlot::Best) ||
            window_.document().pair().best_step().step == 0)
            return Outcome::NotYet;
        connect(&window_.actions(), &ScheduleActions::exported, this, end);
        connect(&window_.actions(), &ScheduleActions::export_failed, this, end);
        window_.actions().export_to(ScheduleSlot::Best, path);
    } else {
        const ExportKind kind = name == QLatin1String("report")    ? ExportKind::Report
                                : name == QLatin1String("listing") ? ExportKind::Listing
                                : name == QLatin1String("diff")    ? ExportKind::Diff
                                                                   : ExportKind::Csv;
        Exports& exports = window_.exports();
        if (!exports.can_export(kind)) return Outcome::NotYet;
        connect(&exports, &Exports::exported, this, end);
        connect(&exports, &Exports::failed, this, end);
        exports.export_to(kind, path);
    }
    begun_ = true;
    return Outcome::NotYet;
}

bool save_picture(MainWindow& window, const QString& path) {
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    for (QWidget* top : QApplication::topLevelWidgets()) {
        if (qobject_cast<QDialog*>(top) == nullptr || !top->isVisible()) continue;
        const QPixmap dialog = top->grab();
        const QPoint at((window.width() - top->width()) / 2, (window.height() - top->height()) / 2);
        painter.fillRect(QRect(at, top->size()).translated(4, 5), QColor(0, 0, 0, 70));
        painter.drawPixmap(at, dialog);
        painter.setPen(Theme::instance().colors().border);
        painter.drawRect(QRect(at, top->size()).adjusted(-1, -1, 0, 0));
    }
    painter.end();
    return make_way(path, Replace::Confirmed) && picture.save(path);
}

}  // namespace cubinlab::ui
