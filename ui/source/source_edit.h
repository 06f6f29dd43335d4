// SPDX-License-Identifier: GPL-3.0-or-later
// The bar below a source text that this window compiled: edit, compile, save. The source file is written by
// Save only. Compiler messages are shown at their lines. The new cubin replaces the old one; the user is
// asked first if that drops hand edits.
//
//   edit->set_compiled("k.cu", "sm_90a");       // before its cubin is opened
//   edit->shown("k.cu", text);                  // the text pane shows it
#pragma once
#include <QHash>
#include <QString>
#include <QWidget>
#include <optional>

class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace cubinlab::ui {

class Document;
class JobRunner;
class SourceText;

// Path of the cubin of a source: one cache folder per source, because names are not unique.
QString folder_of_compiled(const QString& source);

class SourceEdit : public QWidget {
    Q_OBJECT

  public:
    SourceEdit(Document* document, JobRunner* jobs, SourceText* text, QWidget* parent = nullptr);

    void set_compiled(const QString& path, const QString& arch);
    // Canonical path of the source that this window compiled to the open cubin; empty: none.
    QString source_of(const QString& cubin) const;
    // The text on disk of the shown source; empty: none.
    void shown(const QString& path, const QString& text);
    // Unsaved text of a file.
    std::optional<QString> draft(const QString& path) const;

    bool editing() const;
    bool replacing() const { return replacing_; }  // a cubin compiled here is being opened: keep the text
    void replaced() { replacing_ = false; }
    bool changed() const;          // the text differs from the compiled one: line numbers do not match
    bool unsaved() const;          // any file
    QString why_not_edit() const;  // empty: possible; likewise below
    QString why_not_compile() const;
    QString why_not_save() const;
    void set_editing(bool on);
    void compile();
    void save();

    QLineEdit* flags() const { return flags_; }
    QListWidget* messages() const { return messages_; }

  Q_SIGNALS:
    void state_changed();
    void told(const QString& text);  // one line
    // The cubin that was compiled is to take the place of the open one.
    void open_asked(const QString& cubin, const QString& kernel);

  private:
    void build();
    void text_edited();
    void update_state();
    void start();
    void say(const QString& words);
    void go_to(const QListWidgetItem* item);

    Document* document_;
    JobRunner* jobs_;
    SourceText* text_;
    QToolButton *edit_ = nullptr, *compile_ = nullptr, *save_ = nullptr;
    QLineEdit* flags_ = nullptr;
    QListWidget* messages_ = nullptr;
    QString path_, arch_;             // of the compiled source
    QString disk_, built_;            // its text on disk; its compiled text
    QHash<QString, QString> drafts_;  // unsaved, by path
    bool is_shown_ = false, loading_ = false, busy_ = false, replacing_ = false, overwrite_ = false;
};

}  // namespace cubinlab::ui
