// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/path_field.h"

#include <QFormLayout>
#include <QHBoxLayout>
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
    connect(line_, &QLineEdit::editingFinished, this, [this] {
        const bool typed = line_->isModified();
        line_->setModified(false);
        if (typed) Q_EMIT chosen(line_->text().trimmed());
    });
    connect(button_, &QPushButton::clicked, this, [this, what, title = title.isEmpty() ? label : title] {
        ask_for_file(this, {.what = what, .title = title, .folder = line_->text()},
                     [this](const QString& path) {
                         line_->setText(path);
                         Q_EMIT chosen(path);
                     });
    });
}

void PathField::add_to(QFormLayout& form, const QString& text) {
    auto* name = new QLabel(text, this);
    name->setBuddy(line_);
    form.addRow(name, this);
}

}  // namespace cubinlab::ui
