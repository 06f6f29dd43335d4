// SPDX-License-Identifier: GPL-3.0-or-later
// No command loses a file of the user: inputs are never overwritten, other files only with --force, and both
// errors come before the search. A session contains no run that never started.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <thread>

#include "core/store/sqlite.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/wait_until.h"

using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

const std::string kBmmWorkload = std::string(CUBINLAB_SAMPLES) + "/bmm_mma.workload.json";

// A folder with copies of a kernel, its workload and a session of 40 steps.
struct Bench {
    TemporaryFolder folder;
    std::string cubin = folder / "k.cubin", workload = folder / "k.workload.json", session = folder / "s.db";
    Bench() {
        fs::copy_file(kBmm, cubin);
        fs::copy_file(kBmmWorkload, workload);
        succeeded(run_program(tune({"--session", session})));
    }
    std::vector<std::string> tune(const std::vector<std::string>& more) const {
        std::vector<std::string> out = {"tune",   cubin,      "--evaluator", "model", "--agent",
                                        "greedy", "--budget", "40steps",     "--json"};
        out.insert(out.end(), more.begin(), more.end());
        return out;
    }
    std::string operator/(const std::string& name) const { return folder / name; }
};

// Exit code 2, one JSON document, and the file as it was.
void refuses(const std::vector<std::string>& arguments, const std::string& file,
             const std::string& sentence) {
    const std::string before = bytes_of(file);
    const ProgramResult r = run_program(arguments);
    INFO(arguments[0] << " of " << file << ": " << r.out << r.err);
    CHECK(r.code == 2);
    REQUIRE(r.json().contains("error"));
    CHECK_THAT(r.json()["error"]["what"].get<std::string>(), contains_text(sentence));
    CHECK(bytes_of(file) == before);
}

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    return names;
}

}  // namespace

TEST_CASE("an input of a command is never its output, under any name and with --force") {
    const Bench b;
    fs::create_hard_link(b.cubin, b / "hard.cubin");
    fs::create_symlink(b.cubin, b / "link.cubin");
    const std::string input = "input";
    for (const std::string& out : {b.cubin, b / "hard.cubin", b / "link.cubin", b.workload, b / "n.db"})
        refuses(b.tune({"--session", b / "n.db", "--out", out, "--force"}), out, input);
    CHECK_FALSE(fs::exists(b / "n.db"));
    refuses(b.tune({"--session", b.session, "--out", b.session, "--force"}), b.session, input);
    refuses(b.tune({"--session", b.cubin}), b.cubin, input);
    refuses(b.tune({"--session", b.workload}), b.workload, input);
    for (const char* command : {"export", "replay", "report"})
        refuses({command, b.session, "--out", b.session, "--force", "--json"}, b.session, input);
    refuses({"check", b.cubin, "--against", kBmm, "--repair", b.cubin, "--force", "--json"}, b.cubin, input);
    refuses({"workload", "init", b.cubin, "--out", b.cubin, "--force", "--json"}, b.cubin, input);
}

