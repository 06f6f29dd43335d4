// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/edits_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

QString gain_cell(const std::optional<Speedup>& gain, bool modelled) {
    if (!gain) return QStringLiteral("\u2013");
    return modelled ? percent_text(gain->log) : percent_interval_text(*gain);
}

double sort_key(const std::optional<Speedup>& gain) {
    return gain ? gain->log : -std::numeric_limits<double>::infinity();
}

}  // namespace

EditsModel::EditsModel(QObject* parent) : RowsModel(parent) {
    name_columns(true);
}

void EditsModel::name_columns(bool modelled) {
    using Row = const EditRow&;
    set_fields({{QStringLiteral("#"), tr("Rank by own effect, as far as the first edits are legal together"),
                 Qt::AlignRight, [](Row row) { return row.rank; }},
                {tr("Edit"), tr("Edits that only make sense together are one row"), Qt::AlignLeft,
                 [](Row row) { return row.what; }},
                {modelled ? tr("Own effect (model)") : tr("Own effect"),
                 tr("Loss of the minimal schedule without this edit"), Qt::AlignRight,
                 [modelled](Row row) { return gain_cell(row.own, modelled); },
                 [](Row row) { return sort_key(row.own); }},
                {modelled ? tr("Together (model)") : tr("Together"),
                 tr("Gain over the original of this edit and all above it"), Qt::AlignRight,
                 [modelled](Row row) { return gain_cell(row.together, modelled); },
                 [](Row row) { return sort_key(row.together); }}});
}

void EditsModel::set_ranking(const EditRanking& ranking, bool modelled) {
    name_columns(modelled);
    std::vector<EditRow> rows;
    for (const EditGroup& group : ranking.groups) {
        const Mutation edits = ranking.edits_of(group);
        rows.push_back({static_cast<int>(rows.size()) + 1, edits.instr(),
                        QString::fromStdString(edits.text(*ranking.kernel)), group.own, group.together});
    }
    set_rows(std::move(rows));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

QVariant EditsModel::look(const EditRow& row, int column, int role) const {
    if (role == Qt::FontRole && column == What) return Theme::instance().mono_font();
    if (role != Qt::ToolTipRole) return {};
    if (column == Own && !row.own) return tr("The other edits are not legal without this one");
    if (column == Together && !row.together) return tr("The edits up to here are not legal on their own");
    return column == What ? QVariant(row.what) : QVariant();
}

EditsPage::EditsPage(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Essential edits"));
    model_ = new EditsModel(this);
    table_ = new_table(nullptr, tr("Essential edits, the most important first"), model_, 7);
    table_->setObjectName(QStringLiteral("essential_edits"));
    table_->setAlternatingRowColors(true);
    table_->setFrameShape(QFrame::NoFrame);
    stretch_column(table_, EditsModel::What);
    setFocusProxy(table_);
    message_ = new EmptyNote(table_);
    message_->setProperty("dim", true);
    (new QVBoxLayout(table_))->addWidget(message_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(table_, 1);
    column->addWidget(row_ = build_row());
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& at) {
                const EditRow* row = model_->row(at.row());
                if (row == nullptr) return;
                first_->setValue(row->rank);
                if (row->instr != kNone) Q_EMIT edit_chosen(row->instr);
            });
    set_message({});
}

QWidget* EditsPage::build_row() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 6);
    row->setSpacing(6);
    first_ = new QSpinBox;
    first_->setObjectName(QStringLiteral("first_edits"));
    first_->setPrefix(tr("first "));
    first_->setAccessibleName(tr("Number of edits"));
    gain_ = new FittingLabel;
    gain_->setAccessibleName(tr("Gain of these edits"));
    gain_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    show_ = text_button(tr("Show"), tr("Show the original with these edits on the right"));
    show_->setObjectName(QStringLiteral("show_first_edits"));
    export_ = text_button(tr("Export..."), tr("Write the original with these edits as a cubin"));
    export_->setObjectName(QStringLiteral("export_first_edits"));
    row->addWidget(first_);
    row->addWidget(gain_, 1);
    row->addWidget(show_);
    row->addWidget(export_);
    connect(first_, &QSpinBox::valueChanged, this, &EditsPage::show_first);
    connect(show_, &QToolButton::clicked, this, [this] { Q_EMIT first_asked(first_->value(), false); });
    connect(export_, &QToolButton::clicked, this, [this] { Q_EMIT first_asked(first_->value(), true); });
    return bar;
}

// Of the gain of all of them.
int EditsPage::smallest_with(double share) const {
    const std::vector<EditGroup>& groups = ranking_->groups;
    double most = 0;
    for (const EditGroup& group : groups)
        if (group.together) most = std::max(most, group.together->log);
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i].together && groups[i].together->log >= share * most) return static_cast<int>(i) + 1;
    return static_cast<int>(groups.size());
}

void EditsPage::set_ranking(EditRanking ranking, bool modelled) {
    constexpr double kMostOfTheGain = 0.9;
    ranking_ = std::move(ranking);
    modelled_ = modelled;
    message_->hide();
    model_->set_ranking(*ranking_, modelled);
    table_->resizeColumnToContents(EditsModel::Rank);
    fit_to_contents(table_, {EditsModel::Own, EditsModel::Together});
    first_->setRange(1, std::max(1, model_->rowCount()));
    first_->setSuffix(tr(" of %1 edits").arg(grouped(model_->rowCount())));
    first_->setValue(smallest_with(kMostOfTheGain));
    row_->setVisible(model_->rowCount() > 0);
    show_first();
}

void EditsPage::set_message(const QString& message) {
    ranking_.reset();
    model_->set_ranking({}, true);
    message_->setText(message);
    message_->show();
    row_->hide();
}

void EditsPage::show_first() {
    if (!ranking_) return;
    const auto n = static_cast<std::size_t>(first_->value());
    const EditGroup& last = ranking_->groups[std::min(n, ranking_->groups.size()) - 1];
    if (!last.together)
        gain_->set_texts({tr("not legal on their own"), tr("not legal")});
    else if (const QString gain = percent_text(last.together->log);
             modelled_)  // the column's head names the model, too
        gain_->set_texts({tr("%1 (model)").arg(gain), gain});
    else
        gain_->set_texts({percent_interval_text(*last.together), gain});
    show_->setEnabled(last.together.has_value());
    export_->setEnabled(last.together.has_value());
}

}  // namespace cubinlab::ui
