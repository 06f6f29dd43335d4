// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/windows.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <algorithm>

#include "ui/shell/main_window.h"

namespace cubinlab::ui {

QRect inside(QRect frame, const QRect& screen) {
    frame.setSize(frame.size().boundedTo(screen.size()));
    frame.moveLeft(std::clamp(frame.left(), screen.left(), screen.right() - frame.width() + 1));
    frame.moveTop(std::clamp(frame.top(), screen.top(), screen.bottom() - frame.height() + 1));
    return frame;
}

Windows& Windows::instance() {
    static Windows windows;
    return windows;
}

void Windows::add(MainWindow* window) {
    windows_.push_back(window);
    Q_EMIT changed();
}

void Windows::remove(MainWindow* window) {
    std::erase(windows_, window);
    Q_EMIT changed();
}

MainWindow* Windows::open_new(const QString& path, const QString& kernel) {
    const MainWindow* above = windows_.empty() ? nullptr : windows_.back();
    auto* window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    if (above != nullptr) {  // offset from the other window
        window->place_inside(QRect(above->pos() + QPoint(28, 28), above->size()));
    }
    window->show();
    bring_up(window);
    if (!path.isEmpty()) window->open_path(path, kernel);
    return window;
}

MainWindow* Windows::showing(const QString& path) const {
    const QString wanted = QFileInfo(path).canonicalFilePath();
    if (wanted.isEmpty()) return nullptr;
    for (MainWindow* window : windows_) {
        const std::filesystem::path session = window->controller().session_path();
        if (!session.empty() &&
            QFileInfo(QString::fromStdString(session.string())).canonicalFilePath() == wanted)
            return window;
    }
    return nullptr;
}

void Windows::bring_up(QWidget* window) {
    if (window->isMinimized())
        window->showNormal();
    else
        window->show();
    // Without a screen windows have no order, and Qt warns about each raise.
    if (QGuiApplication::platformName() != QLatin1String("offscreen")) window->raise();
    window->activateWindow();
}

void Windows::go_to_next(const MainWindow* from, int by) {
    const auto found = std::find(windows_.begin(), windows_.end(), from);
    if (found == windows_.end() || windows_.size() < 2) return;
    const auto count = static_cast<int>(windows_.size());
    const int at = (static_cast<int>(found - windows_.begin()) + by + count) % count;
    bring_up(windows_[static_cast<std::size_t>(at)]);
}

}  // namespace cubinlab::ui