TEST_CASE("only --force replaces a file of the user, and the message names what it was") {
    const Bench b;
    const std::string mine = b / "mine.txt", sentence = "--force";
    write(mine, "three years of notes");
    refuses(b.tune({"--session", b / "n.db", "--out", mine}), mine, sentence);
    CHECK_FALSE(fs::exists(b / "n.db"));  // checked before the search, not after
    refuses({"export", b.session, "--out", b.cubin, "--json"}, b.cubin, sentence);
    refuses({"report", b.session, "--out", b.workload, "--json"}, b.workload, sentence);
    refuses({"replay", b.session, "--out", mine, "--json"}, mine, sentence);
    refuses({"export", b.session, "--schedule", "minimal", "--out", mine, "--json"}, mine, sentence);
    refuses({"check", b.cubin, "--against", kBmm, "--repair", mine, "--json"}, mine, sentence);
    refuses({"workload", "init", b.cubin, "--out", b.workload, "--json"}, b.workload, sentence);

    ::chmod(mine.c_str(), 0600);
    const ProgramResult forced =
        succeeded(run_program({"export", b.session, "--out", mine, "--force", "--json"}));
    CHECK_THAT(forced.json()["replaced"].get<std::string>(), contains_text("20 bytes"));
    struct stat info {};
    REQUIRE(::stat(mine.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("an output that cannot be written is an error before the search") {
    const Bench b;
    REQUIRE(::mkfifo((b / "pipe").c_str(), 0600) == 0);
    for (const std::string& out : {b / "no/such/folder/x.cubin", b.folder.path().string(), b / "pipe",
                                   std::string("/dev/null"), std::string("/proc/x.cubin")}) {
        const ProgramResult r = run_program(b.tune({"--session", b / "n.db", "--out", out}));
        INFO(out << ": " << r.out << r.err);
        CHECK(r.code == 2);
        CHECK(r.json().contains("error"));
        CHECK_FALSE(fs::exists(b / "n.db"));
    }
    for (const char* command : {"info", "show", "check"}) {
        const ProgramResult r = run_program({command, b / "pipe", "--json"});
        CHECK(r.code == 2);
        CHECK(r.json().contains("error"));
    }
}

TEST_CASE("a session contains no run that never started, and an older run without a step has no result") {
    const Bench b;
    const ProgramResult failed = run_program(b.tune({"--session", b / "n.db", "--agent", "clairvoyant"}));
    CHECK(failed.code == 2);
    CHECK_FALSE(fs::exists(b / "n.db"));
    CHECK(run_program({"tune", b.cubin, "--evaluator", "model", "--agent", "clairvoyant", "--budget",
                       "10steps", "--session", b.session})
              .code == 2);
    CHECK(run_program({"replay", b.session, "--json"}).json()["run"] == 1);

    {
        auto database =
            required(cubinlab::sqlite::Database::open(b.session, cubinlab::sqlite::Mode::ReadWrite));
        REQUIRE(database->exec(
            "INSERT INTO runs (kernel, workload, machine, agent, settings, seed, budget, start_run, "
            "start_step, "
            "start_hash, locked, batch, started, version) SELECT kernel, workload, machine, 'clairvoyant', "
            "settings, seed, "
            "budget, 0, 0, start_hash, locked, batch, started, version FROM runs WHERE id = 1;"
            "INSERT INTO keyframes SELECT 2, step, schedule_hash, schedule FROM keyframes WHERE run = 1 AND "
            "step = 0"));
    }
    // The newest with a step is meant by "the newest".
    const ProgramResult newest = run_program({"export", b.session, "--out", b / "x.cubin", "--json"});
    CHECK(newest.code == 0);
    CHECK(newest.json()["run"] == 1);
    CHECK(run_program(b.tune({"--session", b.session, "--resume", "0"})).json()["run"] == 1);
    const std::string sentence = "before its first step";
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"export", b.session, "--run", "2", "--out", b / "y.cubin", "--json"},
          {"replay", b.session, "--run", "2", "--json"},
          {"replay", b.session, "--run", "2", "--patterns", "--json"},
          {"report", b.session, "--run", "2", "--out", b / "y.html", "--json"},
          {"export", b.session, "--run", "2", "--bundle", b / "y", "--json"}})
        refuses(command, b.session, sentence);
    refuses(b.tune({"--session", b.session, "--resume", "2"}), b.session,
            "the agent clairvoyant; leave --agent out");
    refuses({"tune", b.cubin, "--evaluator", "model", "--session", b.session, "--resume", "2", "--json"},
            b.session, "no agent");
    CHECK_FALSE(fs::exists(b / "y.cubin"));
    {
        auto database =
            required(cubinlab::sqlite::Database::open(b.session, cubinlab::sqlite::Mode::ReadWrite));
        REQUIRE(database->exec("DELETE FROM mutations; DELETE FROM runs WHERE id = 1"));
    }
    refuses({"export", b.session, "--out", b / "y.cubin", "--json"}, b.session, "no result");
}

