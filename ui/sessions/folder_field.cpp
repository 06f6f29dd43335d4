// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/folder_field.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>

namespace cubinlab::ui {

void make_folder_field(QLineEdit* folder, QPushButton* choose, const QString& title,
                       const std::function<void()>& look) {
    QObject::connect(folder, &QLineEdit::editingFinished, folder, [folder, look] {
        if (folder->isModified()) look();
        folder->setModified(false);
    });
    QObject::connect(choose, &QPushButton::clicked, folder, [folder, title, look] {
        auto* dialog = new QFileDialog(folder->window(), title, folder->text());
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &QFileDialog::fileSelected, folder, [folder, look](const QString& path) {
            folder->setText(path);
            look();
        });
        dialog->open();
    });
}

}  // namespace cubinlab::ui
