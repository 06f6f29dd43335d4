// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_app.h"

#include <fcntl.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QSocketNotifier>
#include <QTimer>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/base/version.h"
#include "core/store/session.h"
#include "ui/base/english_plurals.h"
#include "ui/base/settings.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"
#include "ui/shell/main_window.h"
#include "ui/shell/recovery.h"
#include "ui/shell/windows.h"

// Links the resources of a static library; must be outside of any namespace.
static void init_resources() {
    Q_INIT_RESOURCE(icons);
}

namespace cubinlab {
namespace {

using namespace ui;

struct WindowOptions {
    QStringList files;  // cubins or sessions, one window each; empty: the start page
    QString kernel;     // of the first file; empty: the largest
    QString session;    // where runs are logged; empty: a new file in the data folder
    QString agent;      // starts this agent once the kernel is open; empty: none
    QString agent_settings = QStringLiteral("{}");
    QString evaluator = QStringLiteral("auto");
    QString budget = QStringLiteral("60s");
    std::uint64_t seed = 1;
    QString theme;   // light, dark, system; empty: the setting
    QString size;    // "1600x1000"
    QString select;  // selects the instruction at this offset, "0x1270", once open
};

// Logs runs in this file, unless it is a session of another kernel or not a session.
void use_session(MainWindow* window, const std::string& path) {
    std::error_code ignored;
    QString why;
    if (std::filesystem::exists(path, ignored)) {
        auto session = SessionReader::open(path);
        auto kernel = session ? (*session)->kernel() : Result<KernelPtr>(fail(session.error()));
        if (!kernel)
            why = QString::fromStdString(kernel.error().message());
        else if ((*kernel)->hash() != window->document().kernel()->hash())
            why = MainWindow::tr("It belongs to another kernel: %1.")
                      .arg(called(QString::fromStdString((*kernel)->name())));
    }
    if (why.isEmpty()) return window->controller().set_session_path(path);
    window->messages().post(
        MessageKind::Error,
        MainWindow::tr("%1 is not used").arg(QFileInfo(QString::fromStdString(path)).fileName()),
        MainWindow::tr("%1 Runs are logged in a new session.").arg(why));
}

// Applies the options once the first kernel is open, not for later kernels.
void begin_when_open(MainWindow* window, const WindowOptions& options) {
    const auto begin = [window, options] {
        if (!options.session.isEmpty()) use_session(window, options.session.toStdString());
        if (!options.select.isEmpty()) {
            const auto position = options.select.toUInt(nullptr, 16) / kWordBytes;
            const SchedulePtr original = window->document().pair().schedule(ScheduleSlot::Original);
            if (position < original->size())
                window->selection().select(original->at(static_cast<Position>(position)));
        }
        if (options.agent.isEmpty()) return;
        RunRequest request;
        request.agent = options.agent;
        request.agent_settings = options.agent_settings;
        request.evaluator =
            parse_evaluator_policy(options.evaluator.toStdString()).value_or(EvaluatorPolicy::Auto);
        request.budget = options.budget;
        request.seed = options.seed;
        window->start_agent(request);
    };
    QObject::connect(&window->document(), &Document::checker_ready, window, begin, Qt::SingleShotConnection);
}

WindowOptions parse(const QApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "A workbench for NVIDIA SASS schedules. `cubinlab --help` lists the commands that need no window."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("file"),
                                 QStringLiteral("cubins or sessions to open, each in a window"),
                                 QStringLiteral("[files...]"));
    for (const WindowOptionText& option : kWindowOptions)
        parser.addOption(QCommandLineOption(QString::fromLatin1(option.name),
                                            QString::fromLatin1(option.about),
                                            QString::fromLatin1(option.value)));
    parser.process(app);
    const auto take = [&](const char* name, QString& into) {
        if (parser.isSet(QString::fromLatin1(name))) into = parser.value(QString::fromLatin1(name));
    };
    WindowOptions o;
    o.files = parser.positionalArguments();
    take("kernel", o.kernel);
    take("session", o.session);
    take("agent", o.agent);
    take("agent-settings", o.agent_settings);
    take("evaluator", o.evaluator);
    take("budget", o.budget);
    if (parser.isSet(QStringLiteral("seed"))) o.seed = parser.value(QStringLiteral("seed")).toULongLong();
    take("theme", o.theme);
    take("size", o.size);
    take("select", o.select);
    return o;
}

// Qt interprets "--session FILE" as its session manager's option and removes it.
QString session_argument(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string_view(argv[i]) == "--session") return QString::fromLocal8Bit(argv[i + 1]);
    return {};
}

// A session manager ends programs with SIGTERM: the windows close as by Quit, and agents log their last evaluation. What
// a window would ask about stays in its journal, which the next start offers.
class EndOnSignal : public QObject {
  public:
    EndOnSignal() {
        if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) return;
        auto* notifier = new QSocketNotifier(ends_[0], QSocketNotifier::Read, this);
        connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
            notifier->setEnabled(false);
            for (MainWindow* window : std::vector(Windows::instance().all()))
                window->close();
            end_when_idle();
        });
        struct sigaction action {};
        action.sa_handler = [](int) {
            const int before = errno;
            [[maybe_unused]] const auto written = ::write(ends_[1], "", 1);
            errno = before;
        };
        ::sigaction(SIGTERM, &action, nullptr);
    }

  private:
    void end_when_idle() {
        constexpr int kEveryMs = 50;
        const auto& windows = Windows::instance().all();
        if (std::ranges::any_of(windows, [](const MainWindow* window) { return window->evaluating(); }))
            return QTimer::singleShot(kEveryMs, this, [this] { end_when_idle(); });
        for (MainWindow* window : windows)
            if (window->isVisible()) window->recovery().keep();
        QCoreApplication::exit(0);
    }
    static inline int ends_[2] = {-1, -1};  // the handler may only write
};

int run(QApplication& app, const WindowOptions& options, const std::function<void(MainWindow&)>& made) {
    init_resources();
    QCoreApplication::installTranslator(new EnglishPlurals(&app));
    Settings settings;
    Theme::instance().apply_to(app, options.theme.isEmpty() ? settings.theme() : theme_from(options.theme));
    Theme::instance().set_mono_points(settings.mono_points());
    Theme::instance().set_ui_points(settings.ui_points());
    MainWindow window;
    const QStringList sides = options.size.split(QLatin1Char('x'));
    if (sides.size() == 2) window.resize(sides[0].toInt(), sides[1].toInt());
    begin_when_open(&window, options);
    const EndOnSignal end_on_signal;
    if (made) made(window);
    window.show();
    if (!options.files.isEmpty()) window.open_path(options.files.first(), options.kernel);
    for (const QString& more : options.files.mid(1))
        Windows::instance().open_new(more);
    return QApplication::exec();
}

void name_app() {
    QApplication::setApplicationName(QStringLiteral("cubinlab"));
    QApplication::setApplicationDisplayName(QStringLiteral("CubinLab"));
    QApplication::setApplicationVersion(QString::fromStdString(version_number()));
    QApplication::setDesktopFileName(QStringLiteral("cubinlab"));
}

}  // namespace

int run_window(int argc, char** argv, const std::function<void(MainWindow&)>& made) {
    const QString session = session_argument(argc, argv);
    QApplication app(argc, argv);
    name_app();
    WindowOptions options = parse(app);
    if (options.session.isEmpty()) options.session = session;
    return run(app, options, made);
}

}  // namespace cubinlab
