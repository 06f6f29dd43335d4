// SPDX-License-Identifier: GPL-3.0-or-later
// The source of the selected instruction: line and instruction select each other. A source that this window
// compiled can be edited and recompiled (ui/source/source_edit.h). Files are read from the compiler's path;
// the user can locate a missing file. Both run on a job thread.
//
//   auto* view = new SourceView(&document, &selection, &jobs);
//   add_source_commands(commands, view, dock, why_not);
#pragma once
#include <QHash>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/base/ids.h"
#include "core/schedule/kernel.h"

class QComboBox;
class QDockWidget;
class QToolButton;

namespace cubinlab::ui {

class Commands;
class Document;
class EmptyNote;
class FittingLabel;
class JobRunner;
class Selection;
class SourceEdit;
class SourceText;

// Maps instructions to source lines and back, by the cubin's line table. After a move, the line stays with
// the instruction, not with the position.
struct SourceMap {
    struct Place {
        int file = -1;  // index in `files`; -1: unknown
        int line = 0;   // from 1
    };
    KernelPtr kernel;
    QStringList files;          // as the compiler named them, most instructions first
    std::vector<Place> places;  // by InstrId
    std::vector<std::map<int, std::vector<InstrId>>> by_line;  // by file

    // Empty: the line has no instructions.
    const std::vector<InstrId>& of(int file, int line) const;
};
using SourceMapPtr = std::shared_ptr<const SourceMap>;

// Null: the kernel has no line table. Call it in a job.
SourceMapPtr make_source_map(const KernelPtr& kernel);

class SourceView : public QWidget {
    Q_OBJECT

  public:
    SourceView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent = nullptr);

    SourceText* text() const { return text_; }
    SourceEdit* edit() const { return edit_; }
    QComboBox* files() const { return files_; }
    QString told() const;
    const SourceMapPtr& map() const { return map_; }
    // Replaces the shown file; kept for the lifetime of the window.
    void take_file(const QString& path);

    QSize sizeHint() const override { return {520, 320}; }

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void build();
    void clear(const QString& why);
    void load_map();
    SourceMapPtr with_compiled(SourceMapPtr map) const;
    QString found(const QString& named) const;
    void load_file(int file);
    void show_file(int file, const QString& path, const QString& text, const QString& problem);
    void follow(InstrId instr);
    void choose(int line);
    void select_line_again();
    void ask_for_file();

    Document* document_;
    Selection* selection_;
    JobRunner* jobs_;
    QComboBox* files_ = nullptr;
    QToolButton* choose_ = nullptr;
    FittingLabel* told_ = nullptr;
    EmptyNote* note_ = nullptr;  // why no source is shown
    SourceText* text_ = nullptr;
    SourceEdit* edit_ = nullptr;
    SourceMapPtr map_;
    QHash<QString, QString> instead_;  // replacements of missing files
    int file_ = -1;                    // shown
    bool wanted_ = false, choosing_ = false;
};

// View > Go to the source: brings the dock to the front and focuses it.
void add_source_commands(Commands& commands, SourceView* view, QDockWidget* dock,
                         const std::function<QString()>& why_not);

}  // namespace cubinlab::ui
