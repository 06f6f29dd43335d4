// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+Shift+P: type a few letters of a command, Enter runs it. It is a child of the window, so no stray
// window remains; Esc or a click elsewhere closes it and returns the focus.
#pragma once
#include <QFrame>
#include <QPointer>
#include <functional>

#include "ui/shell/palette_model.h"

class QLabel;
class QLineEdit;
class QListView;

namespace cubinlab::ui {

class CommandPalette : public QFrame {
    Q_OBJECT

  public:
    // `entries` is called on opening and, with the typed text, on every change.
    using Source = std::function<std::vector<PaletteEntry>(const QString& typed)>;

    CommandPalette(Source entries, QWidget* window);
    void open(const QString& typed = {});
    void close_palette();
    const PaletteModel& model() const { return *model_; }
    QLineEdit* edit() const { return edit_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void typed(const QString& text);
    void run_current();
    const PaletteEntry* look_again(const QString& id);
    void place();
    void tell_current();

    Source source_;
    PaletteModel* model_;
    QLineEdit* edit_;
    QListView* list_;
    QLabel* detail_;
    QPointer<QWidget> focus_before_;
};

}  // namespace cubinlab::ui
