// SPDX-License-Identifier: GPL-3.0-or-later
// Help: the pages of resources/docs, and About with the licences.
#pragma once
#include <QDialog>
#include <functional>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace cubinlab::ui {

class Commands;
class EmptyNote;

QString docs_folder();  // CUBINLAB_DOCS, the installed share folder, the source tree

class HelpWindow : public QDialog {
    Q_OBJECT

  public:
    HelpWindow(const Commands& commands, QWidget* parent = nullptr);
    void show_page(const QString& name);  // "window", "command-line"; "" = shortcuts

    QLineEdit* search() const { return search_; }
    int pages_shown() const;

  private:
    // The list keeps pages that contain every word; shows the first match of the first word.
    void find(const QString& words);
    void show_first_place();
    QLineEdit* search_;
    QListWidget* pages_;
    QTextBrowser* text_;
    EmptyNote* none_ = nullptr;
    const Commands& commands_;  // shortcuts can change while the window is open
};

void show_about(QWidget* parent, std::function<void()> show_licences);

}  // namespace cubinlab::ui
