// SPDX-License-Identifier: GPL-3.0-or-later
// Options of every command. Reference with the JSON documents: resources/docs/command-line.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <span>

#include "app/cli/command.h"
#include "app/cli/option_checks.h"
#include "app/cli/output.h"
#include "core/base/version.h"
#include "core/store/schema.h"

namespace cubinlab::cli {
namespace {

constexpr std::array kCommands = {"info",     "show",   "check",  "diff", "measure", "tune",
                                  "replay",   "export", "verify", "fuzz", "probe",   "bench",
                                  "workload", "doctor", "report", "help"};

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kAnyId = std::numeric_limits<std::int64_t>::max();

void add_force(CLI::App* app, bool& force) {
    app->add_flag("--force", force, "replace a file that this program did not write (never an input)");
}

void add_allow_files(CLI::App* app, bool& allow) {
    app->add_flag("--allow-files", allow,
                  "the workload inside the session may read files that do not lie beside it");
}

void add_common(CLI::App* app, Common& options, bool kernel = true) {
    app->add_flag("--json", options.json, "print one JSON document");
    if (kernel) app->add_option("--kernel", options.kernel, "kernel name, where the file has several");
}

void add_gpu(CLI::App* app, GpuOptions& options) {
    app->add_option("--worker", options.workers,
                    "command that starts a bench worker, for example on another machine; several: a pool "
                    "(\"local\" is this machine's)")
        ->allow_extra_args(false);
    app->add_option("--workers", options.gpus,
                    "GPUs of each worker's machine, counted from --device: N or all")
        ->check([](const std::string& text) {
            const bool number = !text.empty() && text.size() < 4 &&
                                text.find_first_not_of("0123456789") == std::string::npos && text != "0";
            return number || text == "all" ? std::string() : "'" + text + "' is not a number of GPUs or all";
        });
    app->add_option("--device", options.device, "GPU number")->check(whole(0, 1023));
    app->add_flag("--cold", options.cold, "flush the L2 cache before each timed launch");
}

// Owns the options of all commands; each is run by the callback of its subcommand.
struct Parser {
    CLI::App app{"CubinLab: a workbench for SASS schedules. Without a command it opens the window.",
                 "cubinlab"};
    std::function<int()> run;
    bool json = false;  // of the chosen command, for errors of use

    InfoOptions info;
    ShowOptions show;
    CheckOptions check;
    DiffOptions diff;
    MeasureOptions measure;
    TuneOptions tune;
    ReplayOptions replay;
    ExportOptions exporting;
    ReportCommandOptions report;
    VerifyOptions verifying;
    FuzzOptions fuzz;
    ProbeOptions probe;
    BenchOptions bench;
    WorkloadInitOptions workload;
    DoctorOptions doctor;

    Parser() {
        app.require_subcommand(1);
        app.option_defaults()->always_capture_default();
        app.set_version_flag("-v,-V,--version", version_line());
        add_viewing();
        add_measuring();
        add_sessions();
        add_rest();
        for (CLI::App* sub : app.get_subcommands({}))
            forbid_empty(sub);
    }

    // `--out ""` is a variable that was not set, not a wish for no output.
    static void forbid_empty(CLI::App* sub) {
        for (CLI::Option* option : sub->get_options())
            if (option->get_items_expected_max() > 0) {
                option->check(not_empty(), "");
                if (option->get_default_str() == "[]") option->default_str("");
            }
        for (CLI::App* inner : sub->get_subcommands({}))
            forbid_empty(inner);
    }

    template <class Options>
    CLI::App* command(const char* name, const char* about, Options& options, int (*body)(const Options&)) {
        CLI::App* sub = app.add_subcommand(name, about);
        sub->callback([this, &options, body] { run = [&options, body] { return body(options); }; });
        return sub;
    }

