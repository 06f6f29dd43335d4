// SPDX-License-Identifier: GPL-3.0-or-later
// Typing mistakes: each gives one line, the documented exit code and, with --json, one document.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/store/sqlite.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

struct Mistake {
    std::vector<std::string> arguments;
    std::string sentence;
};

void tells(const Mistake& mistake) {
    const ProgramResult text = run_program(mistake.arguments);
    std::string line;
    for (const std::string& a : mistake.arguments)
        line += a + " ";
    INFO(line << "\n" << text.out << text.err);
    CHECK(text.code == 2);
    CHECK(text.out.empty());
    CHECK_THAT(text.err, contains_text(mistake.sentence));
    CHECK(std::count(text.err.begin(), text.err.end(), '\n') == 1);
    std::vector<std::string> with_json = mistake.arguments;
    with_json.push_back("--json");
    const ProgramResult json = run_program(with_json);
    CHECK(json.code == 2);
    REQUIRE(json.json().is_object());
    CHECK(json.json().contains("error"));
}

}  // namespace

TEST_CASE("a word that is neither a command nor a file gives one line with a suggestion") {
    tells({{"tuen", kBmm}, "did you mean tune?"});
    tells({{"exprot"}, "did you mean export?"});
    tells({{"tune", kBmm, "--buget", "5s"}, "did you mean --budget?"});
    // Both words are left over; the error names the option by the name of other programs.
    tells({{"tune", kBmm, "--seconds", "2"}, "was not expected: --seconds; did you mean --budget?"});
    tells({{"extract", kBmm, "-o", "x.cubin"}, "did you mean --out?"});
    // Also if the mistyped option is required.
    tells({{"extract", kBmm, "--ouy", "x.cubin"}, "did you mean --out?"});
    tells({{"frobnicate"}, "cubinlab help"});
    tells({{"absent.cubin"}, "no such file"});
    tells({{""}, "empty"});
    tells({{"help", "tuen"}, "did you mean tune?"});
    tells({{"workload", "int", kBmm}, "did you mean init?"});
    // A file whose name looks like an option, and a missing file.
    tells({{"info", "-k.cubin"}, "was not expected: -k.cubin"});
    const TemporaryFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    std::filesystem::copy_file(kBmm, "-k.cubin");
    tells({{"info", "-k.cubin"}, "-k.cubin is read as an option; to name the file, write ./-k.cubin"});
    CHECK(run_program({"info", "./-k.cubin"}).code == 0);
    std::filesystem::current_path(before);
}

TEST_CASE("numbers and choices that make no sense are refused by name") {
    for (const Mistake& mistake :
         std::vector<Mistake>{{{"tune", kBmm, "--seed", "-1"}, "--seed"},
                              {{"tune", kBmm, "--seed", "18446744073709551616"}, "whole number"},
                              {{"tune", kBmm, "--seed", "1x"}, "'1x'"},
                              {{"tune", kBmm, "--seed", "1.5"}, "'1.5'"},
                              {{"tune", kBmm, "--batch", "0"}, "--batch"},
                              {{"tune", kBmm, "--batch", "-3"}, "--batch"},
                              {{"tune", kBmm, "--resume", "-2", "--session", "s.db"}, "--resume"},
                              {{"tune", kBmm, "--evaluator", "gpuu"}, "auto, gpu, model"},
                              {{"tune", kBmm, "--budget", "-5s"}, "budget"},
                              {{"tune", kBmm, "--budget", "0steps"}, "budget"},
                              {{"tune", kBmm, "--budget", "99999999999999999999steps"}, "budget"},
                              {{"tune", kBmm, "--out", ""}, "must not be empty"},
                              {{"tune", kBmm, "--device", "-1"}, "--device"},
                              {{"tune", kBmm, "--workers", "none"}, "--workers"},
                              {{"replay", "s.db", "--run", "-1"}, "--run"},
                              {{"measure", kBmm, kBmm, "--loads", "1"}, "--loads"}})
        tells(mistake);
}

