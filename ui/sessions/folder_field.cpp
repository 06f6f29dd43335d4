// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/folder_field.h"

#include <QLineEdit>
#include <QPushButton>

#include "ui/base/file_dialog.h"

namespace cubinlab::ui {

void make_folder_field(QLineEdit* folder, QPushButton* choose, const QString& title,
                       const std::function<void()>& look) {
    QObject::connect(folder, &QLineEdit::editingFinished, folder, [folder, look] {
        if (folder->isModified()) look();
        folder->setModified(false);
    });
    QObject::connect(choose, &QPushButton::clicked, folder, [folder, title, look] {
        ask_for_file(folder, {.what = Ask::Folder, .title = title, .folder = folder->text()},
                     [folder, look](const QString& path) {
                         folder->setText(path);
                         look();
                     });
    });
}

}  // namespace cubinlab::ui