TEST_CASE("a stamp counts moves as diff does") {
    const Bench b;
    const ProgramResult tuned =
        run_program({"tune", b.cubin, "--evaluator", "model", "--agent", "random", "--budget", "3000steps",
                     "--session", b / "n.db", "--out", b / "best.cubin", "--json"});
    REQUIRE(tuned.code == 0);
    const auto stamp = nlohmann::json::parse(bytes_of(b / "best.cubin.provenance.json"));
    const auto diff = run_program({"diff", b.cubin, b / "best.cubin", "--json"}).json()["kernels"][0];
    CHECK(stamp["moved"] == diff["moved"]);
    CHECK(stamp["control_changed"] == diff["control_changed"]);
}

TEST_CASE("a session whose name is not UTF-8 gives a stamp as any other") {
    const Bench b;
    const std::string odd = b / "u\xff.db";
    fs::copy_file(b.session, odd);
    succeeded(run_program({"export", odd, "--out", b / "best.cubin"}));
    CHECK(nlohmann::json::parse(bytes_of(b / "best.cubin.provenance.json")).contains("stamp"));
}

TEST_CASE("a limit of the file size is reported like a full disk") {
    const Bench b;
    const ProgramResult r = run_any("/bin/sh", {"-c", "ulimit -f 8; exec \"$0\" \"$@\"",
                                                std::string(CUBINLAB_BINARY_DIR) + "/bin/cubinlab", "export",
                                                b.session, "--out", b / "best.cubin"});
    INFO(r.out << r.err);
    CHECK(r.code == 2);
    CHECK_THAT(r.err, contains_text("File too large"));
    CHECK(names_in(b.folder.path()).count("best.cubin") == 0);
}

TEST_CASE("patterns of a folder count every session of the scope, and the copy of a run once") {
    const Bench b;
    const auto patterns = [&](const std::string& session, const char* scope) {
        const ProgramResult r =
            succeeded(run_program({"replay", session, "--patterns", "--scope", scope, "--json"}));
        return r.json();
    };
    const auto steps = [](const auto& report) {
        std::size_t sum = 0;
        for (const auto& pattern : report["patterns"])
            sum += pattern["count"].template get<std::size_t>();
        return sum;
    };
    const auto tune = [&](const std::string& cubin, const std::string& session) {
        succeeded(run_program({"tune", cubin, "--evaluator", "model", "--agent", "greedy", "--budget",
                               "40steps", "--seed", "2", "--session", session, "--json"}));
    };
    const auto run = patterns(b.session, "run");
    CHECK(run["run"] == 1);
    CHECK(patterns(b.session, "all")["patterns"].size() == run["patterns"].size());
    fs::copy_file(b.session, b / "copy.db");
    CHECK(patterns(b.session, "all")["copies"] == 1);
    CHECK(steps(patterns(b.session, "all")) == steps(run));

    tune(b.cubin, b / "same_kernel.db");
    tune(kSoftmax, b / "other_kernel.db");
    write(b / "damaged.db", "no session");
    const auto same = patterns(b / "same_kernel.db", "run"), other = patterns(b / "other_kernel.db", "run");
    REQUIRE(steps(other) > 0);
    const auto kernel = patterns(b.session, "kernel"), all = patterns(b.session, "all");
    CHECK(kernel["runs"] == 2);
    CHECK(steps(kernel) == steps(run) + steps(same));
    CHECK(all["runs"] == 3);
    CHECK(all["sessions"] == 3);
    CHECK(steps(all) == steps(kernel) + steps(other));
    REQUIRE(all["unread"].size() == 1);
    CHECK_THAT(all["unread"][0]["where"].get<std::string>(), contains_text("damaged.db"));
    const ProgramResult text = run_program({"replay", b.session, "--patterns", "--scope", "all"});
    CHECK_THAT(text.out, contains_text("3 runs of 3 sessions"));
    CHECK_THAT(text.out, contains_text("in modelled cycles, unmeasured:"));
    CHECK_THAT(text.out, contains_text("damaged.db"));
}