TEST_CASE("a command of the laboratory gives one line, with any arguments") {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"fuzz"},
                                               {"fuzz", kBmm, "--steps", "10"},
                                               {"fuzz", "--help"},
                                               {"help", "fuzz"},
                                               {"probe", kBmm, "--queues"}}) {
        const ProgramResult run = run_program(words);
        INFO(run.out << run.err);
        CHECK(run.code == 2);
        CHECK(run.out.empty());
        CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
        const std::string name = words.front() == "help" ? words[1] : words.front();
        CHECK(run.err.find("`cubinlab-lab " + name + "`") != std::string::npos);
    }
    CHECK(run_program({"fuzz", kBmm, "--json"}).json()["error"]["code"] == "bad-use");
    tells({{"bench"}, "`cubinlab-lab budgets`"});
}

TEST_CASE("help and version are printed on standard output") {
    for (const std::vector<std::string>& ask :
         std::vector<std::vector<std::string>>{{"help"},
                                               {"--help"},
                                               {"-h"},
                                               {"help", "tune"},
                                               {"help", "workload", "init"},
                                               {"tune", "--help"}}) {
        const ProgramResult r = run_program(ask);
        CHECK(r.code == 0);
        CHECK_THAT(r.out, contains_text("Usage: cubinlab"));
    }
    CHECK_THAT(run_program({"help", "workload", "init"}).out, contains_text("Usage: cubinlab workload init"));
    // Reading the window's options needs no display.
    for (const std::vector<std::string>& ask :
         std::vector<std::vector<std::string>>{{"help", "window"}, {kBmm, "--help"}}) {
        const ProgramResult r = run_program(ask);
        CHECK(r.code == 0);
        CHECK_THAT(r.out, contains_text("--select offset"));
    }
    for (const char* ask : {"--version", "-v", "-V"}) {
        const ProgramResult r = run_program({ask});
        CHECK(r.code == 0);
        CHECK_THAT(r.out, contains_text("cubinlab 0."));
        CHECK_THAT(r.out, contains_text("session schema"));
        CHECK_THAT(r.out, contains_text("worker protocol 7"));
    }
}

