// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recovery.h"

#include <QDateTime>
#include <QFileInfo>
#include <QTimer>
#include <algorithm>

#include "core/store/session.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/run/opener.h"
#include "ui/shell/main_window.h"
#include "ui/shell/windows.h"

namespace cubinlab::ui {
namespace {

constexpr int kNamed = 5;  // number of lost windows named in the offer

constexpr int kSaveAfterMs = 150;
const auto kRecovery = QStringLiteral("recovery");

QString edits_text(qint64 count) {
    return Recovery::tr("%n hand edit(s)", "", static_cast<int>(count));
}

struct Proven {
    std::shared_ptr<HandTree> tree;
    int edits = 0;
    QString problem;  // why later edits were dropped; empty: all were restored
};

// Applies the edits in order, verifies each result, and ends at the stored cursor.
Proven prove_edits(const KernelPtr& kernel, const CheckerPtr& checker, const WindowMemory& memory,
                   std::stop_token stop) {
    Proven proven;
    proven.tree = std::make_shared<HandTree>(Schedule(kernel));
    for (const WindowMemory::Edit& edit : memory.edits) {
        if (stop.stop_requested()) return proven;
        auto mutation = Mutation::decode(edit.mutation.toStdString());
        Result<Schedule> next =
            mutation ? mutation->applied(proven.tree->schedule()) : Result<Schedule>(fail(mutation.error()));
        if (!next) {
            proven.problem = QString::fromStdString(next.error().message());
            return proven;
        }
        // Before it enters the tree: an unproven edit must not be available to redo.
        if (const Legality hazards = checker->check(*next); !hazards.empty()) {
            proven.problem = QString::fromStdString(hazards.front().explanation);
            return proven;
        }
        if (auto pushed = proven.tree->edit(*mutation, edit.label); !pushed) {
            proven.problem = QString::fromStdString(pushed.error().message());
            return proven;
        }
        ++proven.edits;
    }
    for (auto undone = proven.tree->depth(); undone > static_cast<std::size_t>(memory.cursor); --undone)
        if (!proven.tree->undo()) break;
    return proven;
}

// Edits that were logged in the last moment before the crash, after the journal was written.
void add_logged(Proven& proven, const KernelPtr& kernel, const CheckerPtr& checker,
                const WindowMemory& memory) {
    if (memory.hand_run == 0 || memory.session.isEmpty()) return;
    auto reader = SessionReader::open(memory.session.toStdString());
    if (!reader) return;
    auto run = (*reader)->run(memory.hand_run);
    if (!run || run->steps == 0) return;
    auto last = (*reader)->schedule_at(kernel, run->id, static_cast<StepId>(run->steps));
    if (!last || *last == proven.tree->schedule() || !checker->check(*last).empty()) return;
    const Mutation rest = difference(proven.tree->schedule(), *last);
    if (proven.tree->edit(rest, Recovery::tr("Edits logged after the last autosave"))) ++proven.edits;
}

}  // namespace

Recovery::Recovery(MainWindow& window, QObject* parent)
    : QObject(parent),
      window_(window),
      timer_(new QTimer(this)),
      journal_(std::make_shared<RecoveryJournal>()) {
    timer_->setSingleShot(true);
    timer_->setInterval(kSaveAfterMs);
    connect(timer_, &QTimer::timeout, this, &Recovery::save_now);
    Document& document = window_.document();
    connect(&document, &Document::opened, this, &Recovery::schedule_save);
    connect(&document, &Document::closed, this, &Recovery::schedule_save);
    connect(&document.hand(), &HandEditor::changed, this, &Recovery::schedule_save);
    connect(&document.pair(), &ComparedPair::changed, this, [this] {
        if (!window_.controller().active()) schedule_save();  // a live best changes it 20 times a second
    });
    connect(&window_.selection(), &Selection::changed, this, &Recovery::schedule_save);
    connect(&window_.controller(), &RunController::runs_changed, this, &Recovery::schedule_save);
    connect(&window_.controller(), &RunController::state_changed, this, &Recovery::schedule_save);
    connect(&document, &Document::opened, this, [this] {
        if (has_offer() && !pending_) offer_after_opening();
    });
    connect(&document, &Document::checker_ready, this, &Recovery::restore_edits);
    // Where one job ran out of memory the next may end the process. (Not after this one's own: it would go
    // on for ever.)
    connect(&window_.jobs(), &JobRunner::broke, this, [this](const QString& tag) {
        if (tag != kRecovery) save_now();
    });
    connect(&window_.opener(), &Opener::failed, this, [this] { pending_.reset(); });
    connect(&document, &Document::leaving, this,
            [this] {  // the edits belong to the previous kernel
                if (!window_.document().changes_start()) pending_.reset();
            });
    connect(&window_.controller(), &RunController::failed, this, [this] { pending_.reset(); });
}

Recovery::~Recovery() = default;

// ---- keeping ----

void Recovery::schedule_save() {
    if (!timer_->isActive()) timer_->start();
}

WindowMemory Recovery::snapshot() const {
    Document& document = window_.document();
    WindowMemory memory;
    memory.file = QFileInfo(QString::fromStdString(document.path().string())).absoluteFilePath();
    const QString session = QString::fromStdString(window_.controller().session_path().string());
    if (!session.isEmpty() && window_.controller().has_session())
        memory.session = QFileInfo(session).absoluteFilePath();
    memory.kernel = QString::fromStdString(document.kernel()->name());
    memory.hash = QString::fromStdString(document.original()->hash().hex());
    memory.image = document.image();
    const HandTree& tree = document.hand_edits_of_original();
    for (const std::size_t node : tree.line()) {
        const HandNode& edit = tree.nodes()[node];
        memory.edits.push_back({QString::fromStdString(edit.forward.encode()), edit.label});
    }
    memory.cursor = static_cast<qint64>(tree.depth());
    memory.hand_run = window_.controller().hand_run_of_original();
    memory.left = static_cast<int>(document.pair().left_slot());
    memory.right = static_cast<int>(document.pair().right_slot());
    memory.selected = window_.selection().has() ? static_cast<qint64>(window_.selection().instr()) : -1;
    memory.geometry = window_.saveGeometry();
    memory.docks = window_.dock_layout();
    memory.agent_was_running = window_.controller().active();
    memory.saved = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    return memory;
}

void Recovery::save_now() {
    if (pending_) return;  // do not overwrite a journal that is being restored
    ++number_;
    if (!window_.document().is_open() || !window_.settings().autosave()) {
        window_.jobs().run_always(
            [journal = journal_, number = number_](std::stop_token) { journal->forget(number); });
        return;
    }
    window_.jobs().run<bool>(
        kRecovery,
        [journal = journal_, memory = snapshot(), number = number_](std::stop_token) {
            journal->write(memory, number);
            return true;
        },
        {}, JobRunner::Scope::Window);
}

void Recovery::keep() {
    if (!pending_ && window_.document().is_open() && window_.settings().autosave())
        journal_->keep(snapshot());
}

// ---- offering ----

void Recovery::look_for_crashes() {
    window_.jobs().run<std::vector<StaleJournal>>(
        QStringLiteral("crashes"), [](std::stop_token) { return find_stale_journals(); },
        [this](std::vector<StaleJournal> found) {
            stale_ = std::move(found);
            if (!stale_.empty()) offer();
            Q_EMIT offer_changed();
        },
        JobRunner::Scope::Window);
}

void Recovery::offer() {
    // Those with edits first: the message names a few.
    std::stable_partition(stale_.begin(), stale_.end(),
                          [](const StaleJournal& journal) { return journal.memory.cursor > 0; });
    QStringList what;
    for (const StaleJournal& journal : stale_) {
        if (what.size() == kNamed) break;
        const WindowMemory& m = journal.memory;
        QString text = QFileInfo(m.file.isEmpty() ? m.session : m.file).fileName();
        if (m.cursor > 0) text += tr(" with %1").arg(edits_text(m.cursor));
        if (m.agent_was_running) text += tr(", an agent was running");
        const QDateTime at = QDateTime::fromString(m.saved, Qt::ISODate).toLocalTime();
        if (at.isValid()) text += tr(" (%1)").arg(at.toString(QStringLiteral("yyyy-MM-dd HH:mm")));
        what << text;
    }
    if (const auto more = static_cast<int>(stale_.size()) - what.size(); more > 0)
        what << tr("%n more window(s)", "", static_cast<int>(more));
    window_.messages().post(
        {MessageKind::Warning,
         tr("CubinLab did not shut down cleanly"),
         tr("Open: %1. The log is intact.").arg(what.join(QStringLiteral("; "))),
         {{tr("Restore"), [this] { restore_all(); }}, {tr("Discard"), [this] { discard_all(); }}},
         0,
         kOfLost,
         true});
}

// Opening cleared the messages. The offer returns with the file that it is about; over another one it is short and goes.
void Recovery::offer_after_opening() {
    const QString path = QString::fromStdString(window_.document().path().string());
    const bool about_this = std::ranges::any_of(stale_, [&](const StaleJournal& journal) {
        return journal.memory.file == QFileInfo(path).absoluteFilePath();
    });
    if (about_this) return offer();
    constexpr int kSeconds = 12;
    window_.messages().clear_about(kOfLost);
    window_.messages().post(MessageKind::Info, tr("Windows of the last start are kept"),
                            tr("File > Restore after a crash restores them."), kSeconds);
}

void Recovery::discard_all() {
    for (const StaleJournal& journal : std::exchange(stale_, {}))
        remove_journal(journal.path);
    window_.messages().clear_about(kOfLost);
    Q_EMIT offer_changed();
}

void Recovery::restore_all() {
    const std::vector<StaleJournal> all = std::exchange(stale_, {});
    window_.messages().clear_about(kOfLost);
    MainWindow* target = window_.document().is_open() ? nullptr : &window_;
    for (const StaleJournal& journal : all) {
        if (target == nullptr) target = Windows::instance().open_new();
        target->recovery().restore(journal.memory, journal.path);
        target = nullptr;
    }
    Q_EMIT offer_changed();
}

// ---- restoring ----

void Recovery::restore(const WindowMemory& memory, const QString& journal) {
    pending_ = std::make_unique<WindowMemory>(memory);
    pending_journal_ = journal;
    const bool session = !memory.session.isEmpty() && QFileInfo::exists(memory.session);
    if (!memory.geometry.isEmpty() && window_.restoreGeometry(memory.geometry))
        window_.place_inside(QRect(window_.pos(), window_.size()));
    if (!memory.docks.isEmpty()) window_.set_dock_layout(memory.docks);
    auto kept = std::move(pending_);  // open_path may fail at once, which drops pending_
    const QString path = session ? memory.session : memory.file;
    if (!QFileInfo::exists(path)) {
        window_.show_error({ErrorCode::NotFound,
                            "the file is gone; what was open is kept, and offered again at the next start",
                            path.toStdString()},
                           tr("Not restored"));
        return;
    }
    pending_ = std::move(kept);
    window_.open_path(session ? path : Place{path, memory.kernel, memory.image}.text());
}

void Recovery::restore_edits() {
    if (!pending_ || window_.document().shows_start()) return;  // the edits are of the original
    if (!pending_->hash.isEmpty() &&
        pending_->hash.toStdString() != window_.document().kernel()->hash().hex()) {
        pending_.reset();
        return window_.show_error({ErrorCode::Corrupt,
                                   "the file holds another kernel than before; its hand edits are kept, and "
                                   "offered again at the next start",
                                   window_.document().path().string()},
                                  tr("Not restored"));
    }
    if (!window_.document().hand().can_edit() || (pending_->edits.empty() && pending_->hand_run == 0))
        return finish_restore({}, 0);
    window_.jobs().run<Proven>(
        QStringLiteral("restore"),
        [kernel = window_.document().kernel(), checker = window_.document().checker(),
         memory = *pending_](std::stop_token stop) {
            Proven proven = prove_edits(kernel, checker, memory, stop);
            if (proven.problem.isEmpty()) add_logged(proven, kernel, checker, memory);
            return proven;
        },
        [this](Proven proven) {
            if (!pending_) return;
            Document& document = window_.document();
            document.hand().restore_hand(*proven.tree);
            if (pending_->hand_run != 0 || document.hand().tree().can_undo())
                window_.controller().continue_hand_log(pending_->hand_run,
                                                       document.pair().schedule(ScheduleSlot::Hand));
            finish_restore(proven.problem, proven.edits);
        });
}

void Recovery::finish_restore(const QString& problem, int edits) {
    const std::unique_ptr<WindowMemory> memory = std::move(pending_);
    if (!pending_journal_.isEmpty())
        remove_journal(pending_journal_);  // not before: it may hold the only copy
    Document& document = window_.document();
    const auto slot = [](int value) { return static_cast<ScheduleSlot>(std::clamp(value, 0, 2)); };
    if (memory->right == static_cast<int>(ScheduleSlot::Hand) || edits > 0)
        document.pair().show_right(ScheduleSlot::Hand);
    document.pair().show_left(slot(memory->left));
    if (memory->selected >= 0 && memory->selected < static_cast<qint64>(document.kernel()->size()))
        window_.selection().select(static_cast<InstrId>(memory->selected));
    QString text = edits > 0 ? tr("%1, all re-verified.").arg(edits_text(edits)) : tr("No hand edits.");
    if (!problem.isEmpty()) text += tr(" Later edits were dropped: %1.").arg(problem);
    if (memory->agent_was_running)
        text += tr(" The agent's run is in the log; Agent > Continue run resumes it.");
    window_.messages().post(problem.isEmpty() ? MessageKind::Done : MessageKind::Warning, tr("Restored"),
                            text);
    schedule_save();
    Q_EMIT restored(edits);
}

}  // namespace cubinlab::ui