TEST_CASE("a campaign is reported in the unit of its budget") {
    const Bench b;
    const std::string folder = b / "c";
    fs::create_directory(folder);
    fs::copy_file(b.cubin, folder + "/k.cubin");
    fs::copy_file(b.workload, folder + "/k.workload.json");
    REQUIRE(
        run_program({"campaign", folder, "--agent", "greedy", "--evaluator", "model", "--budget", "40steps"})
            .code == 0);
    const auto report = run_program({"campaign", folder, "--report", "--json"}).json();
    // Nobody timed its launches: an even part of the budget is no share of a time.
    CHECK(run_program({"campaign", folder, "--report"}).out.find("100.0") == std::string::npos);
    CHECK(report["budget"] == "40steps");
    CHECK(report["kernels"][0]["allotted_steps"] == 40);
}

TEST_CASE("a resumption with the largest budget does not wrap around") {
    const Bench b;
    const KilledRun run = run_and_kill({"tune", b.cubin, "--evaluator", "model", "--session", b.session,
                                        "--resume", "0", "--budget", "18446744073709551615steps"},
                                       0, 3000);
    CHECK(run.was_running);
}

TEST_CASE("a session's workload reads only files next to it without --allow-files") {
    const Bench b;
    write(b / "x.bin", std::string(64, 'x'));
    auto workload = nlohmann::json::parse(bytes_of(b.workload), nullptr, true, true);
    workload["params"][0]["buffer"]["init"] = {{"file", "/etc/passwd"}};
    {
        auto database =
            required(cubinlab::sqlite::Database::open(b.session, cubinlab::sqlite::Mode::ReadWrite));
        auto update = required(database->prepare("UPDATE workloads SET json = ?"));
        REQUIRE(update->bind(workload.dump()));
        REQUIRE(update->run());
    }
    const ProgramResult r = run_program({"export", b.session, "--bundle", b / "e", "--json"});
    CHECK(r.code == 1);
    CHECK_THAT(r.json()["error"]["what"].get<std::string>(), contains_text("--allow-files"));
    CHECK_FALSE(fs::exists(b / "e"));
    CHECK(run_program({"measure", b.session, "--json"}).code != 0);
}

TEST_CASE("an earlier export stays if a run finds nothing better, and tune says so") {
    const Bench b;
    const std::string out = b / "best.cubin";
    REQUIRE(run_program({"export", b.session, "--out", out}).code == 0);
    const std::string before = bytes_of(out), stamp = bytes_of(out + ".provenance.json");
    // Most single random steps find nothing.
    std::vector<std::string> nothing;
    nlohmann::json document = nlohmann::json::object();
    for (int seed = 1; seed <= 20 && document.value("kept", "") == ""; ++seed) {
        REQUIRE(run_program({"export", b.session, "--out", out}).code == 0);
        nothing = {"tune",   b.cubin,     "--evaluator", "model", "--agent", "random", "--budget",
                   "1steps", "--session", b / "t.db",    "--out", out,       "--seed", std::to_string(seed)};
        auto json = nothing;
        json.push_back("--json");
        document = run_program(json).json();
    }
    REQUIRE(document["summary"]["best_step"] == 0);
    CHECK(document["kept"] == "an earlier export of this kernel");
    CHECK(document["out"] == "");
    CHECK(document["replaced"] == "");
    CHECK(bytes_of(out) == before);
    CHECK(bytes_of(out + ".provenance.json") == stamp);
    const ProgramResult told = run_program(nothing);
    CHECK(told.code == 0);
    CHECK_THAT(told.out, contains_text("an earlier export of this kernel stays"));
    CHECK(bytes_of(out) == before);
}

TEST_CASE("a run whose output was replaced meanwhile prints its summary and how to export its best") {
    const Bench b;
    const std::string out = b / "taken.cubin", session = b / "long.db";
    std::thread other([&] {
        wait_until([&] { return fs::exists(session); });
        write(out, "mine");
    });
    const ProgramResult r = run_program({"tune", b.cubin, "--evaluator", "model", "--agent", "greedy",
                                         "--budget", "3s", "--session", session, "--out", out});
    other.join();
    INFO(r.out << r.err);
    CHECK(r.code == 2);
    CHECK(bytes_of(out) == "mine");
    CHECK_THAT(r.out, contains_text("best: step "));
    CHECK_THAT(r.out, contains_text("session: " + session));
    CHECK_THAT(r.err, contains_text("`cubinlab export " + session + " --run 1 --out OTHER.cubin`"));
    CHECK(run_program({"export", session, "--run", "1", "--out", b / "other.cubin"}).code == 0);
}

