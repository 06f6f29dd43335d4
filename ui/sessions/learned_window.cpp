// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/learned_window.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "core/jobs/session_summary.h"
#include "ui/base/empty_note.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/path_field.h"
#include "ui/base/settings.h"
#include "ui/base/tab_order.h"
#include "ui/base/table.h"
#include "ui/base/text_size.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"

namespace cubinlab::ui {
namespace {

constexpr std::size_t kPlacesShown = 60;
constexpr int kLeast = 5;  // as `cubinlab learn` has it

}  // namespace

LearnedWindow::LearnedWindow(const WindowAccess& window)
    : QDialog(window.widget), window_(window), model_(new LearnedModel(this)) {
    setObjectName(QStringLiteral("learned_window"));
    setWindowTitle(tr("What sessions learned"));
    resize(for_text(*this, {980, 600}));
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(LearnedModel::kSortRole);
    sorted_->setFilterKeyColumn(LearnedModel::Name);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table_ = new_table(this, tr("Kinds of edits"), sorted_, 8);
    table_->setObjectName(QStringLiteral("learned_table"));
    table_->setSortingEnabled(true);
    table_->sortByColumn(LearnedModel::Interval, Qt::DescendingOrder);
    const int advance = table_->fontMetrics().averageCharWidth();
    const int widths[] = {0, 24, 22, 9, 10, 11, 11, 9};
    for (int c = LearnedModel::Effect; c < LearnedModel::kColumns; ++c)
        table_->setColumnWidth(c, widths[c] * advance);
    widen_to_heads(table_);
    stretch_column(table_, LearnedModel::Name);
    empty_ = new EmptyNote(table_);
    empty_->setObjectName(QStringLiteral("learned_empty"));
    empty_->setProperty("dim", true);
    (new QVBoxLayout(table_))->addWidget(empty_);
    filter_ = new QLineEdit(this);
    filter_->setObjectName(QStringLiteral("learned_filter"));
    filter_->setPlaceholderText(tr("Find an opcode or a kind of edit"));
    filter_->setAccessibleName(filter_->placeholderText());
    filter_->setClearButtonEnabled(true);
    auto* folder =
        new PathField(QStringLiteral("learned_folder"), tr("Folder of sessions"), Ask::Folder, this);
    folder->button()->setText(tr("Folder..."));
    folder_ = folder->line();
    folder_->setText(window_.settings->sessions_folder());
    least_ = new QSpinBox(this);
    least_->setRange(1, 1'000'000);
    least_->setValue(kLeast);
    least_->setKeyboardTracking(false);
    least_->setPrefix(tr("tried at least "));
    least_->setAccessibleName(tr("Tried at least so often"));
    again_ = new QPushButton(tr("Read again"), this);
    again_->setAutoDefault(false);
    places_ = new QLabel(this);
    places_->setObjectName(QStringLiteral("learned_places"));
    places_->setTextFormat(Qt::RichText);
    places_->setWordWrap(true);
    places_->setAccessibleName(tr("Lines of the kernel at hand"));
    places_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("learned_note"));
    note_->setWordWrap(true);
    note_->setProperty("dim", true);
    auto* top = new QHBoxLayout;
    top->addWidget(filter_, 2);
    top->addWidget(least_);
    top->addWidget(folder, 3);
    top->addWidget(again_);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addWidget(table_, 1);
    layout->addWidget(places_);
    layout->addWidget(note_);
    tab_as_laid_out(*this);
    connect(filter_, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
    connect(folder, &PathField::chosen, this, &LearnedWindow::look);
    connect(again_, &QPushButton::clicked, this, &LearnedWindow::look);
    connect(least_, &QSpinBox::valueChanged, this, &LearnedWindow::find_places);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &LearnedWindow::take_row);
    connect(places_, &QLabel::linkActivated, this,
            [this](const QString& id) { window_.selection->select(id.toUInt()); });
    // What is at hand changed: the places with it.
    connect(window_.document, &Document::pair_changed, this, &LearnedWindow::find_places);
    connect(window_.document, &Document::closed, this, &LearnedWindow::find_places);
    connect(&Theme::instance(), &Theme::changed, this, &LearnedWindow::show_places);
    show_patterns({});
}

void LearnedWindow::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    look();
}

Result<LearnedWindow::Read> LearnedWindow::read_folder(const std::string& folder,
                                                       const std::stop_token& stop) {
    auto sessions = TRY(list_sessions(folder, stop));
    Read out;
    for (const SessionSummary& session : sessions) {
        if (stop.stop_requested()) break;
        if (session.steps == 0) continue;
        ++out.sessions;
        if (auto added = out.tried.add_session(session.path, stop); !added)
            out.unread.push_back(added.error().message());
    }
    return out;
}

void LearnedWindow::look() {
    note_->setText(tr("Reading the sessions ..."));
    window_.jobs->run<Result<Read>>(
        QStringLiteral("learned"),
        [folder = folder_->text().trimmed().toStdString()](std::stop_token stop) {
            return read_folder(folder, stop);
        },
        [self = QPointer<LearnedWindow>(this)](Result<Read> read) {
            if (self) self->show_read(std::move(read));
        },
        JobRunner::Life::Window);
}

