// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/tour.h"

#include <QDockWidget>
#include <QEvent>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <string_view>

#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/run/agent_bar.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/schedule_actions.h"
#include "ui/shell/start_page.h"

namespace cubinlab::ui {
namespace {

const char* const kSample = "bmm_mma";
enum Step { kOpen, kLimits, kMove, kMeasure, kAgent, kFind, kExport, kTell };

// A frame around another widget that lets every click through.
class Ring : public QWidget {
  public:
    explicit Ring(QWidget* about) : QWidget(about->window()), about_(about) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setObjectName(QStringLiteral("tour_ring"));
        setAccessibleName(QObject::tr("Ring around what the tour speaks of"));
        about->installEventFilter(this);
        follow();
        show();
        raise();
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show)
            follow();
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::instance().colors().accent, 3));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 7, 7);
    }

  private:
    void follow() {
        if (about_)
            setGeometry(
                QRect(about_->mapTo(about_->window(), QPoint()), about_->size()).adjusted(-3, -3, 3, 3));
    }
    QPointer<QWidget> about_;
};

}  // namespace

Tour::Tour(MainWindow& window, QObject* parent) : QObject(parent), window_(window) {
    make_steps();
    done_.resize(steps_.size());
    listen();
}

void Tour::make_steps() {
    const auto trigger = [this](const char* id) {
        QAction* action = window_.commands()[QString::fromLatin1(id)];
        const QString why_not = window_.commands().why_disabled(action);
        action->trigger();
        return why_not;
    };
    const auto command = [trigger](const char* id) { return [trigger, id] { return trigger(id); }; };
    const auto dock = [this](const char* name) {
        return [this, name]() -> QWidget* { return window_.dock(QString::fromLatin1(name)); };
    };
    const auto show_dock = [this](const char* name) {
        MainWindow::bring_forward(window_.dock(QString::fromLatin1(name)));
        return QString();
    };
    const auto right = [this]() -> QWidget* { return window_.compare_view().pane(Side::Right); };
    steps_ = {
        {tr("Open a kernel"),
         tr("A cubin is what <b>nvcc</b> or Triton made of a kernel. This sample is a batched matrix product "
            "for "
            "Hopper. Nothing here ever writes the file you open."),
         tr("Open the sample %1").arg(QString::fromLatin1(kSample)),
         [this, trigger] {
             for (const SampleInfo& sample : window_.start_page().samples())
                 if (sample.name == QLatin1String(kSample)) {
                     window_.open_path(sample.path);
                     return QString();
                 }
             return trigger("file.open");
         },
         [this]() -> QWidget* { return &window_.start_page(); }},
        {tr("What limits it?"),
         tr("Left is the compiler's schedule, right a candidate. The <b>Kernel</b> dock says where each "
            "cycle of the hot loop goes by the model, who waits longest and for whom, and what each "
            "resource alone would take. Each name there is a link to its line; <b>Dependencies</b> "
            "shows the same loop, its critical path in red."),
         tr("Show what limits it"), [show_dock] { return show_dock("dock_kernel"); }, dock("dock_kernel")},
        {tr("Move a load"),
         tr("A load that is asked for earlier is waited for less. Select one and press <b>Alt+Up</b>: it "
            "moves to the "
            "next place that is <b>proven legal</b>. What the checker refuses changes nothing and says why."),
         tr("Select a load and move it up"),
         [this, trigger] {
             if (window_.document().can_edit() && !select_movable_load())
                 return tr(
                     "No load of this kernel has a legal place above it. Select any other instruction and "
                     "press Alt+Up "
                     "or Alt+Down.");
             return trigger("edit.move_up");
         },
         right},
        {tr("Is it faster?"),
         tr("<b>F8</b> compares your schedule with the original. With a GPU it measures on fresh loads and "
            "gives a "
            "verdict with an interval; without one the model counts cycles, and the program calls that what "
            "it is: "
            "<b>modelled, unmeasured</b>."),
         tr("Measure it (F8)"), command("file.measure"), right},
        {tr("Let an agent try"),
         tr("An agent does what you just did, some thousand times a second on the model. Every mutation is "
            "logged as it "
            "is made. <b>F5</b> starts it; pause with F6, stop with Shift+F5."),
         tr("Run 2000 steps"),
         [this] {
             RunRequest request = window_.agent_bar().request();
             request.agent = QStringLiteral("greedy");
             request.budget = QStringLiteral("2000steps");
             window_.start_agent(request);
             return QString();
         },
         [this]() -> QWidget* { return &window_.agent_bar(); }},
        {tr("Find the edit that mattered"),
         tr("The chart jumps where the best improved: click there and the schedule of that step is on the "
            "right. "
            "<b>F7</b> walks through what differs; ribbons show where each instruction came from."),
         tr("Show the best step and its first change"),
         [this, trigger] {
             const StepRef best = window_.document().best_step();
             if (best.step == 0) return tr("No run has found a best step yet: let an agent try first.");
             window_.controller().view_step(best.run, best.step);
             return trigger("go.next_change");
         },
         dock("dock_rewards")},
        {tr("Take it with you"),
         tr("<b>Ctrl+E</b> writes the best schedule as a cubin: proven before, read back and proven again, "
            "and stamped "
            "with where its figures come from. <b>File &gt; Export more</b> has listing, differences, the "
            "log as CSV "
            "and a one-file report."),
         tr("Export the best..."),
         command("file.export_best"),
         {}},
        {tr("Tell others, and come back"),
         tr("<b>File &gt; Export more &gt; Report</b> writes one HTML file for people without this program. "
            "<b>File &gt; Sessions</b> lists everything you have tried, with agent, steps, best and state, "
            "and opens it again, also after a crash."),
         tr("Show the sessions"),
         [this, command] {
             done(kTell);
             return command("file.sessions")();
         },
         {}}};
}

