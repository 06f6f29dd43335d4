// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_dialog.h"
#include "ui/base/commands.h"
#include "ui/base/settings.h"
#include "ui/base/text_size.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/run/window_context.h"
#include "ui/settings/settings_pages.h"
#include "ui/settings/shortcut_page.h"
#include "ui/settings/tools_page.h"

namespace cubinlab::ui {

SettingsDialog::SettingsDialog(const WindowContext& window) : QDialog(window.widget) {
    setWindowTitle(tr("Settings"));
    setObjectName(QStringLiteral("settings"));
    resize(for_text(*this, {900, 620}));
    names_ = new QListWidget(this);
    names_->setAccessibleName(tr("Topics of the settings"));
    names_->setFixedWidth(170);
    names_->setFrameShape(QFrame::NoFrame);
    names_->setStyleSheet(
        QStringLiteral("QListWidget { padding: 12px 8px; } QListWidget::item { padding-left: 10px; "
                       "border-radius: 5px; }"));
    pages_ = new QStackedWidget(this);
    add_page(QStringLiteral("look"), tr("Appearance"), tr("Theme and font sizes of all windows."),
             make_look_page(window, this));
    add_page(QStringLiteral("tools"), tr("Tools"),
             tr("External tools found on this machine. All of them are optional."),
             new ToolsPage(window, this));
    add_page(QStringLiteral("gpu"), tr("GPU"),
             tr("Where schedules are measured. A worker process uses the GPU; this program never loads the "
                "driver."),
             make_gpu_page(window, this));
    add_page(QStringLiteral("agent"), tr("Agent"), tr("Defaults of the agent bar in new windows."),
             make_agent_page(window, this));
    add_page(QStringLiteral("files"), tr("Files"), tr("Sessions, autosave, recent files."),
             make_files_page(window, this));
    add_page(QStringLiteral("keys"), tr("Keyboard shortcuts"), tr("Shortcuts of all commands."),
             new ShortcutPage(*window.commands, this));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(20, 16, 20, 14);
    right->addWidget(pages_, 1);
    right->addWidget(buttons);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(names_);
    layout->addLayout(right, 1);
    connect(names_, &QListWidget::currentRowChanged, pages_, &QStackedWidget::setCurrentIndex);
    names_->setCurrentRow(0);
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    for (QPushButton* each : findChildren<QPushButton*>())
        each->setAutoDefault(false);  // Enter in a field ends the field, it presses nothing
}

void SettingsDialog::add_page(const QString& name, const QString& title, const QString& about,
                              QWidget* page) {
    auto* item = new QListWidgetItem(title, names_);
    item->setData(Qt::UserRole, name);
    item->setSizeHint({150, fontMetrics().height() + 16});
    auto* holder = new QWidget(this);
    auto* heading = new QLabel(title, holder);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() + 4);
    large.setWeight(QFont::DemiBold);
    heading->setFont(large);
    auto* text = new QLabel(about, holder);
    text->setWordWrap(true);
    text->setProperty("dim", true);
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(heading);
    layout->addWidget(text);
    layout->addSpacing(10);
    auto* scroll = new QScrollArea(holder);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(title);
    scroll->setFocusPolicy(Qt::NoFocus);  // its page follows the keyboard
    page->setObjectName(QStringLiteral("settings_") + name);
    scroll->setWidget(page);
    scroll->viewport()->setAutoFillBackground(false);
    page->setAutoFillBackground(false);
    layout->addWidget(scroll, 1);
    pages_->addWidget(holder);
}

void SettingsDialog::show_page(const QString& name) {
    for (int row = 0; row < names_->count(); ++row)
        if (names_->item(row)->data(Qt::UserRole).toString() == name) names_->setCurrentRow(row);
}

}  // namespace cubinlab::ui
