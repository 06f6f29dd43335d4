// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QGuiApplication>
#include <QInputDialog>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "core/result/all_candidates_failed.h"
#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/message_bar.h"
#include "ui/base/plain_text.h"
#include "ui/base/theme.h"
#include "ui/document/command_rules.h"
#include "ui/document/kernel_info.h"
#include "ui/document/kernel_name.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/compare_view.h"
#include "ui/run/agent_bar.h"
#include "ui/run/output_gate.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/help_window.h"
#include "ui/shell/layouts.h"
#include "ui/shell/narrow_docks.h"
#include "ui/shell/recovery.h"
#include "ui/shell/schedule_actions.h"
#include "ui/shell/schedule_transfer.h"
#include "ui/shell/start_page.h"
#include "ui/shell/windows.h"
#include "ui/source/source_edit.h"
#include "ui/source/source_view.h"

namespace cubinlab::ui {
MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
    PlainText::keep();
    controller_ = std::make_unique<RunController>(document_, jobs_);
    opener_ = new Opener(document_, selection_, *controller_, jobs_, this);
    setWindowIcon(app_icon());
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    // All of it on the screen, with room for a panel and the frame of the window.
    constexpr double kShareOfScreen = 0.94;
    const QSize first = QSize(1600, 1000).boundedTo(screen()->availableGeometry().size() * kShareOfScreen);
    resize(first);
    make_central();
    make_commands();
    make_toolbars();
    make_docks();
    make_status_bar();
    connect_all();
    make_tools();
    make_menus();
    update_enabled();
    update_title();
    default_layout_ = saveState();
    if (const QByteArray docks = settings_.dock_state(); !docks.isEmpty()) restoreState(docks);
    show_docks(false);
    layout()->activate();  // else the hidden docks still determine the minimum size
    // Only now, because the docks enlarged the window. A size of a much wider screen is ignored.
    resize(first);
    if (!settings_.geometry().isEmpty() && restoreGeometry(settings_.geometry()))
        place_inside(QRect(pos(), size()));
    dock_room_ = new DockRoom(this);
    connect(narrow_, &NarrowDocks::docks_moved, dock_room_, &DockRoom::docks_moved);
    controller_->set_gpu_settings(settings_.gpu());
    controller_->probe_gpu_now();
    Windows::instance().add(this);
    OpenFiles::instance().add(this, [this] {
        auto files = open_files(document_, *controller_);
        if (!source_.isEmpty()) files.emplace_back(source_.toStdString());
        return files;
    });
}

void MainWindow::place_inside(const QRect& wanted) {
    if (isMaximized() || isFullScreen()) return;
    const QScreen* on = QGuiApplication::screenAt(wanted.center());
    // Before a window is shown its frame is not known: room for a usual one.
    constexpr QMargins kFrame(4, 30, 4, 4);
    const QRect frame =
        inside(wanted.marginsAdded(kFrame), (on != nullptr ? on : screen())->availableGeometry());
    const QRect place = frame.marginsRemoved(kFrame);
    resize(place.size());
    move(frame.topLeft() + (wanted.topLeft() - wanted.marginsAdded(kFrame).topLeft()));
}

MainWindow::~MainWindow() {
    // Docks hide while the window is destroyed and can no longer respond.
    for (QDockWidget* dock : docks_) {
        dock->disconnect(this);
        dock->toggleViewAction()->disconnect(this);
    }
    Windows::instance().remove(this);
    OpenFiles::instance().remove(this);
    controller_.reset();  // before the document, which it logs
}