bool Tour::has_sample() const {
    const auto& samples = window_.start_page().samples();
    return std::any_of(samples.begin(), samples.end(),
                       [](const SampleInfo& sample) { return sample.name == QLatin1String(kSample); });
}

// Where the samples are not installed any kernel does.
TourStep Tour::step_of(int step) const {
    TourStep now = steps_[static_cast<std::size_t>(step)];
    if (step != kOpen || has_sample()) return now;
    now.text =
        tr("A cubin is what <b>nvcc</b> or Triton made of a kernel. The samples are not installed here "
           "(<b>CUBINLAB_SAMPLES</b> can name their folder): open a cubin, a program or a <b>.cu</b> "
           "file of your own. Nothing here ever writes the file you open.");
    now.action = tr("Open a kernel...");
    return now;
}

void Tour::listen() {
    Document& document = window_.document();
    connect(&document, &Document::checker_ready, this, [this] { done(kOpen); });
    connect(&document, &Document::hand_edited, this, [this] { done(kMove); });
    connect(&window_.actions(), &ScheduleActions::compared, this, [this] { done(kMeasure); });
    connect(&window_.controller(), &RunController::finished, this, [this] { done(kAgent); });
    connect(&document, &Document::pair_changed, this, [this] {
        if (step_ == kFind && window_.document().is_open() && window_.document().right_head() == Head::Viewed)
            done(kFind);
    });
    connect(&window_.actions(), &ScheduleActions::exported, this, [this] { done(kExport); });
    connect(&window_.start_page(), &StartPage::samples_read, this, [this] {
        if (step_ == kOpen) show_step(kOpen);
    });
    connect(&document, &Document::closed, this, [this] {
        if (running()) show_step(kOpen);
    });
}

void Tour::start() {
    std::fill(done_.begin(), done_.end(), false);
    if (window_.document().is_open()) done_[kOpen] = true;
    show_step(window_.document().is_open() ? kLimits : kOpen);
}

void Tour::show_step(int step) {
    if (step < 0 || step >= count()) return end();
    if (panel_ == nullptr) {
        panel_ = new TourPanel(&window_);
        connect(panel_, &TourPanel::back, this, [this] { show_step(step_ - 1); });
        connect(panel_, &TourPanel::next, this, [this] { show_step(step_ + 1); });
        connect(panel_, &TourPanel::act, this, &Tour::run_step);
        connect(panel_, &TourPanel::ended, this, &Tour::end);
    }
    step_ = step;
    const TourStep now = step_of(step);
    panel_->show_step(now, step + 1, count(), done_[static_cast<std::size_t>(step)]);
    ring(now.about ? now.about() : nullptr);
    panel_->raise();
}

void Tour::run_step() {
    if (!running()) return;
    const TourStep& now = steps_[static_cast<std::size_t>(step_)];
    const QString why_not = now.run ? now.run() : QString();
    if (!why_not.isEmpty()) panel_->say(why_not);
    if (step_ == kLimits) done(kLimits);
}

// A step that was done goes on by itself, but gives the eye a moment to see what happened.
void Tour::done(int step) {
    done_[static_cast<std::size_t>(step)] = true;
    if (step != step_) return;
    show_step(step_);
    if (step != kOpen) return;  // everything else has something to look at first
    QTimer::singleShot(400, this, [this, step] {
        if (step_ == step) show_step(step + 1);
    });
}

void Tour::end() {
    step_ = -1;
    if (panel_ != nullptr) panel_->hide();
    ring(nullptr);
    window_.compare_view().setFocus();
}

void Tour::ring(QWidget* widget) {
    if (ring_) ring_->deleteLater();
    ring_ = widget != nullptr && widget->isVisible() ? new Ring(widget) : nullptr;
}

// A real load (not one that is never executed), in the deepest loop there is, that has a legal place above.
bool Tour::select_movable_load() {
    const Document& document = window_.document();
    if (!document.can_edit()) return false;
    const SchedulePtr hand = document.head(Head::Hand);
    const Kernel& kernel = *document.kernel();
    InstrId best = kNone;
    int best_depth = -1;
    for (Position p = 1; p < hand->size(); ++p) {
        const InstrId id = hand->at(p);
        const std::string_view name = kernel.instruction(id).mnemonic;
        const int depth = static_cast<int>(kernel.flow().blocks[kernel.block_of(id)].loop_depth);
        const bool load = name == "LDG" || name == "LDS" || name == "LDSM" || name == "LDGSTS";
        if (!load || depth <= best_depth || kernel.pinned(id)) continue;
        if (document.text_of(id).startsWith(QLatin1String("@!PT"))) continue;
        const SlotRange range = document.checker()->slots(*hand, id);
        for (Position to = range.lowest; to < p; ++to)
            if (range.contains(to)) {
                best = id;
                best_depth = depth;
                break;
            }
    }
    if (best == kNone) return false;
    window_.document().show_right(Head::Hand);
    window_.selection().select(best);
    return true;
}

}  // namespace cubinlab::ui