TEST_CASE("without a display the window does not open, and says so in one line") {
    for (const Environment& environment : std::vector<Environment>{
             {{"QT_QPA_PLATFORM", ""}, {"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}},
             {{"QT_QPA_PLATFORM", ""}, {"DISPLAY", ":94"}, {"WAYLAND_DISPLAY", ""}},
             {{"QT_QPA_PLATFORM", ""}, {"DISPLAY", ""}, {"WAYLAND_DISPLAY", "wayland-94"}},
             {{"QT_QPA_PLATFORM", "xcb"}, {"DISPLAY", ":94"}, {"WAYLAND_DISPLAY", ""}}})
        for (const std::vector<std::string>& start : std::vector<std::vector<std::string>>{{}, {kBmm}}) {
            const ProgramResult r = run_program(start, environment);
            INFO(r.err);
            CHECK((r.code == 2 || r.code == 3));
            CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
        }
}

TEST_CASE("an invalid value of a window option is an error before a window opens") {
    const Environment offscreen = {{"QT_QPA_PLATFORM", "offscreen"}};
    for (const auto& [arguments, words] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--theme", "pink"}, "--theme: 'pink' is not one of light, dark, system"},
             {{"--theme=drak"}, "did you mean dark?"},
             {{"--size", "10"}, "--size: '10' is not a valid window size; write WxH, 1400x900"},
             {{"--size", "0x900"}, "'0x900' is not a valid window size"},
             {{"--seed", "-1"}, "'-1' is not a whole number of at least 0"},
             {{kBmm, "--theme"}, "--theme needs a value"},
             {{kBmm, "--screenshot", "x.png"}, "the window has no option --screenshot"},
             {{"-version"}, "did you mean --version?"},
             {{"--evaluator", "cpu"}, "'cpu' is not one of auto, gpu, model"}}) {
        const ProgramResult r = run_program(arguments, offscreen);
        INFO(arguments.front() << ": " << r.err);
        CHECK(r.code == 2);
        CHECK_THAT(r.err, contains_text(words));
    }
}

TEST_CASE("doctor reports no missing display if Qt draws without one") {
    const ProgramResult r = run_program(
        {"doctor", "--json"}, {{"QT_QPA_PLATFORM", "offscreen"}, {"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
    const auto document = r.json();
    bool found = false;
    for (const auto& part : document["parts"])
        if (part["part"] == "display") found = part["present"].get<bool>();
    INFO(r.out);
    CHECK(found);
}

TEST_CASE("the unedited template of a workload is refused") {
    TemporaryFolder folder;
    std::filesystem::copy_file(kBmm, folder / "k.cubin");
    REQUIRE(run_program({"workload", "init", folder / "k.cubin", "--out", folder / "k.workload.json"}).code ==
            0);
    tells({{"tune", folder / "k.cubin", "--evaluator", "model", "--budget", "10steps", "--session",
            folder / "s.db"},
           "TODO"});
}

TEST_CASE("names from a file are shown, not obeyed") {
    TemporaryFolder folder;
    std::ifstream in(kBmm, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const ProgramResult plain = run_program({"info", kBmm, "--json"});
    const std::string name = plain.json()["kernels"][0]["name"];
    // Same length, so that the file stays valid.
    std::string evil = name;
    evil.replace(0, 3, "\x1b[m");
    for (std::size_t at = 0; (at = bytes.find(name, at)) != std::string::npos; at += name.size())
        bytes.replace(at, name.size(), evil);
    std::ofstream(folder / "evil.cubin", std::ios::binary) << bytes;
    for (const char* command : {"info", "show", "check"}) {
        const ProgramResult r = run_program({command, folder / "evil.cubin"});
        CHECK(r.out.find('\x1b') == std::string::npos);
        CHECK(r.err.find('\x1b') == std::string::npos);
        CHECK_THAT(r.out + r.err, contains_text("\\x1b[m"));
    }
    const ProgramResult missing = run_program({"info", "no\x1b[31m\xe2\x80\xaesuch/file.cubin"});
    CHECK(missing.err.find('\x1b') == std::string::npos);
    CHECK_THAT(missing.err, contains_text("\\u202e"));
}

TEST_CASE("names and texts from a session are shown, not obeyed") {
    TemporaryFolder folder;
    const std::string session = folder / "s.db";
    REQUIRE(run_program({"tune", kSoftmax, "--evaluator", "model", "--agent", "random", "--budget", "10steps",
                         "--session", session})
                .code == 0);
    {
        using namespace cubinlab::sqlite;
        auto database = required(Database::open(session, Mode::ReadWrite));
        REQUIRE(
            database->exec("UPDATE runs SET agent = 'a' || char(27) || '[2J' || char(8238), "
                           "version = char(27) || ']0;x' || char(7);"
                           "UPDATE machines SET device = 'gpu' || char(27) || '[31m';"
                           "UPDATE mutations SET detail = char(27) || '[8m'"));
    }
    std::size_t shown = 0;
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"runs", session},
                                               {"log", session},
                                               {"compare", session, session},
                                               {"replay", session},
                                               {"replay", session, "--verify"},
                                               {"tune", kSoftmax, "--session", session, "--resume", "0"},
                                               {"export", session, "--out", folder / "x.cubin"}}) {
        const ProgramResult r = run_program(words);
        INFO(words[0] << ": " << r.out << r.err);
        CHECK(r.code >= 0);
        CHECK((r.out + r.err).find('\x1b') == std::string::npos);
        CHECK((r.out + r.err).find('\x07') == std::string::npos);
        CHECK((r.out + r.err).find("\xe2\x80\xae") == std::string::npos);
        shown += (r.out + r.err).find("\\x1b[2J") != std::string::npos ? 1 : 0;
    }
    CHECK(shown >= 2);
}

TEST_CASE("a stored listing that differs from the code is not used") {
    TemporaryFolder folder;
    const std::string listing = std::string(CUBINLAB_SAMPLES) + "/bmm_mma.listing";
    REQUIRE(std::filesystem::exists(listing));
    std::filesystem::copy_file(kBmm, folder / "k.cubin");
    std::ifstream in(listing);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const Environment none = {{"PATH", "/nonexistent"},
                              {"CUBINLAB_NVDISASM", "/nonexistent/nvdisasm"},
                              {"CUDA_HOME", "/nonexistent"},
                              {"XDG_CACHE_HOME", "/nonexistent"}};
    std::ofstream(folder / "k.listing") << text;
    CHECK(run_program({"show", folder / "k.cubin", "--json"}, none).json()["listing"] == "stored");
    const std::size_t store = text.find("STG");
    REQUIRE(store != std::string::npos);
    text.replace(store, 3, "LDG");
    std::ofstream(folder / "k.listing") << text;
    const ProgramResult r = run_program({"show", folder / "k.cubin"}, none);
    CHECK(r.code == 0);
    CHECK_THAT(r.out, contains_text("does not say what the words are"));
    CHECK(run_program({"show", folder / "k.cubin", "--json"}, none).json()["listing"] == "built-in");
}

TEST_CASE("a closed terminal and a closed pipe end a run as Ctrl-C does") {
    TemporaryFolder folder;
    for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE}) {
        const std::string session = folder / ("s" + std::to_string(signal) + ".db");
        const ProgramResult r = run_and_signal(
            {"tune", kBmm, "--evaluator", "model", "--agent", "random", "--budget", "100000000steps",
             "--session", session, "--progress", "--out", session + ".cubin"},
            50, signal);
        INFO("signal " << signal << ": " << r.out << r.err.substr(0, 500));
        CHECK(r.code >= 0);  // ended by itself
        const ProgramResult replay = succeeded(run_program({"replay", session, "--verify", "--json"}));
        CHECK(replay.json()["verified_steps"].get<std::int64_t>() >= 40);
        CHECK_FALSE(std::filesystem::exists(session + "-wal"));
        CHECK(std::filesystem::exists(session + ".cubin"));
    }
}

