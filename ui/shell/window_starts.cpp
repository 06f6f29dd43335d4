// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the PTX of the kernel, and the view of other compilations of it.
#include <QDockWidget>
#include <QFileInfo>

#include "ui/base/file_dialog.h"
#include "ui/base/message_bar.h"
#include "ui/document/command_rules.h"
#include "ui/run/agent_bar.h"
#include "ui/run/opener.h"
#include "ui/shell/main_window.h"
#include "ui/starts/starts_panel.h"

namespace cubinlab::ui {

void MainWindow::make_starts_commands() {
    const CommandRules rules = command_rules(document_, selection_);
    commands_.add("agent.ptx", tr("PT&X file..."), "", kNoKey,
                  tr("Name the PTX that the kernel was compiled from, so that other compilations can be searched"),
                  {"agent/scope"}, rules.open, [this] { ask_for_ptx(); });
    const auto tell_bar = [this] {
        const auto& ptx = document_.ptx();
        agent_bar_->set_ptx(ptx ? QString::fromStdString(ptx->origin) : QString());
    };
    connect(&document_, &Document::opened, this, tell_bar);
    connect(&document_, &Document::closed, this, tell_bar);
    connect(&document_, &Document::ptx_changed, this, tell_bar);
}

// Its dock opens by itself with the first starts of a session.
QWidget* MainWindow::make_starts_view() {
    auto* panel = new StartsPanel(&document_, controller_.get(), &jobs_, this);
    connect(panel, &StartsPanel::starts_found, this, [this] {
        QDockWidget* starts = dock(QStringLiteral("dock_starts"));
        if (docks_shown_ && starts != nullptr && starts->isHidden()) starts->show();
    });
    return panel;
}

void MainWindow::ask_for_ptx() {
    ask_for_file(this,
                 {.what = Ask::File,
                  .title = tr("PTX of %1").arg(QFileInfo(QString::fromStdString(document_.path().string())).fileName()),
                  .folder = settings_.last_folder(),
                  .filters = tr("PTX (*.ptx);;All files (*)")},
                 [this](const QString& file) { take_ptx(file); });
}

void MainWindow::take_ptx(const QString& file) {
    if (!document_.is_open()) return;
    jobs_.run<Result<PtxSource>>(
        QStringLiteral("ptx"),
        [kernel = document_.original(), path = std::filesystem::path(file.toStdString())](std::stop_token) {
            return ptx_from(kernel, path);
        },
        [this](Result<PtxSource> found) {
            constexpr int kSeconds = 8;
            if (!found) return show_error(found.error(), tr("Not the PTX of this kernel"));
            document_.set_ptx(std::move(*found));
            messages_->post(MessageKind::Done, tr("PTX"),
                            tr("The agent auto now also searches other compilations of %1.")
                                .arg(QFileInfo(QString::fromStdString(document_.ptx()->origin)).fileName()),
                            kSeconds);
        },
        JobRunner::Scope::Kernel);
}

// Once for each kernel: the search is whole without PTX, but smaller.
void MainWindow::say_what_is_missed(const RunRequest& wanted) {
    constexpr int kSeconds = 15;
    if (!document_.is_open() || document_.ptx() || wanted.only_reschedules || document_.shows_start() ||
        wanted.agent != QLatin1String(kDefaultAgent) || missed_said_ == document_.original()->hash())
        return;
    missed_said_ = document_.original()->hash();
    messages_->post(MessageKind::Info, tr("Only schedules are searched"),
                    tr("With the kernel's PTX the agent also searches other compilations. It is searched in the file and "
                       "next to it (NAME.ptx)."),
                    kSeconds, {{tr("PTX file..."), [this] { ask_for_ptx(); }}});
}

}  // namespace cubinlab::ui
