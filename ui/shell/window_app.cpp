// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_app.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "core/base/file.h"
#include "core/base/version.h"
#include "core/store/session.h"
#include "ui/base/english_plurals.h"
#include "ui/base/settings.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"
#include "ui/listing/compare_view.h"
#include "ui/run/output_gate.h"
#include "ui/shell/heartbeat.h"
#include "ui/shell/main_window.h"
#include "ui/shell/recovery.h"
#include "ui/shell/scene.h"
#include "ui/shell/windows.h"

// Resources of a static library are linked in by naming them, outside of any namespace.
static void init_resources() {
    Q_INIT_RESOURCE(icons);
}

namespace cubinlab {
namespace {

using namespace ui;

void close_by_script(MainWindow* window);

// It closes by itself when the evaluation is logged, unless it has to ask.
void close_when_logged(MainWindow* window) {
    constexpr int kLookEveryMs = 200;
    QTimer::singleShot(kLookEveryMs, window, [window] {
        window->shell().evaluating() ? close_when_logged(window) : close_by_script(window);
    });
}

// Nobody is there to answer what a window asks before it closes: it is said on standard error, and what would be lost
// is kept and offered at the next start, as behind a kill.
void close_by_script(MainWindow* window) {
    const bool waits = window->shell().evaluating();
    if (!window->isVisible() || window->close()) return;
    if (waits) return close_when_logged(window);
    std::fprintf(stderr, "cubinlab: not closed: %s\n", qPrintable(window->messages().newest_text()));
    if (Windows::instance().all().size() > 1) return;
    window->shell().recovery().keep();
    QApplication::exit(1);
}

void take_picture(MainWindow* window, const WindowOptions& options) {
    if (!options.screenshot.empty() && !save_picture(*window, QString::fromStdString(options.screenshot)))
        std::fprintf(stderr, "cubinlab: cannot write %s\n", options.screenshot.c_str());
    if (options.quit_after_screenshot) close_by_script(window);
}

// The actions begin a little before the picture is due. The picture waits for them, and for what is drawn in
// the background after the last of them.
void play_scene(MainWindow* window, const WindowOptions& options) {
    constexpr int kSettleMs = 1200;
    const int due = static_cast<int>(options.after_seconds * 1000);
    auto* scene = new Scene(*window, QString::fromStdString(options.actions), window);
    const bool picture = !options.screenshot.empty() || options.quit_after_screenshot;
    if (options.actions.empty()) {
        if (picture) QTimer::singleShot(due, window, [window, options] { take_picture(window, options); });
        return;
    }
    if (picture)
        QObject::connect(scene, &Scene::finished, window, [window, options] {
            QTimer::singleShot(kSettleMs, window, [window, options] { take_picture(window, options); });
        });
    QTimer::singleShot(std::max(0, due - 2500), scene, &Scene::start);
}

// Runs go into this file, unless it is one of another kernel, or no session: its runs are not this kernel's.
void use_session(MainWindow* window, const std::string& path) {
    std::error_code ignored;
    QString why;
    if (std::filesystem::exists(path, ignored)) {
        auto session = SessionReader::open(path);
        auto kernel = session ? (*session)->kernel() : Result<KernelPtr>(fail(session.error()));
        if (!kernel)
            why = QString::fromStdString(kernel.error().message());
        else if ((*kernel)->hash() != window->document().kernel()->hash())
            why = MainWindow::tr("It is of another kernel: %1.")
                      .arg(called(QString::fromStdString((*kernel)->name())));
    }
    if (why.isEmpty()) return window->controller().set_session_path(path);
    window->messages().post(
        MessageKind::Error,
        MainWindow::tr("%1 is not used").arg(QFileInfo(QString::fromStdString(path)).fileName()),
        MainWindow::tr("%1 Runs go into a new session.").arg(why));
}

// What a script wants done once the kernel is open: the first one, not those that are opened in its place.
void run_scene(MainWindow* window, const WindowOptions& options) {
    const auto begin = [window, options] {
        if (!options.session.empty()) use_session(window, options.session);
        if (!options.select.empty()) {
            const auto position = std::strtoul(options.select.c_str(), nullptr, 16) / kWordBytes;
            const SchedulePtr original = window->document().head(Head::Original);
            if (position < original->size())
                window->selection().select(original->at(static_cast<Position>(position)));
        }
        if (options.agent.empty()) return;
        RunRequest request;
        request.agent = QString::fromStdString(options.agent);
        request.agent_settings = QString::fromStdString(options.agent_settings);
        request.evaluator = QString::fromStdString(options.evaluator);
        request.budget = QString::fromStdString(options.budget);
        request.seed = options.seed;
        window->start_agent(request);
    };
    QObject::connect(&window->document(), &Document::checker_ready, window, begin, Qt::SingleShotConnection);
    play_scene(window, options);
    if (options.quit_when_done)
        QObject::connect(&window->controller(), &RunController::finished, window, [window] {
            QTimer::singleShot(1000, window, [window] { close_by_script(window); });
        });
    if (options.quit_after_seconds > 0)
        QTimer::singleShot(static_cast<int>(options.quit_after_seconds * 1000), window,
                           [window] { close_by_script(window); });
}

// Lateness counts once the kernel is on screen: opening has its own figures.
std::unique_ptr<Heartbeat> watch_window(MainWindow& window) {
    auto heartbeat = std::make_unique<Heartbeat>();
    heartbeat->watch_paint(&window, "window");
    QObject::connect(&window.document(), &Document::opening, heartbeat.get(),
                     [beat = heartbeat.get()] { beat->note("open_asked"); });
    QObject::connect(
        &window.document(), &Document::opened, heartbeat.get(),
        [beat = heartbeat.get(), &window] { beat->watch_paint(&window.compare_view(), "listing"); });
    QObject::connect(&window.document(), &Document::checker_ready, heartbeat.get(), [beat = heartbeat.get()] {
        beat->note("checker");
        beat->restart();
    });
    return heartbeat;
}

WindowOptions parse(const QApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "A workbench for NVIDIA SASS schedules. `cubinlab --help` lists the commands that need no window."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("file"),
                                 QStringLiteral("cubins or sessions to open, each in a window"),
                                 QStringLiteral("[files...]"));
    for (const WindowOptionText& option : kWindowOptions) {
        const QString name = QString::fromLatin1(option.name), about = QString::fromLatin1(option.about);
        parser.addOption(option.value == nullptr
                             ? QCommandLineOption(name, about)
                             : QCommandLineOption(name, about, QString::fromLatin1(option.value)));
    }
    parser.process(app);
    const auto text = [&](const char* name) { return parser.value(QString::fromLatin1(name)).toStdString(); };
    WindowOptions o;
    const QStringList files = parser.positionalArguments();
    if (!files.isEmpty()) o.file = files.first().toStdString();
    for (const QString& more : files.mid(1))
        o.more_files.push_back(more.toStdString());
    o.kernel = text("kernel");
    o.session = text("session");
    o.agent = text("agent");
    if (parser.isSet(QStringLiteral("agent-settings"))) o.agent_settings = text("agent-settings");
    if (parser.isSet(QStringLiteral("evaluator"))) o.evaluator = text("evaluator");
    if (parser.isSet(QStringLiteral("budget"))) o.budget = text("budget");
    if (parser.isSet(QStringLiteral("seed"))) o.seed = parser.value(QStringLiteral("seed")).toULongLong();
    o.theme = text("theme");
    o.size = text("size");
    o.screenshot = text("screenshot");
    if (parser.isSet(QStringLiteral("after")))
        o.after_seconds = parser.value(QStringLiteral("after")).remove(QLatin1Char('s')).toDouble();
    o.quit_after_screenshot = parser.isSet(QStringLiteral("quit"));
    o.quit_after_seconds = parser.value(QStringLiteral("quit-after")).remove(QLatin1Char('s')).toDouble();
    o.quit_when_done = parser.isSet(QStringLiteral("quit-when-done"));
    o.heartbeat = text("heartbeat");
    o.select = text("select");
    o.actions = text("do");
    return o;
}

// Qt takes "--session FILE" for its session manager's own and removes it before a program sees it.
std::string session_argument(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string_view(argv[i]) == "--session") return argv[i + 1];
    return {};
}