    void add_viewing() {
        auto* sub = command("info", "kernels, architecture, resources, instruction mix", info, run_info);
        sub->add_option("FILE", info.file, "cubin")->required();
        add_common(sub, info);
        sub = command("show", "listing with control codes, blocks and live registers", show, run_show);
        sub->add_option("FILE", show.file, "cubin")->required();
        sub->add_flag("--built-in", show.builtin, "use the built-in text, no nvdisasm and no stored listing");
        add_common(sub, show);
        sub = command("check", "legality of each kernel as it stands, or as a reschedule of ORIG", check,
                      run_check);
        sub->add_option("FILE", check.file, "cubin")->required();
        sub->add_option("--against", check.against, "the original cubin");
        sub->add_option("--repair", check.repair, "write the nearest legal schedule to this file");
        add_force(sub, check.force);
        add_common(sub, check);
        sub = command("diff", "what moved, what control codes changed, what else differs", diff, run_diff);
        sub->add_option("A", diff.a, "cubin")->required();
        sub->add_option("B", diff.b, "cubin")->required();
        add_common(sub, diff);
    }

    void add_measuring() {
        auto* sub =
            command("measure", "verdict of B against A on a GPU, with interval", measure, run_measure);
        sub->add_option("A", measure.a, "cubin, or a session whose step is measured against its original")
            ->required();
        sub->add_option("B", measure.b, "cubin; not with a session");
        sub->add_option("--workload", measure.workload, "default: A's NAME.workload.json");
        sub->add_option("--tried", measure.tried,
                        "B was chosen from so many by this command: corrects the interval for it")
            ->check(whole(1, 1'000'000));
        sub->add_flag("--no-energy", measure.no_energy, "leave out the energy of a launch (some seconds)");
        sub->add_option("--run", measure.run, "with a session: run number; 0: the newest with a step")
            ->check(whole(0, kAnyId));
        sub->add_option("--step", measure.step, "with a session: step number or best");
        sub->add_option("--loads", measure.loads, "fresh module loads of each")->check(whole(2, 1000));
        sub->add_option("--seed", measure.seed, "of inputs and order")->check(whole(0, kAny));
        add_allow_files(sub, measure.allow_files);
        add_gpu(sub, measure.gpu);
        add_common(sub, measure);
        sub = command("tune", "search for a faster schedule and log every step", tune, run_tune);
        sub->add_option("FILE", tune.file, "cubin")->required();
        sub->add_option("--workload", tune.workload, "default: NAME.workload.json beside the cubin");
        sub->add_option("--agent", tune.agent, "greedy, group, anneal, evolve, random, ppo or ppo-cuasmrl");
        sub->add_option("--agent-settings", tune.agent_settings, "the agent's own settings, a JSON object");
        sub->add_option("--evaluator", tune.evaluator, "auto, gpu or model")
            ->check(one_of({"auto", "gpu", "model"}));
        sub->add_option("--budget", tune.budget, "60s, 5m or 5000steps");
        sub->add_option("--seed", tune.seed, "same seed and step budget: same run")->check(whole(0, kAny));
        sub->add_option("--session", tune.session, "session file; default: NAME.cubinlab.db");
        sub->add_option("--resume", tune.resume, "continue this run of the session (0: the newest)")
            ->check(whole(0, kAnyId))
            ->default_str("");
        sub->add_option("--lock", tune.lock,
                        "byte offsets that the agent neither moves nor edits: 0x120-0x1f0,0x300");
        sub->add_option("--batch", tune.batch, "proposals in flight; default 1 on the model, 16 for each GPU")
            ->check(whole(1, 65536))
            ->default_str("");
        sub->add_option("--out", tune.out, "write the best schedule here");
        add_force(sub, tune.force);
        sub->add_flag("--progress", tune.progress, "one JSON line a step on standard error");
        add_gpu(sub, tune.gpu);
        add_common(sub, tune);
        sub = command("fuzz", "random legal walks, each run and compared: is the checker sound?", fuzz,
                      run_fuzz);
        sub->add_option("FILE", fuzz.file, "cubin");
        sub->add_option("--workload", fuzz.workload, "default: NAME.workload.json beside the cubin");
        sub->add_option("--evaluator", fuzz.evaluator,
                        "gpu; model only checks that the walks are legal by the full check")
            ->check(one_of({"gpu", "model"}));
        sub->add_option("--steps", fuzz.steps, "candidates")->check(whole(1, 1'000'000'000'000));
        sub->add_option("--seed", fuzz.seed, "of the walks")->check(whole(0, kAny));
        sub->add_option("--first", fuzz.first, "number of the first walk: goes on where a run ended")
            ->check(whole(0, 1'000'000'000'000));
        sub->add_option("--seconds", fuzz.seconds, "ends there, whatever is left of the candidates")
            ->check(real(0, 1e9));
        sub->add_option("--longest", fuzz.longest_walk, "mutations of a walk, at most")
            ->check(whole(1, 10000));
        sub->add_option("--input-sets", fuzz.input_sets, "input sets that every candidate runs on")
            ->check(whole(1, 64));
        sub->add_flag("--beside", fuzz.beside, "a second kernel runs beside and disturbs the timing");
        sub->add_flag(
            "--directed", fuzz.directed,
            "instead of walks: every legal move past an asynchronous or fence instruction, and every "
            "legal control code of or next to one");
        sub->add_flag("--same", fuzz.same,
                      "instead of walks: the original itself every time; does it differ from itself?");
        sub->add_option("--base", fuzz.base,
                        "--directed: from the original (0) or from the end of random walk number BASE - 1");
        sub->add_option("--failures", fuzz.failures,
                        "folder for the cubin, the walk and the culprit of every failure");
        sub->add_option("--merge", fuzz.merge, "one table of the documents (--json) of earlier runs");
        sub->add_option("--bad-every", fuzz.bad_every,
                        "blend in one known-bad candidate after this many legal ones; 0: none")
            ->check(whole(0, 1'000'000'000));
        add_gpu(sub, fuzz.gpu);
        add_common(sub, fuzz);
        sub = command("probe", "minimum distances between dependent instructions, measured on this GPU",
                      probe, run_probe);
        sub->add_option("FILE", probe.file, "cubin, for example resources/probe/synthesis.sm_90a.cubin")
            ->required();
        sub->add_option("--workload", probe.workload,
                        "default: NAME.KERNEL.workload.json or NAME.workload.json beside the cubin");
        sub->add_option("--repeats", probe.repeats, "evaluations of each candidate")
            ->check(whole(1, 1'000'000));
        sub->add_option("--seed", probe.seed, "of the inputs")->check(whole(0, kAny));
        sub->add_option(
            "--log", probe.log,
            "synthesised experiments: one JSON row each is appended here; rows in it are not measured again");
        sub->add_option("--only", probe.only, "synthesised: pairs and topics whose name contains this");
        sub->add_option("--seconds", probe.seconds, "synthesised: ends there")->check(real(0.001, 1e9));
        sub->add_option("--trials", probe.trials,
                        "synthesised: at the largest distance that breaks and one above")
            ->check(whole(1, 1'000'000'000));
        sub->add_option("--question-trials", probe.question_trials, "synthesised: of each open question")
            ->check(whole(1, 1'000'000'000));
        sub->add_flag("--no-pairs", probe.no_pairs, "synthesised: open questions only");
        sub->add_flag("--no-questions", probe.no_questions, "synthesised: distances only");
        sub->add_option("--mined", probe.mined,
                        "synthesised: cubins as compiled; their smallest distances beside the measured");
        sub->add_flag(
            "--queues", probe.queues,
            "synthesised: is an operand read before a younger memory instruction overwrites it? FILE: "
            "resources/probe/queues.sm_90a.cubin");
        sub->add_flag("--summary", probe.summary, "synthesised: no GPU, the tables of --log as they stand");
        add_gpu(sub, probe.gpu);
        add_common(sub, probe);
    }

    void add_sessions() {
        auto* page = command("report", "one self-contained HTML file that tells a run", report, run_report);
        page->add_option("SESSION", report.session, "session file")->required();
        page->add_option("--run", report.run, "run number; 0: the newest with a step")
            ->check(whole(0, kAnyId));
        page->add_option("--out", report.out, "HTML file; default: SESSION.html in this folder");
        add_force(page, report.force);
        add_allow_files(page, report.allow_files);
        page->add_flag("--minimise", report.minimise,
                       "also of a run on a GPU: which edits carry the gain, by measuring (a minute or more)");
        add_gpu(page, report.gpu);
        add_common(page, report, false);
        auto* sub = command("replay", "rebuild a step of a session and check its hash", replay, run_replay);
        sub->add_option("SESSION", replay.session, "session file")->required();
        sub->add_option("--run", replay.run, "run number; 0: the newest with a step")
            ->check(whole(0, kAnyId));
        sub->add_option("--step", replay.step, "step number or best");
        sub->add_option("--out", replay.out, "write it as a cubin");
        add_force(sub, replay.force);
        sub->add_flag("--verify", replay.verify, "rebuild every step of the run and check every hash");
        sub->add_flag("--patterns", replay.patterns,
                      "what the accepted steps did, grouped, with their gains");
        add_common(sub, replay, false);
        sub = command("export", "write a schedule of a session as a cubin", exporting, run_export);
        sub->add_option("SESSION", exporting.session, "session file")->required();
        sub->add_option("--run", exporting.run, "run number; 0: the newest with a step")
            ->check(whole(0, kAnyId));
        sub->add_option("--what", exporting.what, "best, minimal or step:N");
        auto* out = sub->add_option("--out", exporting.out, "cubin to write");
        auto* bundle =
            sub->add_option("--bundle", exporting.bundle,
                            "folder to write: both cubins, workload, raw samples, machine; see verify");
        sub->add_option("--loads", exporting.loads,
                        "fresh module loads of each, for the bundle's measurement")
            ->check(whole(2, 1000));
        out->excludes(bundle);
        add_force(sub, exporting.force);
        add_allow_files(sub, exporting.allow_files);
        add_gpu(sub, exporting.gpu);
        add_common(sub, exporting, false);
        sub = command("verify", "check an evidence bundle and repeat its measurement on this GPU", verifying,
                      run_verify);
        sub->add_option("BUNDLE", verifying.bundle, "folder that export --bundle wrote")->required();
        sub->add_option("--loads", verifying.loads, "fresh module loads of each")->check(whole(2, 1000));
        sub->add_option("--seed", verifying.seed, "of inputs and order; differs from measure's by default")
            ->check(whole(0, kAny));
        add_gpu(sub, verifying.gpu);
        add_common(sub, verifying, false);
    }

    void add_rest() {
        auto* sub = command("bench", "the project's own budgets, measured", bench, run_bench);
        sub->add_option("--suite", bench.suite, "budgets, or measurement (needs a GPU)")
            ->check(one_of({"budgets", "measurement"}));
        sub->add_option("--seconds", bench.seconds, "of the measurement suite")->check(real(1, 86400));
        sub->add_option("--seed", bench.seed, "of the measurement suite")->check(whole(0, kAny));
        sub->add_option(
               "--part", bench.parts,
               "of the measurement suite: same, known, padded, rate, hostile, cold, pool, or all; several "
               "with commas; default: same,known,rate")
            ->delimiter(',');
        sub->add_option("--probe", bench.probe, "folder of hostile_probe.sm_90a.cubin");
        sub->add_option("--known", bench.known, "kernels of the part known, with commas")->delimiter(',');
        add_gpu(sub, bench.gpu);
        sub->add_option("--samples", bench.folder, "folder of sample cubins");
        add_common(sub, bench, false);
        auto* group = app.add_subcommand("workload", "launch descriptions");
        group->require_subcommand(1);
        auto* init = group->add_subcommand("init", "a commented template from the parameter table");
        init->callback([this] { run = [this] { return run_workload_init(workload); }; });
        init->add_option("FILE", workload.file, "cubin")->required();
        init->add_option("--out", workload.out, "file to write; default: standard output");
        add_force(init, workload.force);
        add_common(init, workload);
        sub = command("doctor", "what is installed, what was found where, what each missing part costs",
                      doctor, run_doctor);
        add_gpu(sub, doctor.gpu);
        add_common(sub, doctor, false);
    }
};

std::vector<std::string> command_names() {
    return {kCommands.begin(), kCommands.end()};
}

std::string hint(const std::string& meant) {
    return meant.empty() ? "" : "; did you mean " + meant + "?";
}

CLI::App* command_in(CLI::App& app, const std::string& name) {
    for (CLI::App* sub : app.get_subcommands({}))
        if (sub->get_name() == name) return sub;
    return nullptr;
}

// The innermost command that the words begin with: "workload init" of "workload init k.cubin".
CLI::App* chosen(CLI::App& app, std::span<char*> words, std::string* name = nullptr) {
    CLI::App* at = &app;
    for (const char* word : words) {
        CLI::App* next = command_in(*at, word);
        if (next == nullptr) break;
        if (name != nullptr) *name += (name->empty() ? "" : " ") + std::string(word);
        at = next;
    }
    return at;
}

// One line instead of CLI11's page: what is wrong, what may have been meant, where to read on.
Error use_error(CLI::App& app, std::span<char*> words, const std::string& what) {
    std::string name;
    CLI::App* command = chosen(app, words, &name);
    std::string said = what.substr(0, what.find('\n'));
    std::vector<std::string> known;
    for (const CLI::Option* option : command->get_options())
        for (const std::string& spelling : option->get_lnames())
            known.push_back("--" + spelling);
    for (const char* word : words) {
        const std::string option = std::string(word).substr(0, std::string(word).find('='));
        if (!option.starts_with("-") || said.find(option) == std::string::npos ||
            std::find(known.begin(), known.end(), option) != known.end())
            continue;
        said += hint(nearest(option, known));
        break;
    }
    const std::vector<CLI::App*> inner = command->get_subcommands({});
    const std::size_t at = static_cast<std::size_t>(std::count(name.begin(), name.end(), ' ')) + 1;
    if (!inner.empty() && !name.empty() && at < words.size()) {
        std::vector<std::string> names;
        for (CLI::App* one : inner)
            names.push_back(one->get_name());
        said = fmt::format("'{}' is not one of {}{}", words[at], fmt::join(names, ", "),
                           hint(nearest(words[at], names)));
    }
    return {ErrorCode::BadUse,
            said + (said.back() == '?' ? "" : ";") + " see `cubinlab help" + (name.empty() ? "" : " ") +
                name + "`",
            name};
}

int print_help(CLI::App& app, std::span<char*> words, bool json) {
    CLI::App* command = &app;
    std::string name;
    for (const char* word : words) {
        if (std::strcmp(word, "--json") == 0) continue;
        CLI::App* next = command_in(*command, word);
        if (next == nullptr)
            return print_error(
                {ErrorCode::BadUse,
                 fmt::format("there is no command '{}'{}", word, hint(nearest(word, command_names()))),
                 "help"},
                json);
        command = next;
    }
    if (json) return print_document({{"help", command->help()}});
    print_text(command->help());
    return 0;
}

}  // namespace

bool wants_json(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--json") == 0) return true;
    return false;
}

std::string version_line() {
    return fmt::format("cubinlab {}, session schema {}", version_text(), current_schema_version());
}

bool is_command(const std::string& word) {
    for (const char* command : kCommands)
        if (word == command) return true;
    return false;
}

std::optional<Error> not_for_the_window(int argc, char** argv) {
    if (argc < 2) return std::nullopt;
    const std::string first = argv[1];
    if (first.empty())
        return Error{ErrorCode::BadUse, "the first argument is empty; see `cubinlab help`", {}};
    if (first[0] == '-') {
        if (first != "--json") return std::nullopt;
        return Error{ErrorCode::BadUse, "--json goes behind a command; see `cubinlab help`", {}};
    }
    std::error_code error;
    if (std::filesystem::exists(first, error)) return std::nullopt;
    const std::string meant = nearest(first, command_names());
    const bool word = first.find_first_of("./") == std::string::npos;
    if (word || !meant.empty())
        return Error{ErrorCode::BadUse,
                     fmt::format("'{}' is neither a command nor a file{}{}", first, hint(meant),
                                 meant.empty() ? "; see `cubinlab help`" : ""),
                     {}};
    return Error{ErrorCode::NotFound, "no such file", first};
}

int run_cli(int argc, char** argv) {
    Parser parser;
    const std::span<char*> words(argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0)));
    const bool json = wants_json(argc, argv);
    int code = 2;
    if (!words.empty() && std::strcmp(words[0], "help") == 0) {
        code = print_help(parser.app, words.subspan(1), json);
    } else {
        try {
            parser.app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) return parser.app.exit(error);  // --help, --version
            return print_error(use_error(parser.app, words, error.what()), json);
        }
        code = parser.run ? parser.run() : 2;
    }
    if (std::fflush(stdout) == 0 && !output_lost()) return code;
    std::fputs("cubinlab: standard output could not be written\n", stderr);
    return code == 0 ? 2 : code;
}

}  // namespace cubinlab::cli
