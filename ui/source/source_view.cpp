// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/source_view.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/file.h"
#include "ui/base/commands.h"
#include "ui/base/file_dialog.h"
#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/source/source_edit.h"
#include "ui/source/source_text.h"

namespace cubinlab::ui {
namespace {

constexpr std::size_t kMostBytes = 8u << 20;

struct ReadFile {
    QString text, problem;
};

}  // namespace

const std::vector<InstrId>& SourceMap::of(int file, int line) const {
    static const std::vector<InstrId> none;
    if (file < 0 || static_cast<std::size_t>(file) >= by_line.size()) return none;
    const auto& lines = by_line[static_cast<std::size_t>(file)];
    const auto found = lines.find(line);
    return found == lines.end() ? none : found->second;
}

SourceMapPtr make_source_map(const KernelPtr& kernel) {
    const std::vector<SourceLine> lines = kernel->cubin().source_lines(kernel->info());
    if (lines.empty()) return nullptr;
    std::map<std::string, std::vector<std::pair<InstrId, int>>> by_file;
    std::size_t at = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        while (at + 1 < lines.size() && lines[at + 1].offset <= id * kWordBytes)
            ++at;
        if (lines[at].offset <= id * kWordBytes && lines[at].line > 0)
            by_file[lines[at].file].emplace_back(id, static_cast<int>(lines[at].line));
    }
    std::vector<const decltype(by_file)::value_type*> order;
    for (const auto& entry : by_file)
        order.push_back(&entry);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->second.size() > b->second.size(); });
    auto out = std::make_shared<SourceMap>();
    out->kernel = kernel;
    out->places.resize(kernel->size());
    for (const auto* entry : order) {
        const int file = static_cast<int>(out->files.size());
        out->files << QString::fromStdString(entry->first);
        out->by_line.emplace_back();
        for (const auto& [id, line] : entry->second) {
            out->places[id] = {file, line};
            out->by_line.back()[line].push_back(id);
        }
    }
    return out;
}

SourceView::SourceView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection), jobs_(jobs) {
    build();
    connect(document, &Document::opened, this, [this] {
        wanted_ = true;
        if (isVisible()) load_map();
    });
    connect(document, &Document::leaving, this,
            [this] { clear(tr("Open a cubin that was compiled with -lineinfo to see its source.")); });
    connect(selection, &Selection::changed, this, &SourceView::follow);
    connect(text_, &SourceText::line_chosen, this, &SourceView::choose);
    clear(tr("Open a cubin that was compiled with -lineinfo to see its source."));
    wanted_ = document->is_open();
}

void SourceView::build() {
    setAccessibleName(tr("Source"));
    files_ = new QComboBox;
    files_->setAccessibleName(tr("Source files of this kernel"));
    files_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    files_->setMinimumContentsLength(16);
    connect(files_, &QComboBox::activated, this, &SourceView::load_file);
    choose_ = text_button(tr("Find file..."), tr("Choose the file on this machine"));
    connect(choose_, &QToolButton::clicked, this, &SourceView::ask_for_file);
    told_ = new FittingLabel;
    told_->setAccessibleName(tr("Status of the source"));
    told_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 3, 6, 3);
    row->setSpacing(6);
    row->addWidget(files_);
    row->addWidget(told_, 1);
    row->addWidget(choose_);
    text_ = new SourceText;
    note_ = new EmptyNote(text_->viewport());
    note_->setObjectName(QStringLiteral("source_note"));
    note_->setProperty("dim", true);
    (new QVBoxLayout(text_->viewport()))->addWidget(note_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(text_, 1);
    edit_ = new SourceEdit(document_, jobs_, text_);
    column->addWidget(edit_);
    connect(edit_, &SourceEdit::told, this, [this](const QString& text) {
        told_->set_text(text);
        told_->setToolTip(text);
    });
    setFocusProxy(text_);
}

void SourceView::clear(const QString& why) {
    map_ = nullptr;
    file_ = -1;
    wanted_ = false;
    files_->clear();
    files_->hide();
    choose_->hide();
    if (edit_->replacing()) return text_->show_file(text_->toPlainText(), {});  // its new cubin is on its way
    edit_->shown({}, {});
    text_->show_file({}, {});
    told_->set_text({});
    note_->setText(why);
    note_->show();
}