// timeout signals its child and then the group that both are in.
TEST_CASE("a run that timeout ends receives one signal, and writes its best") {
    TemporaryFolder folder;
    const std::string program = std::string(CUBINLAB_BINARY_DIR) + "/bin/cubinlab";
    for (int i = 0; i < 6; ++i) {
        const std::string here = folder / std::to_string(i);
        std::filesystem::create_directory(here);
        const ProgramResult r =
            run_any("/bin/bash", {"-c", "cd " + here + "; exec timeout 0.8 '" + program + "' tune '" + kBmm +
                                            "' --evaluator model --agent greedy --budget 5m --session s.db "
                                            "--out best.cubin --json"});
        INFO(r.out << r.err);
        CHECK(r.code == 124);
        CHECK(r.json()["summary"]["end"] == "stopped");
        CHECK(std::filesystem::exists(here + "/best.cubin"));
    }
}

// The second signal comes while the first one's results are being written, or close to it.
TEST_CASE("Ctrl-C twice ends at once, with a complete log and no partial file") {
    TemporaryFolder folder;
    for (const char* gap : {"0", "0.02", "0.04", "0.05", "0.06", "0.08"}) {
        const std::string here = folder / gap;
        std::filesystem::create_directory(here);
        const ProgramResult r = run_any(
            "/bin/bash",
            {"-c",
             "cd " + here + "; '" + std::string(CUBINLAB_BINARY_DIR) + "/bin/cubinlab' tune '" + kBmm +
                 "' --evaluator model --agent random --budget 100000000steps --session s.db --out best.cubin "
                 "--progress 2>steps & until [ $(grep -c hash steps) -gt 9 ]; do sleep 0.02; done; kill -INT "
                 "$!; sleep " +
                 gap + "; kill -INT $!; wait $!"});
        INFO(gap << ": " << r.out << r.err);
        CHECK((r.code == 130 || r.code == 0));
        for (const auto& entry : std::filesystem::directory_iterator(here)) {
            const std::string name = entry.path().filename().string();
            INFO(name);
            CHECK((name.starts_with("s.db") || name == "steps" || name == "best.cubin" ||
                   name == "best.cubin.provenance.json"));
        }
        CHECK(run_program({"replay", here + "/s.db", "--verify"}).code == 0);
    }
}