void MainWindow::make_central() {
    messages_ = new MessageBar(this);
    start_ = new StartPage(&jobs_, this);
    compare_ = new CompareView(&document_, &selection_, this);
    pages_ = new QStackedWidget(this);
    pages_->addWidget(start_);
    pages_->addWidget(compare_);
    // What the listings ask for depends on the columns that the width lets them show: it must not keep the
    // window from getting narrower.
    pages_->setMinimumWidth(560);
    // Nor must the page that is not shown keep it from getting lower, or the docks from their share.
    const auto let_go_of_hidden = [this] {
        for (int i = 0; i < pages_->count(); ++i) {
            QSizePolicy policy = pages_->widget(i)->sizePolicy();
            policy.setVerticalPolicy(i == pages_->currentIndex() ? QSizePolicy::Preferred
                                                                 : QSizePolicy::Ignored);
            pages_->widget(i)->setSizePolicy(policy);
        }
    };
    connect(pages_, &QStackedWidget::currentChanged, this, let_go_of_hidden);
    let_go_of_hidden();
    auto* central = new QWidget(this);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    // Below: a message that comes or goes leaves every row of the listings where it is.
    layout->addWidget(pages_, 1);
    layout->addWidget(messages_);
    setCentralWidget(central);
    actions_ = new ScheduleActions(document_, *controller_, jobs_, *messages_, settings_, this);
    hand_ = new HandTools(context(), compare_, this);
}

