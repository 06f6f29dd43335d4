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

#include "ui/base/commands.h"
#include "ui/base/shortcut_book.h"
#include "ui/base/table.h"
#include "ui/base/tone.h"
#include "ui/settings/shortcut_model.h"

namespace cubinlab::ui {

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
