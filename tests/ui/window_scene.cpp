// SPDX-License-Identifier: GPL-3.0-or-later
// The window of `cubinlab` in a program that acts by itself: for pictures, measurements, and tests that need a
// process of their own. It has the options of the window and these:
//
//   --do ACTIONS          what is done in the window (tests/ui/scene.h)
//   --screenshot PNG      a picture of the window, after the actions
//   --after SECONDS       when the picture is taken, 5; the actions begin a little before it
//   --heartbeat FILE      how late the window answers (tests/ui/heartbeat.h), written when the last window closes
//   --quit                closes the window after the picture
//   --quit-after SECONDS  closes it then
//   --quit-when-done      closes it when the agent's run is over
//
//   build/tests/window_scene samples/bmm_mma.cubin --do "select:0x1270;edit.move_up" --screenshot x.png --quit
#include <unistd.h>

#include <QApplication>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file.h"
#include "tests/ui/heartbeat.h"
#include "tests/ui/scene.h"
#include "ui/base/message_bar.h"
#include "ui/listing/compare_view.h"
#include "ui/run/run_controller.h"
#include "ui/shell/main_window.h"
#include "ui/shell/recovery.h"
#include "ui/shell/window_app.h"
#include "ui/shell/windows.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

struct SceneOptions {
    QString actions, screenshot;
    std::string heartbeat;
    double after = 5, quit_after = 0;  // seconds; quit_after 0: never
    bool quit = false, quit_when_done = false;
};

// Removes the scene's options from the words of the command line; the window reads the others.
SceneOptions take_options(std::vector<char*>& words) {
    SceneOptions o;
    std::vector<char*> others;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const auto value = [&] { return i + 1 < words.size() ? words[++i] : ""; };
        if (word == "--do")
            o.actions = QString::fromLocal8Bit(value());
        else if (word == "--screenshot")
            o.screenshot = QString::fromLocal8Bit(value());
        else if (word == "--after")
            o.after = std::strtod(value(), nullptr);
        else if (word == "--heartbeat")
            o.heartbeat = value();
        else if (word == "--quit")
            o.quit = true;
        else if (word == "--quit-after")
            o.quit_after = std::strtod(value(), nullptr);
        else if (word == "--quit-when-done")
            o.quit_when_done = true;
        else
            others.push_back(words[i]);
    }
    words = others;
    return o;
}

void close_window(MainWindow* window);

// The window closes by itself when the evaluation is logged, unless it has to ask.
void close_when_logged(MainWindow* window) {
    constexpr int kEveryMs = 200;
    QTimer::singleShot(kEveryMs, window,
                       [window] { window->evaluating() ? close_when_logged(window) : close_window(window); });
}

// Nobody answers what a window asks before it closes: standard error has the question, and what would be lost is
// kept and offered at the next start, as after a kill.
void close_window(MainWindow* window) {
    const bool waits = window->evaluating();
    if (!window->isVisible() || window->close()) return;
    if (waits) return close_when_logged(window);
    std::fprintf(stderr, "window_scene: not closed: %s\n", qPrintable(window->messages().newest_text()));
    if (Windows::instance().all().size() > 1) return;
    window->recovery().keep();
    QApplication::exit(1);
}

void take_picture(MainWindow* window, const SceneOptions& options) {
    if (!options.screenshot.isEmpty() && !save_picture(*window, options.screenshot))
        std::fprintf(stderr, "window_scene: cannot write %s\n", qPrintable(options.screenshot));
    if (options.quit) close_window(window);
}

// The picture waits for the actions, and for what is drawn in the background after the last of them.
Scene* play(MainWindow* window, const SceneOptions& options) {
    constexpr int kSettleMs = 1200, kBeforeMs = 2500;
    const int due = static_cast<int>(options.after * 1000);
    const auto picture_in = [window, options](int ms) {
        if (options.screenshot.isEmpty() && !options.quit) return;
        QTimer::singleShot(ms, window, [window, options] { take_picture(window, options); });
    };
    auto* scene = new Scene(*window, options.actions, [picture_in] { picture_in(kSettleMs); });
    if (options.actions.isEmpty())
        picture_in(due);
    else
        scene->start(std::max(0, due - kBeforeMs));
    if (options.quit_when_done)
        QObject::connect(&window->controller(), &RunController::finished, window,
                         [window] { QTimer::singleShot(1000, window, [window] { close_window(window); }); });
    if (options.quit_after > 0)
        QTimer::singleShot(static_cast<int>(options.quit_after * 1000), window,
                           [window] { close_window(window); });
    return scene;
}

// Lateness counts once the kernel is on screen: opening has its own figures.
void watch(MainWindow& window, const std::string& file) {
    auto* beat = new Heartbeat(&window);
    beat->watch_paint(&window, "window");
    Document& document = window.document();
    QObject::connect(&window.opener(), &Opener::opening, beat, [beat] { beat->note("open_asked"); });
    QObject::connect(&document, &Document::opened, beat,
                     [beat, &window] { beat->watch_paint(&window.compare_view(), "listing"); });
    QObject::connect(&document, &Document::checker_ready, beat, [beat] {
        beat->note("checker");
        beat->restart();
    });
    QObject::connect(qApp, &QCoreApplication::aboutToQuit, beat, [beat, file] {
        if (const auto written = write_text(file, beat->json()); !written)
            std::fprintf(stderr, "window_scene: %s\n", written.error().message().c_str());
    });
}

// The window starts its own program again for captures, profiles and campaigns: commands are those of `cubinlab`.
bool is_command(int argc, char** argv) {
    return argc > 1 && std::string_view(argv[1]).find_first_of("-./") == std::string_view::npos;
}

}  // namespace

int main(int argc, char** argv) {
    if (is_command(argc, argv)) {
        ::execv(CUBINLAB_BINARY_DIR "/bin/cubinlab", argv);
        return 127;
    }
    std::vector<char*> words(argv, argv + argc);
    const SceneOptions options = take_options(words);
    const int count = static_cast<int>(words.size());
    words.push_back(nullptr);
    bool failed = false;
    const int code = run_window(count, words.data(), [&](MainWindow& window) {
        Scene* scene = play(&window, options);
        QObject::connect(qApp, &QCoreApplication::aboutToQuit, scene,
                         [&failed, scene] { failed = scene->failed(); });
        if (!options.heartbeat.empty()) watch(window, options.heartbeat);
    });
    return code == 0 && failed ? 1 : code;
}