QString SourceView::told() const {
    return note_->isHidden() ? told_->text() : note_->text();
}

void SourceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (wanted_) load_map();
}

void SourceView::load_map() {
    if (!document_->is_open()) return;
    wanted_ = false;
    jobs_->run<SourceMapPtr>(
        QStringLiteral("source-map"),
        [kernel = document_->kernel()](std::stop_token) { return make_source_map(kernel); },
        [this](SourceMapPtr lines) {
            const SourceMapPtr map = with_compiled(lines);
            if (!map) edit_->replaced();
            if (!map) return clear(tr("This kernel has no line table: compile it with nvcc -lineinfo."));
            if (map->kernel != document_->kernel()) return;
            map_ = map;
            files_->clear();
            for (const QString& file : map_->files)
                files_->addItem(QFileInfo(file).fileName(), file);
            files_->setVisible(map_->files.size() > 1);
            const InstrId selected = selection_->instr();
            const int file = selected < map_->places.size() ? map_->places[selected].file : -1;
            const bool beside = lines != nullptr && map != lines;  // what was opened has no line of its own
            load_file(file >= 0 ? file : beside ? static_cast<int>(map_->files.size()) - 1 : 0);
        });
}

// What this window compiled is here, to be read and edited, also where no line of it is in the line table: PTX has
// the lines of what it was made from, or none.
SourceMapPtr SourceView::with_compiled(SourceMapPtr map) const {
    const KernelPtr& kernel = document_->kernel();
    const QString source = edit_->source_of(QString::fromStdString(document_->path().string()));
    if (source.isEmpty() || !kernel || (map && map->kernel != kernel)) return map;
    for (const QString& file : map ? map->files : QStringList())
        if (QFileInfo(instead_.value(file, found(file))).canonicalFilePath() == source) return map;
    auto out = map ? std::make_shared<SourceMap>(*map) : std::make_shared<SourceMap>();
    out->kernel = kernel;
    out->places.resize(kernel->size());
    out->files << source;
    out->by_line.emplace_back();
    return out;
}

// The compiler's path; if there is no file, next to the cubin.
QString SourceView::found(const QString& named) const {
    const QFileInfo as_named(named);
    if (as_named.isAbsolute() && as_named.exists()) return named;
    const QFileInfo cubin(QString::fromStdString(document_->path().string()));
    const QString beside = cubin.absolutePath() + QLatin1Char('/') + as_named.fileName();
    return QFileInfo::exists(beside) ? beside : named;
}

void SourceView::load_file(int file) {
    if (!map_ || file < 0 || file >= map_->files.size()) return;
    file_ = file;
    note_->hide();
    files_->setCurrentIndex(file);
    const QString named = map_->files[file];
    const QString path = instead_.value(named, found(named));
    jobs_->run<ReadFile>(
        QStringLiteral("source-file"),
        [path](std::stop_token) -> ReadFile {
            auto text = read_text(path.toStdString(), kMostBytes);
            if (!text) return {{}, QString::fromStdString(text.error().message())};
            return {QString::fromStdString(*text), {}};
        },
        [this, file, path](ReadFile read) { show_file(file, path, read.text, read.problem); });
}

void SourceView::show_file(int file, const QString& path, const QString& text, const QString& problem) {
    if (!map_ || file != file_) return;
    std::map<int, int> instructions;
    for (const auto& [line, ids] : map_->by_line[static_cast<std::size_t>(file)])
        instructions[line] = static_cast<int>(ids.size());
    const bool again = edit_->replacing();
    if (problem.isEmpty()) edit_->shown(path, text);
    const std::optional<QString> draft = edit_->draft(path);
    text_->show_file(draft.value_or(text), problem.isEmpty() ? instructions : std::map<int, int>{});
    if (again) {
        edit_->replaced();
        return select_line_again();
    }
    choose_->setVisible(!problem.isEmpty());
    told_->set_text(!problem.isEmpty()     ? tr("Not found: %1").arg(path)
                    : instructions.empty() ? tr("No instruction refers to %1").arg(path)
                                           : path);
    told_->setToolTip(problem.isEmpty() ? path : problem);
    follow(selection_->instr());
}