void LearnedWindow::show_read(Result<Read> read) {
    if (!read && !QFileInfo::exists(folder_->text())) read = Read{};  // nothing was kept there yet
    read_ = read ? std::make_shared<const Read>(std::move(*read)) : nullptr;
    if (!read_) {
        note_->setText(QString::fromStdString(read.error().message()));
    } else {
        QString text = tr("%n session(s), ", nullptr, static_cast<int>(read_->sessions)) +
                       tr("%n run(s): ", nullptr, static_cast<int>(read_->tried.runs())) +
                       tr("%1 steps that changed one thing, %2 others left out.")
                           .arg(grouped(static_cast<qint64>(read_->tried.steps())),
                                grouped(static_cast<qint64>(read_->tried.left_out())));
        if (read_->tried.taken().unchecked > 0)
            text += QLatin1Char(' ') + tr("%1 measured figures could not be checked.")
                                           .arg(grouped(static_cast<qint64>(read_->tried.taken().unchecked)));
        if (read_->tried.taken().again > 0)
            text += QLatin1Char(' ') + tr("%n run(s) came again in a copy and count once.", nullptr,
                                          static_cast<int>(read_->tried.taken().again));
        if (!read_->unread.empty())
            text += QLatin1Char(' ') +
                    tr("%n could not be read: %1", nullptr, static_cast<int>(read_->unread.size()))
                        .arg(QString::fromStdString(read_->unread.front()));
        note_->setText(text);
    }
    find_places();
}

void LearnedWindow::find_places() {
    if (!isVisible()) return;
    const SchedulePtr schedule = window_.document->is_open() ? window_.document->right() : nullptr;
    window_.jobs->run<std::vector<LearnedPattern>>(
        QStringLiteral("learned-places"),
        [read = read_, schedule, least = static_cast<std::uint64_t>(least_->value())](std::stop_token stop) {
            std::vector<LearnedPattern> out;
            if (!read) return out;
            for (TriedPattern& tried : read->tried.patterns(least)) {
                if (stop.stop_requested()) break;
                std::vector<InstrId> places =
                    schedule ? places_of(*schedule, tried.key) : std::vector<InstrId>();
                out.push_back({std::move(tried), std::move(places)});
            }
            return out;
        },
        [self = QPointer<LearnedWindow>(this)](std::vector<LearnedPattern> patterns) {
            if (self) self->show_patterns(std::move(patterns));
        },
        JobRunner::Life::Window);
}

void LearnedWindow::show_patterns(std::vector<LearnedPattern> patterns) {
    const bool none = patterns.empty();
    const PatternKey before = chosen_;
    model_->set_rows(std::move(patterns));
    const auto same = std::find_if(model_->rows().begin(), model_->rows().end(),
                                   [&](const LearnedPattern& p) { return p.tried.key == before; });
    if (same != model_->rows().end()) {
        const auto row = static_cast<int>(same - model_->rows().begin());
        table_->selectRow(sorted_->mapFromSource(model_->index(row, 0)).row());
    } else if (!none) {
        table_->selectRow(0);
    }
    empty_->setVisible(none && read_);  // while it reads, that is said beside the folder
    empty_->setText(
        !read_ || read_->tried.steps() == 0
            ? tr("There is nothing to learn from yet: no session of this folder has a step that changed one "
                 "thing. Run an agent, or choose another folder.")
            : tr("No kind of edit was tried so often."));
    show_places();
    Q_EMIT looked();
}

const LearnedPattern* LearnedWindow::chosen() const {
    return model_->row(sorted_->mapToSource(table_->currentIndex()).row());
}

void LearnedWindow::take_row() {
    if (const LearnedPattern* pattern = chosen()) chosen_ = pattern->tried.key;
    show_places();
}

void LearnedWindow::show_places() {
    const LearnedPattern* pattern = chosen();
    places_->setVisible(pattern != nullptr);
    if (pattern == nullptr) return;
    places_->clear();  // the same links again would keep the colour of another theme
    const SchedulePtr schedule = window_.document->is_open() ? window_.document->right() : nullptr;
    if (!schedule) {
        places_->setText(tr("Open a kernel to see where in it this could be tried."));
        return;
    }
    if (pattern->places.empty()) {
        places_->setText(tr("Nowhere in this kernel."));
        return;
    }
    QStringList links;
    for (std::size_t i = 0; i < std::min(pattern->places.size(), kPlacesShown); ++i) {
        const InstrId id = pattern->places[i];
        links << QStringLiteral("<a href=\"%1\">0x%2</a>")
                     .arg(id)
                     .arg(16 * schedule->position_of(id), 4, 16, QLatin1Char('0'));
    }
    if (pattern->places.size() > kPlacesShown)
        links << tr("and %1 more").arg(pattern->places.size() - kPlacesShown);
    places_->setText(tr("Could be tried at: %1").arg(links.join(QStringLiteral(", "))));
}

}  // namespace cubinlab::ui