TEST_CASE("a campaign without a budget first prints its duration, and how to stop it") {
    const TemporaryFolder folder;
    for (const char* end : {".cubin", ".workload.json"})
        std::filesystem::copy_file(kSamples + "/bmm_mma" + end, folder / (std::string("bmm_mma") + end));
    const ProgramResult r = run_and_signal(
        {"campaign", folder.path().string(), "--evaluator", "model", "--agent", "random"}, 1, SIGINT);
    INFO(r.out << r.err);
    const std::string first = r.err.substr(0, r.err.find('\n'));
    CHECK_THAT(first, contains_text("1 kernel of "));
    CHECK_THAT(first, contains_text("at most 10m on each GPU"));
    CHECK_THAT(first, contains_text("--budget"));
    CHECK_THAT(first, contains_text("Ctrl-C stops it"));
    CHECK_THAT(run_program({"help", "campaign"}).out, contains_text("--budget TEXT=10m"));
}

TEST_CASE("output that cannot be written is not success") {
    for (const char* command : {"info", "show", "help"}) {
        const ProgramResult full =
            run_to_full_disk({command, command == std::string("help") ? "tune" : kBmm});
        CHECK(full.code == 2);
    }
    CHECK(run_to_full_disk({"--version"}).code == 2);
    CHECK(run_to_full_disk({"tune", "--help"}).code == 2);
}

TEST_CASE("a mistyped command is an error even with --help after it") {
    const ProgramResult r = run_program({"tuen", "--help"});
    CHECK(r.code == 2);
    CHECK_THAT(r.err, contains_text("did you mean tune?"));
    CHECK(run_program({kBmm, "--help"}).code == 0);
}

TEST_CASE("a typing mistake in a window option gives the same error as in a command") {
    TemporaryFolder folder;
    // Also without a display: Qt is not involved.
    const Environment none = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};
    const ProgramResult wrong = run_program({"--sessoin", folder / "x.db", kSoftmax}, none);
    INFO(wrong.out << wrong.err);
    CHECK(wrong.code == 2);
    const bool window = wrong.err.find("no window") == std::string::npos;
    if (window) CHECK_THAT(wrong.err, contains_text("did you mean --session?"));
    const ProgramResult later = run_program({kSoftmax, "--budgte=5s"}, none);
    CHECK(later.code == 2);
    if (window) CHECK_THAT(later.err, contains_text("did you mean --budget?"));
}

// The first message would overwrite a database that has descriptor 1 or 2.
TEST_CASE("with closed standard streams a run says so by its exit code, and its session is sound") {
    TemporaryFolder folder;
    const std::string session = folder / "closed.db";
    const std::string program = std::string(CUBINLAB_BINARY_DIR) + "/bin/cubinlab";
    const std::string closed = " <&- >&- 2>&-";
    const std::string tune = "'" + program + "' tune '" + kSoftmax +
                             "' --agent random --evaluator model --budget 40steps --session '" + session +
                             "'";
    const auto code = [](int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status); };
    CHECK(code(std::system((tune + closed).c_str())) == 2);  // its text could not be written
    succeeded(run_program({"replay", session, "--json"}));
    std::ifstream in(session, std::ios::binary);
    std::string head(16, ' ');
    in.read(head.data(), 16);
    CHECK(head == std::string("SQLite format 3\0", 16));
    // A message on a closed stream: an error is still an error, not a crash.
    CHECK(code(std::system(
              ("'" + program + "' info '" + (folder / "absent.cubin") + "'" + closed).c_str())) == 2);
}
