// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs that ask for a file tell what a file is by its name and open none: one that never answers, as
// /proc/kmsg, held the window for good.
#include <QComboBox>
#include <QFileDialog>
#include <QFileSystemModel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>

#include "tests/ui/window_support.h"
#include "ui/base/file_dialog.h"

using namespace cubinlab;
using namespace cubinlab::ui;
using namespace cubinlab::ui::test;

namespace {

void write(const QString& path, const std::string& text) {
    std::ofstream(path.toStdString(), std::ios::binary) << text;
}

QString type_in(const QFileDialog& dialog, const QString& path) {
    const auto* model = required(dialog.findChild<QFileSystemModel*>());
    REQUIRE(
        wait_for([&] { return model->index(path).isValid() && !model->type(model->index(path)).isEmpty(); }));
    return model->type(model->index(path));
}

}  // namespace

TEST_CASE("a file dialog reads no file to say what it is") {
    QTemporaryDir folder;
    // By their beginnings a PDF document and a shell script.
    write(folder.filePath(QStringLiteral("kernel.cubin")), "%PDF-1.4\n");
    write(folder.filePath(QStringLiteral("plain")), "#!/bin/sh\n");
    QWidget window;
    QString taken;
    QFileDialog* dialog = ask_for_file(&window, {.title = QStringLiteral("Which?"), .folder = folder.path()},
                                       [&](const QString& path) { taken = path; });
    REQUIRE(dialog->isVisible());
    CHECK(type_in(*dialog, folder.filePath(QStringLiteral("kernel.cubin"))) == QStringLiteral("File"));
    CHECK(type_in(*dialog, folder.filePath(QStringLiteral("plain"))) == QStringLiteral("File"));
    dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(QStringLiteral("kernel.cubin"));
    static_cast<QDialog*>(dialog)->accept();
    CHECK(taken.toStdString() == folder.filePath(QStringLiteral("kernel.cubin")).toStdString());
}

TEST_CASE("a new file has the proposed name, in the folder asked for, and its suffix") {
    QTemporaryDir folder;
    QWidget window;
    QString taken;
    QFileDialog* dialog = ask_for_file(&window,
                                       {.what = Ask::NewFile,
                                        .title = QStringLiteral("Export"),
                                        .folder = folder.path(),
                                        .filters = QStringLiteral("CUDA cubins (*.cubin)"),
                                        .name = QStringLiteral("bmm.best.cubin"),
                                        .suffix = QStringLiteral("cubin")},
                                       [&](const QString& path) { taken = path; });
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    CHECK(name->text() == QStringLiteral("bmm.best.cubin"));
    name->setText(QStringLiteral("mine"));
    static_cast<QDialog*>(dialog)->accept();
    CHECK(taken.toStdString() == folder.filePath(QStringLiteral("mine.cubin")).toStdString());
}

QUIET_CASE("exports begin beside the kernel that is open, then where the last one of it went") {
    OpenWindow open("");
    QTemporaryDir elsewhere;
    write(open.path("mine.cubin"), bytes_of(sample("bmm_mma.cubin")));
    open.window.open_path(open.path("mine.cubin"));
    REQUIRE(wait_for(
        [&] { return open.window.document().is_open() && open.window.document().hand().can_edit(); }));
    const auto ask = [&] {
        open.window.actions().ask_and_export(ScheduleSlot::Hand);
        auto* dialog = required(open.window.findChild<QFileDialog*>());
        return dialog;
    };
    const auto leave = [&](QFileDialog* dialog) {
        const QPointer<QFileDialog> left = dialog;
        dialog->close();
        REQUIRE(wait_for([&] { return left.isNull(); }));
    };
    QFileDialog* dialog = ask();
    CHECK(dialog->directory().absolutePath() == QDir(open.folder.path()).absolutePath());
    dialog->setDirectory(elsewhere.path());
    dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(QStringLiteral("new.cubin"));
    const QPointer<QFileDialog> taken = dialog;
    static_cast<QDialog*>(dialog)->accept();
    REQUIRE(wait_for([&] { return taken.isNull(); }));
    dialog = ask();
    CHECK(dialog->directory().absolutePath() == QDir(elsewhere.path()).absolutePath());
    leave(dialog);
    open.window.opener().close();
    REQUIRE(wait_for([&] { return open.window.windowFilePath().isEmpty(); }));
}
