// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/path_field.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace cubinlab::ui {

PathField::PathField(const QString& name, const QString& label, Ask what, QWidget* parent,
                     const QString& title)
    : QWidget(parent), line_(new QLineEdit(this)), button_(new QPushButton(tr("Choose..."), this)) {
    line_->setObjectName(name);
    line_->setAccessibleName(label);
    button_->setAccessibleName(tr("Choose: %1").arg(label));
    button_->setAutoDefault(false);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(line_, 1);
    layout->addWidget(button_);
    line_->installEventFilter(this);
    connect(line_, &QLineEdit::editingFinished, this, &PathField::take_typed);
    connect(button_, &QPushButton::clicked, this, [this, what, title = title.isEmpty() ? label : title] {
        ask_for_file(this, {.what = what, .title = title, .folder = line_->text()},
                     [this](const QString& path) {
                         line_->setText(path);
                         Q_EMIT chosen(path);
                     });
    });
}

void PathField::take_typed() {
    const bool typed = line_->isModified();
    line_->setModified(false);
    if (typed) Q_EMIT chosen(line_->text().trimmed());
}

bool PathField::eventFilter(QObject* watched, QEvent* event) {
    const bool enter = event->type() == QEvent::KeyPress && watched == line_ && line_->isModified() &&
                       (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return ||
                        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Enter);
    if (enter) take_typed();
    return enter || QWidget::eventFilter(watched, event);
}

void PathField::add_to(QFormLayout& form, const QString& text) {
    auto* name = new QLabel(text, this);
    name->setBuddy(line_);
    form.addRow(name, this);
}

}  // namespace cubinlab::ui
