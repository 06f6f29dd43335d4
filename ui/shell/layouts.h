// SPDX-License-Identifier: GPL-3.0-or-later
// Named dock layouts. A layout changes only when the user saves under its name. Built-in layouts:
//
//   Hand tuning       listings tall, graph of the block and the tree of hand edits in front
//   Watch agent       rewards and mutation log large, kernel facts at the right
//   Replay and audit  replay in front and tall, rewards next to it, control flow at the right
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>

class QMenu;

namespace cubinlab::ui {

class MainWindow;

QStringList built_in_layouts();  // ids: "hand", "agent", "audit"
QString title_of_layout(const QString& id);
void apply_built_in_layout(MainWindow& window, const QString& id);

class Layouts : public QObject {
    Q_OBJECT

  public:
    Layouts(MainWindow& window, QObject* parent);
    void fill_menu(QMenu* menu);
    bool apply(const QString& name);  // false: unknown name, or saved by an incompatible version
    void save(const QString& name);
    void remove(const QString& name);
    void ask_and_save();
    static QString clean_name(const QString& name);  // as a settings key; may be empty

  private:
    MainWindow& window_;
};

}  // namespace cubinlab::ui
