// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/shortcut_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/commands.h"
#include "ui/base/table.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

QString native(const QKeySequence& key) {
    return key.toString(QKeySequence::NativeText);
}

}  // namespace

ShortcutModel::ShortcutModel(const Commands& commands, QObject* parent)
    : QAbstractTableModel(parent), commands_(commands) {
    filter();
    connect(&ShortcutBook::instance(), &ShortcutBook::changed, this, [this] {
        if (!rows_.empty())
            Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1, ColumnCount - 1));
    });
}

void ShortcutModel::set_filter(const QString& text) {
    beginResetModel();
    filter_ = text.trimmed();
    filter();
    endResetModel();
}

void ShortcutModel::filter() {
    rows_.clear();
    for (QAction* action : commands_.all()) {
        const QString text = Commands::plain_text(action) + QLatin1Char(' ') + action->objectName() +
                             QLatin1Char(' ') + native(action->shortcut());
        if (filter_.isEmpty() || text.contains(filter_, Qt::CaseInsensitive)) rows_.push_back(action);
    }
}

QAction* ShortcutModel::action(int row) const {
    return row < 0 || row >= static_cast<int>(rows_.size()) ? nullptr : rows_[static_cast<std::size_t>(row)];
}

int ShortcutModel::row_of(const QString& id) const {
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const QAction* a) { return a->objectName() == id; });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int ShortcutModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ShortcutModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString ShortcutModel::clash(const QAction* action) const {
    QStringList names;
    for (const QAction* other : commands_.using_key(action->shortcut(), action))
        names << Commands::plain_text(other);
    return names.isEmpty() ? QString() : tr("also: %1").arg(names.join(QStringLiteral(", ")));
}

bool ShortcutModel::any_clash() const {
    return std::any_of(rows_.begin(), rows_.end(), [this](const QAction* a) { return !clash(a).isEmpty(); });
}

QVariant ShortcutModel::data(const QModelIndex& index, int role) const {
    const QAction* a = index.isValid() ? action(index.row()) : nullptr;
    if (a == nullptr) return {};
    const bool changed = ShortcutBook::instance().changed_by_user(a->objectName());
    if (role == Qt::ToolTipRole) return QStringLiteral("%1\n%2").arg(a->statusTip(), a->objectName());
    if (role == Qt::FontRole && changed && index.column() == KeyColumn) {
        QFont font = Theme::instance().ui_font();
        font.setWeight(QFont::DemiBold);
        return font;
    }
    if (role == Qt::ForegroundRole) {
        const ThemeColors& c = Theme::instance().colors();
        if (index.column() == ClashColumn) return c.bad;
        if (index.column() == DefaultColumn) return c.text_dim;
        return {};
    }
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case CommandColumn:
            return Commands::plain_text(a);
        case KeyColumn:
            return native(a->shortcut()) + (changed ? tr("  (changed)") : QString());
        case DefaultColumn:
            return native(Commands::default_key(a));
        case ClashColumn:
            return clash(a);
        default:
            return {};
    }
}

QVariant ShortcutModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return QStringList{tr("Command"), tr("Key"), tr("Default"), tr("Conflict")}.value(section);
}

ShortcutPage::ShortcutPage(const Commands& commands, QWidget* parent)
    : QWidget(parent), commands_(commands), model_(new ShortcutModel(commands, this)) {
    filter_ = new QLineEdit(this);
    filter_->setPlaceholderText(tr("Search commands or shortcuts"));
    filter_->setAccessibleName(tr("Search commands or shortcuts"));
    filter_->setClearButtonEnabled(true);
    table_ = new_table(this, tr("Commands and their shortcuts"), model_, 10);
    table_->horizontalHeader()->setAccessibleName(tr("Columns of the commands"));
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    set_column_widths(table_, {250, 130, 110, 160});
    stretch_column(table_, ShortcutModel::CommandColumn, {ShortcutModel::ClashColumn});
    // A mostly empty column would take room from the commands.
    const auto conflicts = [this] {
        table_->setColumnHidden(ShortcutModel::ClashColumn, !model_->any_clash());
    };
    connect(model_, &ShortcutModel::dataChanged, this, conflicts);
    connect(model_, &ShortcutModel::modelReset, this, conflicts);
    conflicts();

    edit_ = new QKeySequenceEdit(this);
    edit_->setAccessibleName(tr("New shortcut of the selected command"));
    for (QLineEdit* line : edit_->findChildren<QLineEdit*>())
        line->setAccessibleName(edit_->accessibleName());
    clear_ = new QPushButton(tr("No shortcut"), this);
    reset_ = new QPushButton(tr("Default"), this);
    auto* reset_all = new QPushButton(tr("Reset all shortcuts"), this);
    take_ = new QPushButton(tr("Reassign"), this);
    take_->hide();
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    note_->setAccessibleName(tr("Result of the change"));

    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("New shortcut:"), this));
    row->addWidget(edit_, 1);
    row->addWidget(clear_);
    row->addWidget(reset_);
    row->addSpacing(16);
    row->addWidget(reset_all);
    auto* told = new QHBoxLayout;
    told->addWidget(note_, 1);
    told->addWidget(take_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(filter_);
    layout->addWidget(table_, 1);
    layout->addLayout(row);
    layout->addLayout(told);

    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->set_filter(text);
        if (model_->rowCount() > 0) table_->selectRow(0);
        selection_changed();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ShortcutPage::selection_changed);
    connect(edit_, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutPage::key_typed);
    connect(clear_, &QPushButton::clicked, this, [this] { set_key({}); });
    connect(reset_, &QPushButton::clicked, this, [this] {
        if (const QAction* action = model_->action(table_->currentIndex().row())) {
            ShortcutBook::instance().reset(action->objectName());
            selection_changed();
        }
    });
    connect(reset_all, &QPushButton::clicked, this, [this] {
        ShortcutBook::instance().reset_all();
        selection_changed();
        say(tr("All shortcuts have their defaults."), false);
    });
    connect(take_, &QPushButton::clicked, this, &ShortcutPage::take_key);
    table_->selectRow(0);
    selection_changed();
}