// After a compilation: an instruction of the cursor's line, else of the next line with instructions.
void SourceView::select_line_again() {
    const int line = text_->textCursor().blockNumber() + 1;
    const auto& lines = map_->by_line[static_cast<std::size_t>(file_)];
    const auto found = lines.lower_bound(line);
    choosing_ = true;
    if (found != lines.end() && !found->second.empty()) selection_->select(found->second.front());
    choosing_ = false;
}

void SourceView::follow(InstrId instr) {
    if (!map_ || choosing_ || edit_->replacing() || edit_->changed() || instr >= map_->places.size()) return;
    const SourceMap::Place place = map_->places[instr];
    if (place.file >= 0 && place.file != file_) return load_file(place.file);
    text_->choose_line(place.file == file_ ? place.line : 0);
}

// Selects the line's first instruction and marks all of them as a range.
void SourceView::choose(int line) {
    if (!map_) return;
    if (edit_->changed())
        return told_->set_text(tr("The text has changed. Compile it to update the line mapping."));
    text_->choose_line(line);
    const std::vector<InstrId>& ids = map_->of(file_, line);
    if (ids.empty()) return;
    choosing_ = true;
    selection_->select(ids.front());
    selection_->set_range(ids.size() > 1 ? ids : std::vector<InstrId>{});
    choosing_ = false;
}

void SourceView::take_file(const QString& path) {
    if (!map_ || file_ < 0 || path.isEmpty()) return;
    instead_[map_->files[file_]] = path;
    load_file(file_);
}

void SourceView::ask_for_file() {
    if (!map_ || file_ < 0) return;
    const QString name = QFileInfo(map_->files[file_]).fileName();
    ui::ask_for_file(
        this, {.title = tr("Where is %1?").arg(name), .filters = tr("%1 (%1);;All files (*)").arg(name)},
        [this, map = map_, file = file_](const QString& path) {
            if (map == map_ && file == file_) take_file(path);  // else another kernel, another file
        });
}

namespace {

void add_edit_commands(Commands& commands, SourceView* view) {
    SourceEdit* edit = view->edit();
    const QStringList places{QStringLiteral("edit/source")};
    commands.add(
        "source.edit", QObject::tr("Edit the so&urce"), "", QKeySequence(QStringLiteral("Alt+Shift+O")),
        QObject::tr("Toggle editing of the source that this window compiled"), places,
        [edit] { return edit->why_not_edit(); }, [edit] { edit->set_editing(!edit->editing()); });
    commands.add(
        "source.compile", QObject::tr("Compile t&he source"), "",
        QKeySequence(QStringLiteral("Ctrl+Shift+B")),
        QObject::tr("Compile the text and open the new cubin in place of the old one"), places,
        [edit] { return edit->why_not_compile(); }, [edit] { edit->compile(); });
    commands.add(
        "source.save", QObject::tr("Save the source te&xt"), "", QKeySequence(QStringLiteral("Ctrl+Alt+S")),
        QObject::tr("Write the text of the source to its file"), places,
        [edit] { return edit->why_not_save(); }, [edit] { edit->save(); });
    QObject::connect(edit, &SourceEdit::state_changed, &commands, &Commands::update);
}

}  // namespace

void add_source_commands(Commands& commands, SourceView* view, QDockWidget* dock,
                         const DisabledReason& why_not) {
    commands.add(
        "view.source_pane", QObject::tr("Go to the s&ource"), "", QKeySequence(QStringLiteral("Alt+O")),
        QObject::tr("Show the source line of the selected instruction, if the cubin has a line table"),
        {QStringLiteral("view/listing")}, why_not, [view, dock] {
            dock->show();
            dock->raise();
            view->text()->setFocus();
        });
    add_edit_commands(commands, view);
}

}  // namespace cubinlab::ui
