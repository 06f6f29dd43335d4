// SPDX-License-Identifier: GPL-3.0-or-later
// A source that this window compiled, edited and compiled again in place: the bar below its text. Nothing is written to
// the source's own file until Save; what the compiler says stands at its lines; a new cubin takes the place of the
// old one, and where that would drop hand edits it is asked first.
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

// Where the cubin of a source is put: a folder of the cache for each source, since many have one name.
QString folder_of_compiled(const QString& source);

class SourceEdit : public QWidget {
    Q_OBJECT

  public:
    SourceEdit(Document* document, JobRunner* jobs, SourceText* text, QWidget* parent = nullptr);

    void set_compiled(const QString& path, const QString& arch);
    // The source that this window made the cubin of, as a canonical path; empty: of none.
    QString source_of(const QString& cubin) const;
    // What the text pane shows now, as it is on disk; empty: nothing.
    void shown(const QString& path, const QString& text);
    // Unsaved text of a file.
    std::optional<QString> draft(const QString& path) const;

    bool editing() const;
    bool replacing() const { return replacing_; }  // a cubin compiled here is being opened: the text stays
    void replaced() { replacing_ = false; }
    bool changed() const;          // since the cubin that is open was compiled: its lines are not the text's
    bool unsaved() const;          // any file
    QString why_not_edit() const;  // each empty: it can be done
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
    QString path_, arch_;             // what was compiled
    QString disk_, built_;            // its text on disk; of the cubin that is open
    QHash<QString, QString> drafts_;  // unsaved, by path
    bool is_shown_ = false, loading_ = false, busy_ = false, replacing_ = false, overwrite_ = false;
};

}  // namespace cubinlab::ui
