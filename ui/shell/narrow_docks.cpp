// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/narrow_docks.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QScopedValueRollback>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

// Its view is drawn: it is alone in its place or in front of its tabs.
bool in_front(const QDockWidget* dock) {
    return dock->isVisible() && !dock->isFloating() && !dock->visibleRegion().isEmpty();
}

}  // namespace

NarrowDocks::NarrowDocks(QMainWindow* window, std::vector<QDockWidget*> docks)
    : QObject(window), window_(window), docks_(std::move(docks)) {
    window->installEventFilter(this);
    connect(window, &QMainWindow::tabifiedDockWidgetActivated, this, &NarrowDocks::note_used);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        for (QDockWidget* dock : docks_)
            if (now != nullptr && dock->isAncestorOf(now)) note_used(dock);
    });
}

// Of docks that move only the user's choice counts, not what Qt raises meanwhile.
void NarrowDocks::note_used(QDockWidget* dock) {
    if (!moving_) used_ = dock;
}

// Docks must not move while their window lays them out.
bool NarrowDocks::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_ && event->type() == QEvent::Resize && !due_) {
        due_ = true;
        QTimer::singleShot(0, this, [this] {
            due_ = false;
            const bool before = stacked();
            fit();
            if (stacked() != before) Q_EMIT docks_moved();
        });
    }
    return QObject::eventFilter(watched, event);
}

bool NarrowDocks::any_shown() const {
    return std::ranges::any_of(docks_, [](const QDockWidget* dock) { return !dock->isHidden(); });
}

void NarrowDocks::fit() {
    if (!any_shown()) return;
    const bool narrow = window_->width() < kSideBySide * text_scale();
    const QScopedValueRollback<bool> moving(moving_, true);
    if (narrow && !stacked()) stack();
    if (!narrow && stacked()) restore();
}

QByteArray NarrowDocks::layout() const {
    return stacked() ? wide_ : window_->saveState();
}

void NarrowDocks::stack() {
    QDockWidget *below = nullptr, *front = nullptr;
    for (QDockWidget* dock : docks_)
        if (window_->dockWidgetArea(dock) == Qt::BottomDockWidgetArea && !dock->isFloating() &&
            !dock->isHidden() && (below == nullptr || !window_->tabifiedDockWidgets(dock).isEmpty()))
            below = dock;
    const bool used = used_ != nullptr && in_front(used_);
    wide_ = window_->saveState();
    for (QDockWidget* dock : docks_) {
        if (window_->dockWidgetArea(dock) != Qt::RightDockWidgetArea || dock->isFloating()) continue;
        const bool hidden = dock->isHidden();
        if (in_front(dock)) front = dock;
        if (below != nullptr)
            window_->tabifyDockWidget(below, dock);
        else
            window_->addDockWidget(Qt::BottomDockWidgetArea, below = dock);
        dock->setVisible(!hidden);
    }
    if (used) front = used_;
    if (front != nullptr) front->raise();
}

void NarrowDocks::restore() {
    std::vector<QDockWidget*> front;
    std::vector<bool> hidden;
    for (QDockWidget* dock : docks_) {
        hidden.push_back(dock->isHidden());
        if (in_front(dock)) front.push_back(dock);
    }
    const QByteArray wide = std::exchange(wide_, {});
    window_->restoreState(wide);
    for (std::size_t i = 0; i < docks_.size(); ++i)
        docks_[i]->setVisible(!hidden[i]);
    for (QDockWidget* dock : front)
        dock->raise();
}

}  // namespace cubinlab::ui
