// SPDX-License-Identifier: GPL-3.0-or-later
// What the window opens: files, folders, what is dropped on it or captured, and what it says of a kernel that is open.
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUrl>

#include "core/start/compile_source.h"
#include "ui/base/file_dialog.h"
#include "ui/base/message_bar.h"
#include "ui/document/kernel_name.h"
#include "ui/hand/hand_tools.h"
#include "ui/hand/place_trial.h"
#include "ui/listing/compare_view.h"
#include "ui/run/opener.h"
#include "ui/shell/capture_dialog.h"
#include "ui/shell/kernel_chooser.h"
#include "ui/shell/main_window.h"
#include "ui/shell/schedule_actions.h"
#include "ui/shell/schedule_transfer.h"
#include "ui/shell/windows.h"
#include "ui/source/source_edit.h"

namespace cubinlab::ui {
void MainWindow::open_path(const QString& text, const QString& kernel) {
    const Place place = Place::from(text);
    const QString& path = place.path;
    if (path.contains(QChar::ReplacementCharacter) && !QFileInfo::exists(path)) {
        say_not_opened({ErrorCode::Unsupported,
                        "the window opens files whose names are UTF-8; rename it, or use the command line",
                        path.toStdString()},
                       {});
        return;
    }
    if (!QFileInfo::exists(path)) {
        say_not_opened({ErrorCode::NotFound, "there is no such file", path.toStdString()}, {});
        return;
    }
    if (MainWindow* other = Windows::instance().showing(path); other != nullptr && other != this)
        return Windows::bring_up(other);  // a session has one writer
    if (asks_before_leaving([this, text, kernel] { open_path(text, kernel); })) return;
    opener_->open(request_for({path, kernel.isEmpty() ? place.kernel : kernel, place.image}));
}

OpenRequest MainWindow::request_for(const Place& place) const {
    OpenRequest request{.path = place.path.toStdString(),
                        .kernel = place.kernel.toStdString(),
                        .image = place.image.toStdString()};
    if (!is_source(request.path)) return request;
    const auto& gpu = controller_->gpu();
    request.arch =
        gpu && gpu->present ? "sm_" + std::to_string(gpu->sm) + (gpu->sm >= 90 ? "a" : "") : "sm_90a";
    request.folder = folder_of_compiled(place.path).toStdString();
    request.nvcc = settings_.nvcc().toStdString();
    return request;
}

void MainWindow::open_kernel_here(const QString& name) {
    const auto open = [this, path = document_.path(), name, image = document_.image()] {
        opener_->open({.path = path, .kernel = name.toStdString(), .image = image.toStdString()});
    };
    if (!asks_before_leaving(open)) open();
}

void MainWindow::say_opening(const OpenRequest& request) {
    const QString path = QString::fromStdString(request.path.string());
    statusBar()->showMessage(
        request.arch.empty() ? tr("Opening %1...").arg(path)
                             : tr("Compiling %1 for %2...")
                                   .arg(QFileInfo(path).fileName(), QString::fromStdString(request.arch)));
}

void MainWindow::close_kernel() {
    if (!asks_before_leaving([this] { close_kernel(); })) opener_->close();
}

ClosedKernel MainWindow::closing_kernel() const {
    ClosedKernel closing;
    if (!document_.is_open()) return closing;
    closing.kernel = QStringLiteral("%1 (%2)").arg(
        called(QString::fromStdString(document_.kernel()->name())),
        QFileInfo(QString::fromStdString(document_.path().string())).fileName());
    if (controller_->has_session())
        closing.session = QString::fromStdString(controller_->session_path().string());
    closing.run = controller_->active();
    closing.edits = document_.hand().tree().nodes().size() - 1;
    closing.logged = !controller_->unlogged();
    closing.measuring_on_gpu = actions_->outlives_kernel();
    closing.measuring = (actions_->busy() && !closing.measuring_on_gpu) || hand_->trial()->busy();
    return closing;
}

// Asks only if something would be lost: logged edits are safe.
bool MainWindow::asks_before_leaving(const std::function<void()>& leave_anyway) {
    const ClosedKernel closing = closing_kernel();
    if (!closing.would_be_lost() || drop_hand_edits_) return false;
    messages_->post(
        MessageKind::Warning, tr("Hand edits would be lost"),
        tr("%n hand edit(s) of %1 are not saved in a session.", "", static_cast<int>(closing.edits))
            .arg(closing.kernel),
        0,
        {controller_->read_only()
             ? MessageAction{tr("Continue in a copy"), [this] { controller_->go_on_in_copy(); }}
             : MessageAction{tr("Save now"), [this] { controller_->log_hand_edits(); }},
         {tr("Discard"), [this, leave_anyway] {
              drop_hand_edits_ = true;
              leave_anyway();
          }}});
    return true;
}

// A program, library or cache with several kernels.
void MainWindow::ask_which_kernel(const KernelChoicesPtr& choices) {
    statusBar()->clearMessage();
    auto* chooser = new KernelChooser(choices, this);
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    connect(chooser, &KernelChooser::chosen, this,
            [this](const QString& path, const QString& kernel, const QString& image) {
                open_path(Place{path, kernel, image}.text());
            });
    chooser->open();
}

void MainWindow::ask_open() {
    ask_for_file(this,
                 {.title = tr("Open cubin, binary or session"),
                  .folder = settings_.last_folder(),
                  .filters = tr("All files (*);;Cubins, sessions, sources (*.cubin *.db *.cu *.ptx);;"
                                "Programs and libraries (*.so *.a *.o *.fatbin *)")},
                 [this](const QString& path) {
                     settings_.last_folder.set(QFileInfo(path).absolutePath());
                     open_path(path);
                 });
}

// A Triton cache, an entry of it, or any folder of cubins.
void MainWindow::ask_open_folder() {
    ask_for_file(this,
                 {.what = Ask::Folder,
                  .title = tr("Open a Triton cache or a folder of cubins"),
                  .folder = settings_.last_folder()},
                 [this](const QString& path) {
                     settings_.last_folder.set(path);
                     open_path(path);
                 });
}

CaptureDialog& MainWindow::capture_dialog() {
    if (capture_) return *capture_;
    capture_ = new CaptureDialog(jobs_, this);
    connect(capture_, &CaptureDialog::captured, this,
            [this](const QString& path, const QString& kernel, const QString& remark) {
                // After the opening, which clears messages about other kernels.
                if (!remark.isEmpty())
                    connect(
                        opener_, &Opener::opened, this,
                        [this, remark] { messages_->post(MessageKind::Warning, tr("Captured"), remark); },
                        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
                open_path(kernel.isEmpty() ? path : Place{path, kernel, {}}.text());
            });
    return *capture_;
}

void MainWindow::document_opened(const OpenRequest& request) {
    const QString path = QString::fromStdString(document_.path().string());
    if (!request.arch.empty()) {
        source_ = QString::fromStdString(request.path.string());
        compiled_ = path;
        source_edit().set_compiled(source_, QString::fromStdString(request.arch));
    }
    if (QFileInfo::exists(path))
        settings_.add_recent(
            document_.image().isEmpty()
                ? as_opened(path)
                : Place{path, QString::fromStdString(document_.kernel()->name()), document_.image()}.text());
    // The default folder of exports: for a source, its folder and not that of its compiled cubin.
    setWindowFilePath(QFileInfo::exists(path) ? as_opened(path) : QString());
    // The next file is probably next to this one. A folder without write access is no place for exports, and Sessions
    // lists the folder of sessions.
    const QFileInfo opened(windowFilePath());
    const QString folder = opened.isDir() ? opened.absoluteFilePath() : opened.absolutePath();
    if (opened.exists() && QFileInfo(folder).isWritable() &&
        folder != QDir(settings_.sessions_folder()).absolutePath())
        settings_.last_folder.set(folder);
    fill_recent();
    {
        const QSignalBlocker quiet(kernels_);
        kernels_->clear();
        const QStringList names = document_.kernel_names(), shown = called(names);
        for (qsizetype i = 0; i < names.size(); ++i) {
            kernels_->addItem(shown[i], names[i]);
            kernels_->setItemData(static_cast<int>(i), whole_name(names[i]), Qt::ToolTipRole);
        }
        const QString current = QString::fromStdString(document_.kernel()->name());
        kernels_->setCurrentIndex(kernels_->findData(current));
        kernels_->setToolTip(whole_name(current));  // the full name, which the box may elide
        kernels_->setEnabled(kernels_->count() > 1);
    }
    pages_->setCurrentWidget(compare_);
    show_docks(true);
    compare_->setFocus();
    show_hot_loop(false);
    statusBar()->clearMessage();
    messages_->clear_about(kOfOpening);
    // The message about a closed kernel stays until another one closes or its session is opened.
    if (!closed_.empty() || closed_session_ == QString::fromStdString(controller_->session_path().string()))
        messages_->clear_about(kOfClosed);
    if (!document_.kernel()->arch().editable())
        messages_->post(MessageKind::Warning, tr("View only"),
                        document_.ptx() ? tr("%1. The agent auto can search other compilations of it on a GPU.")
                                              .arg(document_.hand().why_not_editable())
                                        : document_.hand().why_not_editable());
    else if (document_.kernel()->cubin().relocatable())
        messages_->post(MessageKind::Warning, tr("Relocatable code"),
                        tr("Compiled with -rdc=true and not linked yet. You can read and edit it, but a "
                           "driver loads only linked code."));
    else if (!document_.workload_problem().isEmpty())
        messages_->post(MessageKind::Warning, tr("Cannot use the workload file"),
                        document_.workload_problem());
    report_closed_kernel();
    update_enabled();
    update_title();
}

void MainWindow::document_closed() {
    kernels_->clear();
    kernels_->setToolTip(tr("Kernels of this cubin"));
    kernels_->setEnabled(false);
    pages_->setCurrentWidget(start_);
    show_docks(false);
    setWindowFilePath({});
    drop_hand_edits_ = false;
    report_closed_kernel();
    update_enabled();
    update_title();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    constexpr qsizetype kMost = 8;  // windows; a hundred would be a mistake
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    if (files.isEmpty()) return;
    event->acceptProposedAction();
    open_path(files.first());
    for (const QString& file : files.mid(1, kMost - 1))
        Windows::instance().open_new(file);
    if (files.size() > kMost)
        messages_->post(
            MessageKind::Info, tr("Some files were not opened"),
            tr("A drop opens at most %1 files. To open many cubins, drop their folder.").arg(kMost));
}

}  // namespace cubinlab::ui