Status write_heartbeat(const std::string& path, const Heartbeat& heartbeat) {
    const OutputFile file = output_file(QString::fromStdString(path), Replace::Confirmed);
    TRY(check_output(file));
    return write_text(path, heartbeat.json());
}

int run(QApplication& app, const WindowOptions& options) {
    init_resources();
    QCoreApplication::installTranslator(new EnglishPlurals(&app));
    Settings settings;
    Theme::instance().apply_to(
        app, options.theme.empty() ? settings.theme() : theme_from(QString::fromStdString(options.theme)));
    Theme::instance().set_mono_points(settings.mono_points());
    Theme::instance().set_ui_points(settings.ui_points());
    MainWindow window;
    if (!options.size.empty()) {
        const QStringList parts = QString::fromStdString(options.size).split(QLatin1Char('x'));
        if (parts.size() == 2) window.resize(parts[0].toInt(), parts[1].toInt());
    }
    run_scene(&window, options);
    std::unique_ptr<Heartbeat> heartbeat;
    if (!options.heartbeat.empty()) heartbeat = watch_window(window);
    window.show();
    if (!options.file.empty())
        window.open_path(QString::fromStdString(options.file), QString::fromStdString(options.kernel));
    for (const std::string& more : options.more_files)
        Windows::instance().open_new(QString::fromStdString(more));
    const int code = QApplication::exec();
    if (heartbeat)
        if (auto written = write_heartbeat(options.heartbeat, *heartbeat); !written)
            std::fprintf(stderr, "cubinlab: %s\n", written.error().message().c_str());
    const auto* scene = window.findChild<Scene*>();
    return code == 0 && scene != nullptr && scene->failed() ? 1 : code;
}

void name_app() {
    QApplication::setApplicationName(QStringLiteral("cubinlab"));
    QApplication::setApplicationDisplayName(QStringLiteral("CubinLab"));
    QApplication::setApplicationVersion(QString::fromStdString(version_number()));
    QApplication::setDesktopFileName(QStringLiteral("cubinlab"));
}

}  // namespace

int run_window(int argc, char** argv) {
    const std::string session = session_argument(argc, argv);
    QApplication app(argc, argv);
    name_app();
    WindowOptions options = parse(app);
    if (options.session.empty()) options.session = session;
    return run(app, options);
}

int run_window(int argc, char** argv, const WindowOptions& options) {
    QApplication app(argc, argv);
    name_app();
    return run(app, options);
}

}  // namespace cubinlab