void ShortcutPage::choose(const QString& id) {
    filter_->clear();
    if (const int row = model_->row_of(id); row >= 0) {
        table_->selectRow(row);
        table_->scrollTo(model_->index(row, 0));
    }
}

void ShortcutPage::say(const QString& text, bool bad) {
    set_bad(*note_, bad);
    note_->setText(text);
}

void ShortcutPage::selection_changed() {
    const QAction* action = model_->action(table_->currentIndex().row());
    const QSignalBlocker quiet(edit_);
    edit_->setKeySequence(action != nullptr ? action->shortcut() : QKeySequence());
    edit_->setEnabled(action != nullptr);
    clear_->setEnabled(action != nullptr && !action->shortcut().isEmpty());
    reset_->setEnabled(action != nullptr && ShortcutBook::instance().changed_by_user(action->objectName()));
    take_->hide();
    wanted_ = {};
    if (action == nullptr)
        say(tr("No command matches \"%1\".").arg(filter_->text()), false);
    else
        say(tr("Click the field and press the new shortcut for \"%1\". Shortcuts apply to all windows.")
                .arg(Commands::plain_text(action)),
            false);
}

void ShortcutPage::key_typed() {
    const QAction* action = model_->action(table_->currentIndex().row());
    if (action == nullptr || edit_->keySequence().isEmpty()) return;
    const QKeySequence key(edit_->keySequence()[0]);  // one key press each: nobody types chords in a listing
    const QSignalBlocker quiet(edit_);
    edit_->setKeySequence(key);
    if (key == QKeySequence(Qt::Key_Escape) || key == QKeySequence(Qt::Key_Tab)) {
        selection_changed();
        say(tr("%1 is reserved and cannot be assigned to a command.")
                .arg(key.toString(QKeySequence::NativeText)),
            true);
        return;
    }
    QStringList users;
    for (const QAction* other : commands_.using_key(key, action))
        users << Commands::plain_text(other);
    if (users.isEmpty()) return set_key(key);
    wanted_ = key;
    say(tr("%1 is already assigned to: %2. Nothing was changed.")
            .arg(key.toString(QKeySequence::NativeText), users.join(QStringLiteral(", "))),
        true);
    take_->show();
}

void ShortcutPage::set_key(const QKeySequence& key) {
    const QAction* action = model_->action(table_->currentIndex().row());
    if (action == nullptr) return;
    if (key == Commands::default_key(action))
        ShortcutBook::instance().reset(action->objectName());
    else
        ShortcutBook::instance().set(action->objectName(), key);
    selection_changed();
    say(key.isEmpty() ? tr("\"%1\" has no shortcut now.").arg(Commands::plain_text(action))
                      : tr("\"%1\" is now %2.")
                            .arg(Commands::plain_text(action), key.toString(QKeySequence::NativeText)),
        false);
}

void ShortcutPage::take_key() {
    const QAction* action = model_->action(table_->currentIndex().row());
    if (action == nullptr || wanted_.isEmpty()) return;
    const QKeySequence key = wanted_;
    for (const QAction* other : commands_.using_key(key, action))
        ShortcutBook::instance().set(other->objectName(), {});
    set_key(key);
}

}  // namespace cubinlab::ui