TEST_CASE("a report's document names its run, and reschedule sums stall cycles as diff does") {
    const Bench b;
    const auto report = run_program({"report", b.session, "--out", b / "r.html", "--json"}).json();
    CHECK(report["run"] == 1);
    const auto made =
        run_program({"reschedule", b.cubin, "--tighten", "--out", b / "t.cubin", "--json"}).json();
    REQUIRE(made.contains("stall_cycles_before"));
    const auto diff = run_program({"diff", b.cubin, b / "t.cubin", "--json"}).json()["kernels"][0];
    CHECK(made["stall_cycles_before"] == diff["stall_cycles_a"]);
    CHECK(made["stall_cycles_after"] == diff["stall_cycles_b"]);
}

TEST_CASE("reschedule takes a reachable block of the loop that explain calls hot") {
    for (const std::string& sample : {kBmm, kSoftmax}) {
        const auto pass = run_program({"explain", sample, "--json"}).json()["pass"];
        const auto made = run_program({"reschedule", sample, "--json"});
        INFO(sample << made.out << made.err);
        if (made.code == 0) {
            const auto block = made.json()["block"].get<int>();
            CHECK(block >= pass["first"].get<int>());
            CHECK(block <= pass["last"].get<int>());
        } else {
            CHECK_THAT(made.out, contains_text("of the block at 0x"));
        }
    }
    // Only two instructions of this kernel are reachable; most of it is padding.
    const auto none = run_program({"reschedule", std::string(CUBINLAB_TEST_DATA) + "/cubins/empty.90.cubin"});
    INFO(none.out << none.err);
    CHECK(none.code == 1);
    CHECK_THAT(none.err, contains_text("block at 0x0000"));
}

TEST_CASE("a run that evaluates nothing leaves no new session, and keeps an existing one") {
    const Bench b;
    const std::string fresh = b / "fresh.db";
    auto all_locked = b.tune({"--lock", "0x0-0x1af0", "--session", fresh});
    const auto document = run_program(all_locked).json();
    REQUIRE(document["run"] == 0);
    CHECK(document["session"] == "");
    CHECK_FALSE(fs::exists(fresh));
    all_locked.back() = b.session;
    CHECK(run_program(all_locked).json()["session"] == b.session);
    CHECK(run_program({"runs", b.session, "--json"}).json()["runs"].size() == 1);
}

TEST_CASE("tune reports options that the model ignores") {
    const Bench b;
    const auto note = [&](const std::vector<std::string>& more) {
        return run_program(b.tune(more)).json()["note"].get<std::string>();
    };
    const std::string words = "--worker, --workers and --device are ignored";
    CHECK_THAT(note({"--session", b / "1.db", "--device", "99"}), contains_text(words));
    CHECK_THAT(note({"--session", b / "2.db", "--worker", "false"}), contains_text(words));
    CHECK(note({"--session", b / "3.db"}).find(words) == std::string::npos);
}

TEST_CASE("files of two architectures differ, even if all encodings are equal") {
    const Bench b;
    std::string other = bytes_of(b.cubin);
    REQUIRE(other.size() > 52);
    REQUIRE(other[49] == 90);
    other[49] = 89;  // e_flags
    write(b / "other.cubin", other);
    const auto arch = [&](const std::string& file) {
        return run_program({"info", file, "--json"}).json()["arch"].get<std::string>();
    };
    REQUIRE(arch(b.cubin) != arch(b / "other.cubin"));
    const ProgramResult r = run_program({"diff", b.cubin, b / "other.cubin", "--json"});
    CHECK(r.code == 1);
    CHECK(r.json()["same"] == false);
    CHECK(r.json()["arch_a"] == arch(b.cubin));
    CHECK(r.json()["arch_b"] == arch(b / "other.cubin"));
    CHECK_THAT(run_program({"diff", b.cubin, b / "other.cubin"}).out,
               contains_text("neither can replace the other"));
    CHECK(run_program({"diff", b.cubin, b.cubin, "--json"}).json()["same"] == true);
}