void MainWindow::connect_all() {
    connect(start_, &StartPage::open_asked, this, &MainWindow::ask_open);
    connect(start_, &StartPage::file_chosen, this, [this](const QString& path) { open_path(path); });
    connect(opener_, &Opener::opening, this, &MainWindow::say_opening);
    connect(opener_, &Opener::opened, this, &MainWindow::document_opened);
    connect(opener_, &Opener::choice_wanted, this, &MainWindow::ask_which_kernel);
    connect(opener_, &Opener::leaving, this, [this] { closed_ = closing_kernel(); });
    connect(opener_, &Opener::failed, this, [this](const Error& error, const OpenRequest& request) {
        source_edit().replaced();  // no other cubin comes for its text
        transfer_->drop();
        say_not_opened(error, request);
    });
    connect(&source_edit(), &SourceEdit::open_asked, this,
            [this](const QString& cubin, const QString& kernel) {
                opener_->open({.path = cubin.toStdString(), .kernel = kernel.toStdString()});
            });
    transfer_ = new ScheduleTransfer(document_, jobs_, *messages_, this);
    auto* file_watch = new FileWatch(document_, jobs_, this);
    connect(file_watch, &FileWatch::holds_other_code, this, &MainWindow::say_other_code);
    connect(file_watch, &FileWatch::holds_this_code_again, this, [this] { messages_->clear_about(kOfFile); });
    connect(&document_, &Document::leaving, this, [this] {
        if (document_.changes_start()) return;
        // The buttons of the other messages act on the previous kernel.
        messages_->clear_all_but({kOfClosed, kOfLost, ScheduleActions::kOfMeasuring});
        find_->clear();
        statusBar()->clearMessage();
    });
    connect(&document_, &Document::opened, this, [this] {
        if (!document_.changes_start()) return;
        QTimer::singleShot(0, this, [this] { show_hot_loop(false); });  // when its rows are there
        update_enabled();
        update_title();
    });
    connect(&document_, &Document::closed, this, &MainWindow::document_closed);
    connect(&document_, &Document::words_only, this, &MainWindow::say_words_only);
    connect(&document_, &Document::not_editable, this,
            [this](const Error& error) { show_error(error, tr("Not editable")); });
    connect(&document_, &Document::checker_ready, this, &MainWindow::update_enabled);
    connect(&document_, &Document::file_checked, this, &MainWindow::say_what_check_found);
    connect(&document_.hand(), &HandEditor::changed, this, [this] {
        messages_->clear(MessageKind::Refused);
        drop_hand_edits_ = false;
        update_enabled();
    });
    connect(&document_.pair(), &ComparedPair::changed, this, [this] {
        messages_->clear_about(HandTools::kOfShown);
        update_enabled();
    });
    connect(&document_.pair(), &ComparedPair::changed, this, &MainWindow::update_selection_text);
    connect(&document_.hand(), &HandEditor::refused, this, &MainWindow::show_refusal);
    connect(&document_.pair(), &ComparedPair::follow_live_changed, this,
            [this](bool on) { commands_[QStringLiteral("view.follow_live")]->setChecked(on); });
    connect(&selection_, &Selection::changed, this, [this] {
        update_enabled();
        update_selection_text();
    });
    connect(&selection_, &Selection::history_changed, this, &MainWindow::update_enabled);
    connect(controller_.get(), &RunController::state_changed, this, [this] {
        if (controller_->state() != RunState::Idle) {
            messages_->clear_about(kOfRun);
            messages_->clear(MessageKind::Refused);
        }
        update_enabled();
    });
    connect(controller_.get(), &RunController::run_reset, this, &MainWindow::update_enabled);
    connect(controller_.get(), &RunController::failed, this, [this](const Error& error, bool of_begun_run) {
        show_error(error, of_begun_run ? tr("The run ended early") : tr("Not done"));
    });
    connect(controller_.get(), &RunController::hand_unlogged, this,
            [this](const Error& why) { show_error(why, tr("Hand edits are not logged")); });
    connect(&document_.hand(), &HandEditor::edited, this,
            [this] { drop_hand_edits_ = false; });  // there are more
    connect(controller_.get(), &RunController::opened_read_only, this, &MainWindow::say_read_only);
    connect(controller_.get(), &RunController::finished, this, &MainWindow::run_finished);
    connect(controller_.get(), &RunController::notice, this,
            [this](const QString& text) { messages_->post(MessageKind::Info, tr("Note"), text, 15); });
    connect(controller_.get(), &RunController::phase_changed, this,
            [this](const QString& phase) { statusBar()->showMessage(phase, 4000); });
    connect(controller_.get(), &RunController::runs_changed, this, [this] {
        const QString path = QString::fromStdString(controller_->session_path().string());
        const QString file = QFileInfo(path).fileName();
        const auto& read_only = controller_->read_only();
        if (!read_only) messages_->clear_about(kOfSession);
        session_text_->set_text(
            path.isEmpty() ? QString()
            : !read_only   ? tr("session %1").arg(file)
            : read_only->code == ErrorCode::Busy && controller_->writer() > 0
                ? tr("session %1, written by process %2").arg(file).arg(controller_->writer())
                : tr("session %1, read-only").arg(file));
        session_text_->setToolTip(path);
    });
    connect(&jobs_, &JobRunner::broke, this, [this](const QString&, const Error& error, bool told) {
        if (told) return;  // its caller reports it
        messages_->post(MessageKind::Error, tr("A background job failed"),
                        tr("%1. Its result is out of date. The log is safe.")
                            .arg(QString::fromStdString(error.message())));
    });
    connect(actions_, &ScheduleActions::measuring_changed, this, &MainWindow::update_enabled);
    connect(compare_, &CompareView::menu_requested, this, [this](const QPoint& at) { row_menu_->popup(at); });
    connect(kernels_, &QComboBox::activated, this, [this](int index) {
        if (!document_.is_open()) return;
        const QString wanted = kernels_->itemData(index).toString();
        const QString shown = QString::fromStdString(document_.kernel()->name());
        if (wanted == shown) return;
        // It names the open file: the other one may be gone, or the user may answer no.
        kernels_->setCurrentIndex(kernels_->findData(shown));
        open_kernel_here(wanted);
    });
    connect(find_, &QLineEdit::returnPressed, this, [this] {
        if (!compare_->find(find_->text(), 1))
            statusBar()->showMessage(tr("\"%1\" is not in this listing").arg(find_->text()), 4000);
        show_find_state();
    });
    connect(find_, &QLineEdit::textChanged, this, &MainWindow::show_find_state);
    connect(&selection_, &Selection::changed, this, &MainWindow::show_find_state);
}

