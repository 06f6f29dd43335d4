// SPDX-License-Identifier: GPL-3.0-or-later
// The settings, one page per topic. A change takes effect at once in every window.
#pragma once
#include <QDialog>

class QListWidget;
class QStackedWidget;

namespace cubinlab::ui {

struct WindowContext;

class SettingsDialog : public QDialog {
    Q_OBJECT

  public:
    explicit SettingsDialog(const WindowContext& window);
    void show_page(const QString& name);  // "look", "tools", "gpu", "agent", "files", "keys"

  private:
    void add_page(const QString& name, const QString& title, const QString& about, QWidget* page);

    QListWidget* names_;
    QStackedWidget* pages_;
};

}  // namespace cubinlab::ui