// "3/27" inside the field; a red field has no match.
void MainWindow::show_find_state() {
    const auto [at, count] = compare_->found_at(selection_.instr());
    const bool searched = !find_->text().trimmed().isEmpty() && document_.is_open();
    find_count_->setText(!searched ? QString()
                         : at == 0 ? QString::number(count)
                                   : QStringLiteral("%1/%2").arg(at).arg(count));
    find_count_->adjustSize();
    constexpr int kGap = 4;
    find_->setTextMargins(0, 0, searched ? find_count_->width() + kGap : 0, 0);
    const bool bad = searched && count == 0;
    if (find_->property("bad").toBool() == bad) return;
    find_->setProperty("bad", bad);
    find_->style()->unpolish(find_);
    find_->style()->polish(find_);
}

void MainWindow::update_title() {
    Windows::instance().tell_changed();
    if (!document_.is_open()) return setWindowTitle(QStringLiteral("CubinLab"));
    const KernelInfo& info = document_.kernel()->info();
    const QString title =
        QStringLiteral("%1 - %2 (%3, %4 registers) - CubinLab")
            .arg(QFileInfo(QString::fromStdString(document_.path().string())).fileName(),
                 document_.shows_start()
                     ? tr("%1, %2").arg(short_called(QString::fromStdString(info.name)), document_.open_kernel().start)
                     : short_called(QString::fromStdString(info.name)),
                 QString::fromStdString(document_.kernel()->arch().name()), QString::number(info.registers));
    // "[*]" in a title is Qt's marker of a modified file; written twice, it is text.
    setWindowTitle(QString(title).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    settings_.set_layout(saveGeometry(), layout_to_keep());
    settings_.set_last_request(agent_bar_->request());
    if (source_edit().unsaved() && !drop_source_text_) {
        const auto close_anyway = [this] {
            drop_source_text_ = true;
            close();
        };
        messages_->post(MessageKind::Warning, tr("Unsaved source text"),
                        tr("The changes exist only in this window."), 0,
                        {{tr("Close without saving"), close_anyway}});
        event->ignore();
        return;
    }
    if (asks_before_leaving([this] { close(); })) return event->ignore();
    if (closing_waits()) return event->ignore();
    QMainWindow::closeEvent(event);
}

void MainWindow::update_selection_text() {
    const InstrId id = selection_.instr();
    if (!document_.is_open() || id == kNone) return selection_text_->set_text({});
    const Schedule& right = *document_.pair().right();
    const BlockId block = document_.kernel()->block_of(id);
    QString text = tr("%1  \u00b7  block %2").arg(document_.name_of(id, right)).arg(block);
    if (const auto depth = document_.kernel()->flow().blocks[block].loop_depth; depth > 0)
        text += tr(", loop depth %1").arg(depth);
    const auto by = static_cast<qint64>(right.position_of(id)) -
                    static_cast<qint64>(document_.pair().left()->position_of(id));
    if (by != 0) text += tr("  \u00b7  %1 %2").arg(by < 0 ? tr("up by") : tr("down by")).arg(std::abs(by));
    selection_text_->set_texts({text, document_.name_of(id, right)});
}

// What is not obvious from the tool bar: a restricted agent, and a right side that does not follow it.
void MainWindow::say_what_agent_does(const RunRequest& wanted) {
    if (!document_.is_open()) return;
    constexpr int kSeconds = 15;
    std::vector<MessageAction> ways;
    if (!document_.pair().follow_live())
        ways.push_back({tr("Show agent's best live"), [this] { document_.pair().set_follow_live(true); }});
    const std::size_t all = document_.kernel()->size();
    if (!wanted.locked.empty())
        messages_->post(MessageKind::Info, tr("Agent restricted"),
                        tr("It can edit %1 of %2 instructions (see locks and scope in the menu Agent).")
                            .arg(all - wanted.locked.size())
                            .arg(all),
                        kSeconds, std::move(ways));
    else if (!ways.empty())
        messages_->post(
            MessageKind::Info, tr("Agent started"),
            tr("The right side keeps the %1.")
                .arg(document_.pair().right_slot() == ScheduleSlot::Hand ? tr("hand schedule")
                                                                         : tr("schedule that it shows")),
            kSeconds, std::move(ways));
}

void MainWindow::start_agent(const RunRequest& request) {
    for (const MessageKind before : {MessageKind::Done, MessageKind::Error})
        messages_->clear(before);
    agent_bar_->set_request(request);
    // Keeps edited schedules in view; otherwise the window follows the agent.
    if (document_.is_open() && !document_.hand().tree().can_undo()) document_.pair().set_follow_live(true);
    RunRequest wanted = request;
    if (document_.is_open()) wanted.locked = hand_->closed_to_agents();
    if (document_.is_open() && wanted.locked.size() == document_.kernel()->size()) {
        messages_->post(MessageKind::Warning, tr("The agent cannot edit any instruction"),
                        tr("Every instruction is locked or outside the agent's scope."));
        return;
    }
    say_what_agent_does(wanted);
    say_what_is_missed(wanted);
    controller_->start(wanted);
    give_curves_room();
}

// On opening, the listings begin at the hot loop and nothing is selected; the command selects its first instruction.
void MainWindow::show_hot_loop(bool select) {
    if (!document_.is_open() || !document_.kernel()->arch().decodable()) return;
    const InstrId start = hot_loop_start(*document_.kernel(), document_.workload());
    if (start == kNone) {
        if (select) statusBar()->showMessage(tr("This kernel has no loop with work in it"), 4000);
        return;
    }
    const BlockId block = document_.kernel()->block_of(start);
    if (select)
        selection_.select(document_.pair().right()->at(document_.kernel()->flow().blocks[block].first));
    compare_->begin_at(block);
}

// From the longest wait of the Kernel view to the next one, and back to the longest.
void MainWindow::go_to_next_wait() {
    const LimitsPtr& limits = kernel_info_->limits();
    if (!limits || limits->kernel != document_.kernel()) {
        connect(kernel_info_, &KernelInfoPanel::limits_changed, this, &MainWindow::go_to_next_wait,
                Qt::SingleShotConnection);
        return bring_forward(dock(QStringLiteral("dock_kernel")));  // a hidden view computes nothing
    }
    constexpr std::size_t kLongest = 10;
    const std::vector<InstrWait>& waits = limits->right->waits;
    const std::size_t count = std::min(waits.size(), kLongest);
    if (count == 0) return statusBar()->showMessage(tr("No instruction waits in the model"), 4000);
    std::size_t at = 0;
    while (at < count && waits[at].instr != selection_.instr())
        ++at;
    at = at < count ? (at + 1) % count : 0;
    selection_.select(waits[at].instr);
    statusBar()->showMessage(
        tr("Wait %1 of %2: %3").arg(at + 1).arg(count).arg(QString::fromStdString(waits[at].text)), 8000);
}

void MainWindow::ask_offset() {
    if (!document_.is_open()) return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Go to offset"));
    dialog->setLabelText(tr("Offset in the right listing, hexadecimal bytes:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        bool ok = false;
        const uint offset = text.trimmed().toUInt(&ok, 16);
        if (ok && offset / kWordBytes < document_.pair().right()->size())
            selection_.select(document_.pair().right()->at(offset / kWordBytes));
        else
            statusBar()->showMessage(tr("No instruction at \"%1\"").arg(text), 4000);
    });
    dialog->open();
}

bool MainWindow::set_dock_layout(const QByteArray& state) {
    if (!docks_shown_) {
        docks_state_ = state;
        return true;
    }
    narrow_->forget();
    const bool fits = restoreState(state);
    narrow_->fit();
    if (fits && state == default_layout_) size_docks();
    update_dock_titles();
    return fits;
}

void MainWindow::reset_layout() {
    settings_.forget_layout();
    docks_state_ = default_layout_;
    if (!docks_shown_) return;
    set_dock_layout(default_layout_);
}

}  // namespace cubinlab::ui
