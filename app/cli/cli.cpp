// SPDX-License-Identifier: GPL-3.0-or-later
// The options of every command. resources/docs/command-line.md describes them and the JSON documents.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/base/command_table.h"
#include "app/cli/base/option_checks.h"
#include "app/cli/command.h"
#include "app/cli/program/program_commands.h"
#include "core/base/version.h"
#include "core/gpu/protocol/frame.h"
#include "core/result/outcome.h"
#include "core/search/engine/searcher.h"
#include "core/store/schema.h"
#include "core/store/session.h"

namespace cubinlab::cli {
namespace {

constexpr const char* kAnyFile = "cubin, fatbin, program, library, object file, Triton cache or cache entry";
constexpr const char* kAnyCode = "as for info, or a source (.ptx, .cu)";

// "auto, greedy ..."
std::string agent_names() {
    std::string out;
    for (const SearcherDescription& agent : searcher_descriptions())
        out += (out.empty() ? "" : ", ") + agent.name;
    return out;
}

// Checked before a session or a folder is touched. The LibTorch module checks the names that start with ppo.
Check known_agent() {
    return [](const std::string& name) -> std::string {
        std::vector<std::string> names;
        for (const SearcherDescription& agent : searcher_descriptions())
            names.push_back(agent.name);
        return name.starts_with("ppo") ? "" : one_of(names)(name);
    };
}

// "4", of "CUBINLAB-BENCH 4\n".
std::string protocol_version() {
    const std::string_view number = std::string_view(kPreamble).substr(sizeof kPreambleStart - 1);
    return std::string(number.substr(0, number.find('\n')));
}

std::vector<std::string> outcome_names() {
    std::vector<std::string> out;
    for (int kind = 0; kind <= static_cast<int>(OutcomeKind::Error); ++kind)
        out.emplace_back(to_string(static_cast<OutcomeKind>(kind)));
    return out;
}

void add_session_run(CLI::App* app, std::string& session, std::int64_t& run) {
    app->add_option("SESSION", session, "session file")->required();
    app->add_option("--run", run, "run number; 0: the newest with a step")->check(whole(0, kAnyId));
}

struct Commands {
    CommandTable table{"cubinlab",
                       "CubinLab: a workbench for SASS schedules. Without a command it opens the window "
                       "(`cubinlab help window`).",
                       version_line()};

    InfoOptions info;
    ShowOptions show;
    CheckOptions check;
    DiffOptions diff;
    RescheduleOptions reschedule;
    ExplainOptions explain;
    ProfileOptions profile;
    ExtractOptions extract;
    InstallCommandOptions install;
    PatchMakeOptions patch_make;
    PatchApplyOptions patch_apply;
    MeasureOptions measure;
    TuneOptions tune;
    StartsOptions starts;
    ReplayOptions replay;
    ExportOptions exporting;
    ReportCommandOptions report;
    VerifyOptions verifying;
    WorkloadInitOptions workload;
    SessionsOptions runs, compare;
    LogOptions log;
    DoctorOptions doctor;
    RunOptions running;
    CaptureCommandOptions capture;
    CampaignOptions campaign;

    Commands() {
        add_viewing();
        add_taking_out();
        add_putting_back();
        add_measuring();
        add_starts();
        add_sessions();
        add_logs();
        add_programs();
        add_rest();
        table.add_moved("bench", "cubinlab-lab budgets");
        table.add_moved("fuzz", "cubinlab-lab fuzz");
        table.add_moved("probe", "cubinlab-lab probe");
    }

    void add_viewing() {
        auto* sub = table.add("info", "kernels, architecture, resources, instruction mix", info, run_info);
        sub->add_option("FILE", info.file, kAnyFile)->required();
        add_kernel_choice(sub, info);
        sub = table.add("show", "listing with control codes, blocks and live registers", show, run_show);
        sub->add_option("FILE", show.file, kAnyFile)->required();
        sub->add_flag("--built-in", show.builtin, "use the built-in text, no nvdisasm and no stored listing");
        add_kernel_choice(sub, show);
        sub = table.add("check", "legality of each kernel alone, or as a reschedule of another: --against",
                        check, run_check);
        sub->add_option("FILE", check.file, kAnyFile)->required();
        sub->add_option("--against", check.against, "the original: a cubin, or a file that contains it");
        sub->add_option("--repair", check.repair, "write the nearest legal schedule to this file");
        add_force(sub, check.force);
        add_kernel_choice(sub, check);
        sub = table.add("reschedule", "reorder one block by the model, or only minimise its stall counts",
                        reschedule, run_reschedule);
        sub->add_option("FILE", reschedule.file, kAnyFile)->required();
        sub->add_option("--block", reschedule.block,
                        "block at this byte offset; default: largest of the hot loop, with --tighten all");
        sub->add_flag("--tighten", reschedule.tighten,
                      "keep the order, and lower every stall count as far as is legal");
        sub->add_option("--out", reschedule.out, "write the schedule here");
        add_force(sub, reschedule.force);
        add_kernel_choice(sub, reschedule);
        sub = table.add("diff", "moved instructions, changed control codes, other changes", diff, run_diff);
        sub->add_option("A", diff.a, kAnyFile)->required();
        sub->add_option("B", diff.b, kAnyFile)->required();
        add_kernel_choice(sub, diff);
        sub = table.add("explain",
                        "where the cycles of the hot loop go by the SM model, and what waits for what",
                        explain, run_explain);
        sub->add_option("FILE", explain.file, kAnyFile)->required();
        sub->add_option("--against", explain.against,
                        "a reschedule of FILE: how its edits changed each wait");
        sub->add_option("--workload", explain.workload,
                        "default: NAME.workload.json next to FILE; gives the number of warps");
        add_kernel_choice(sub, explain);
    }

    void add_taking_out() {
        auto* sub =
            table.add("extract", "extract one cubin, or its PTX, from a program, library, fatbin or cache",
                      extract, run_extract);
        sub->add_option("FILE", extract.file, kAnyFile)->required();
        sub->add_option("--out", extract.out, "file to write")->required();
        sub->add_flag("--ptx", extract.ptx, "the PTX that contains the kernel, instead of its cubin");
        add_force(sub, extract.force);
        add_kernel_choice(sub, extract);
    }

    void add_putting_back() {
        auto* sub =
            table.add("install", "replace the original by a tuned cubin, in place", install, run_install);
        sub->add_option("CUBIN", install.cubin, "the tuned cubin; not with --undo");
        sub->add_option(
               "--into", install.into,
               "Triton cache entry, program, library, object file, fatbin or cubin with the original")
            ->required();
        sub->add_flag("--undo", install.undo, "restore the original");
        sub->add_flag("--force", install.force, "even if the kept original is from another build");
        sub->add_flag("--accept-slower", install.accept_slower,
                      "even a kernel whose stored figures say SLOWER, in all or in a shape of its workload");
        add_kernel_choice(sub, install);
        auto* group = table.add_group("patch", "schedules as text, for rebuilt kernels");
        sub = table.add("make", "write the changes of TUNED as a patch", patch_make, run_patch_make, group);
        sub->add_option("ORIGINAL", patch_make.original, kAnyFile)->required();
        sub->add_option("TUNED", patch_make.tuned, "its reschedule")->required();
        sub->add_option("--out", patch_make.out, "file to write; default: standard output");
        add_force(sub, patch_make.force);
        add_kernel_choice(sub, patch_make);
        sub = table.add("apply", "apply a patch to a rebuilt kernel, and prove the result", patch_apply,
                        run_patch_apply, group);
        sub->add_option("PATCH", patch_apply.patch, "file that patch make wrote")->required();
        sub->add_option("REBUILT", patch_apply.rebuilt, kAnyFile)->required();
        sub->add_option("--out", patch_apply.out, "cubin to write; default: only report which blocks fit");
        sub->add_flag("--all", patch_apply.all, "write nothing unless every block fits");
        add_force(sub, patch_apply.force);
        add_kernel_choice(sub, patch_apply);
    }

    void add_measuring() {
        auto* sub =
            table.add("measure", "verdict of B against A on a GPU, with interval", measure, run_measure);
        sub->add_option("A", measure.a,
                        "cubin or a file that contains it, or a session, to compare a step with its original")
            ->required();
        sub->add_option("B", measure.b, "cubin or a file that contains it; not with a session");
        sub->add_option("--workload", measure.workload, "default: NAME.workload.json next to A");
        sub->add_option("--candidates-tried", measure.candidates_tried,
                        "number of candidates from which you chose B with this command: widens the interval")
            ->check(whole(1, 1'000'000));
        sub->add_flag("--no-energy", measure.no_energy, "skip the energy of a launch (saves seconds)");
        sub->add_option("--run", measure.run, "with a session: run number; 0: the newest with a step")
            ->check(whole(0, kAnyId));
        sub->add_option("--step", measure.step, "with a session: step number or best");
        sub->add_option("--loads", measure.loads, "fresh module loads of each")->check(whole(2, 1000));
        sub->add_option("--seed", measure.seed, "seed of inputs and order")->check(whole(0, kAny));
        add_allow_files(sub, measure.allow_files);
        add_gpu(sub, measure.gpu);
        add_kernel_choice(sub, measure);
        sub = table.add("profile", "warp-state samples by line, of one schedule or two, with Nsight Compute",
                        profile, run_profile_command);
        sub->add_option("A", profile.a, kAnyFile)->required();
        sub->add_option("B", profile.b, "a reschedule of A to compare with");
        sub->add_option("--workload", profile.workload, "default: NAME.workload.json next to A");
        sub->add_option("--ncu", profile.ncu, "Nsight Compute's program; default: ncu on PATH");
        sub->add_option("--import", profile.imports,
                        "read this report (.ncu-rep) or source page (.csv) instead; twice: A's and B's")
            ->allow_extra_args(false);
        sub->add_option(
            "--worker", profile.worker,
            "command that starts a bench worker on this machine; default: the one next to the program");
        sub->add_option("--device", profile.device, "GPU number")->check(whole(0, 1023));
        add_kernel_choice(sub, profile);
        sub = table.add("tune", "search for a faster schedule and log every step", tune, run_tune);
        sub->add_option("FILE", tune.file, kAnyFile)->required();
        sub->add_option("--workload", tune.workload, "default: NAME.workload.json next to the cubin");
        const auto notes = [](bool& given) { return [&given](const std::string&) { given = true; }; };
        sub->add_option("--agent", tune.agent, agent_names())
            ->check(known_agent())
            ->each(notes(tune.given.agent));
        sub->add_option("--agent-settings", tune.agent_settings, "the agent's own settings, a JSON object")
            ->each(notes(tune.given.settings));
        sub->add_option("--from-schedules", tune.from_schedules,
                        "earlier schedules from which auto also begins: a session, a cubin or a folder of "
                        "them; may be repeated")
            ->allow_extra_args(false);
        sub->add_option("--ptx", tune.ptx,
                        "the kernel's PTX, for other compilations of it; default: searched in FILE and next to it");
        sub->add_flag("--only-reschedules", tune.only_reschedules, "do not search other compilations of the PTX");
        sub->add_option("--evaluator", tune.evaluator, "auto, gpu or model")
            ->check(one_of({"auto", "gpu", "model"}));
        sub->add_option("--budget", tune.budget, "60s, 5m or 5000steps");
        sub->add_option("--seed", tune.seed, "same seed and step budget: same run")
            ->check(whole(0, kAny))
            ->each(notes(tune.given.seed));
        sub->add_option("--session", tune.session, "session file; default: NAME.cubinlab.db");
        sub->add_option("--resume", tune.resume, "continue this run of the session (0: the newest)")
            ->check(whole(0, kAnyId))
            ->default_str("");
        sub->add_option("--lock", tune.lock,
                        "byte offsets that the agent neither moves nor edits: 0x120-0x1f0,0x300");
        sub->add_option("--batch", tune.batch, "proposals in flight; default 1 on the model, 16 for each GPU")
            ->check(whole(1, kMostBatch))
            ->default_str("");
        sub->add_option("--final-processes", tune.final_processes,
                        "fresh processes that measure the best schedule after a run on a GPU; 0: none")
            ->check(whole(0, 1000));
        sub->add_option("--out", tune.out, "write the best schedule here");
        add_force(sub, tune.force);
        sub->add_flag("--progress", tune.progress, "one JSON line a step on standard error");
        add_gpu(sub, tune.gpu);
        add_cache(sub, tune.gpu);
        add_kernel_choice(sub, tune);
    }

    void add_starts() {
        auto* sub = table.add("starts", "other compilations of a kernel from its PTX, without a measurement", starts,
                              run_starts);
        sub->add_option("FILE", starts.file, kAnyCode)->required();
        sub->add_option("--ptx", starts.ptx, "the kernel's PTX; default: searched in FILE and next to it");
        sub->add_option("--workload", starts.workload, "default: NAME.workload.json next to FILE");
        sub->add_option("--count", starts.count, "distinct codes to make: options first, then random orders")
            ->check(whole(1, 100'000));
        sub->add_option("--seed", starts.seed, "seed of the orders")->check(whole(0, kAny));
        add_kernel_choice(sub, starts);
    }

    void add_sessions() {
        auto* page = table.add("report", "one self-contained HTML file about a run", report, run_report);
        add_session_run(page, report.session, report.run);
        page->add_option("--out", report.out, "HTML file; default: SESSION.html in this folder");
        add_force(page, report.force);
        add_allow_files(page, report.allow_files);
        page->add_flag("--minimise", report.minimise,
                       "measure which edits carry the gain, also after a run on a GPU (a minute or more)");
        add_gpu(page, report.gpu);
        add_common(page, report, false);
        auto* sub = table.add("replay", "rebuild a step of a session and check its hash", replay, run_replay);
        add_session_run(sub, replay.session, replay.run);
        sub->add_option("--step", replay.step, "step number or best");
        sub->add_option("--out", replay.out, "write it as a cubin");
        add_force(sub, replay.force);
        sub->add_flag(
            "--verify", replay.verify,
            "rebuild every step of the run, recompute every figure and check that every schedule is legal");
        auto* patterns = sub->add_flag("--patterns", replay.patterns,
                                       "group the accepted steps by their edits, with their gains");
        sub->add_option("--scope", replay.scope,
                        "with --patterns: this run, all runs of this kernel, or all runs, in the sessions of "
                        "the same folder")
            ->check(one_of({"run", "kernel", "all"}))
            ->needs(patterns);
        add_common(sub, replay, false);
        sub = table.add("export", "write a schedule of a session as a cubin", exporting, run_export);
        add_session_run(sub, exporting.session, exporting.run);
        sub->add_option("--schedule", exporting.schedule, "best, minimal or step:N");
        auto* out = sub->add_option("--out", exporting.out, "cubin to write");
        auto* bundle =
            sub->add_option("--bundle", exporting.bundle,
                            "folder to write: both cubins, workload, raw samples, machine; see verify");
        sub->add_option("--loads", exporting.loads,
                        "fresh module loads of each, to measure a bundle or a minimal schedule")
            ->check(whole(2, 1000));
        out->excludes(bundle);
        add_force(sub, exporting.force);
        add_allow_files(sub, exporting.allow_files);
        add_gpu(sub, exporting.gpu);
        add_common(sub, exporting, false);
        sub = table.add("verify", "check an evidence bundle and repeat its measurement on this GPU",
                        verifying, run_verify);
        sub->add_option("BUNDLE", verifying.bundle, "folder that export --bundle wrote")->required();
        sub->add_option("--loads", verifying.loads, "fresh module loads of each")->check(whole(2, 1000));
        sub->add_option("--seed", verifying.seed, "seed of inputs and order; not that of measure by default")
            ->check(whole(0, kAny));
        add_gpu(sub, verifying.gpu);
        add_common(sub, verifying, false);
    }

    void add_logs() {
        auto* sub = table.add("runs", "the runs of a session, one per line", runs, run_runs);
        sub->add_option("SESSION", runs.sessions, "session file")->required()->expected(1);
        add_common(sub, runs, false);
        sub = table.add("log", "the steps of a run with their edits", log, run_log);
        add_session_run(sub, log.session, log.run);
        sub->add_flag("--accepted", log.accepted, "only steps that the agent accepted");
        sub->add_flag("--best", log.best, "only steps that became the run's best");
        sub->add_option("--outcome", log.outcome, "only steps with this outcome")
            ->check(one_of(outcome_names()));
        sub->add_option("--from", log.from, "first step")->check(whole(1, kAnyId));
        sub->add_option("--last", log.last, "only the last N steps; default: all")
            ->check(whole(1, kAnyId))
            ->default_str("");
        add_common(sub, log, false);
        sub = table.add("compare", "the runs of several sessions, by kernel and gain", compare, run_compare);
        sub->add_option("SESSION", compare.sessions, "session files")->required();
        add_common(sub, compare, false);
    }

    void add_programs() {
        auto* sub = table.add(
            "run", "run a program with tuned kernels in place of its own: run --with K -- PROGRAM ARGS",
            running, run_run);
        sub->add_option("--with", running.with,
                        "tuned cubins, bundles of export, or the folder of a campaign; each is proven first")
            ->delimiter(',')
            ->allow_extra_args(false);
        sub->add_option(
               "--original", running.originals,
               "file that contains the original; default: the session that the tuned cubin's stamp names")
            ->allow_extra_args(false);
        sub->add_flag("--require", running.require, "exit code 3 if no kernel was replaced");
        sub->add_flag(
            "--accept-slower", running.accept_slower,
            "accept a kernel whose stored figures say SLOWER, in all or in a shape of its workload");
        sub->add_flag("--ab", running.trial,
                      "alternate original and tuned launches, and compare their times");
        sub->add_option(
            "--deploy", running.deploy,
            "write the schedules and the library to this folder instead, for jobs without CubinLab");
        sub->add_flag("--force", running.force, "with --deploy: add to a folder that is not empty");
        add_common(sub, running, false);
        table.add_program("run", running.program);
        sub = table.add(
            "capture",
            "capture a kernel of a program with its arguments and memory: capture -o FOLDER -- PROGRAM ARGS",
            capture, run_capture);
        sub->add_flag("--list", capture.list,
                      "list the kernels, their launches and shares of time, and what can be edited");
        sub->add_option("--launch", capture.launch,
                        "which launch of the kernel: N, from 1, or first:K for K input sets");
        sub->add_option("-o,--out", capture.out, "folder for NAME.cubin, NAME.workload.json and its memory");
        sub->add_option("--limit", capture.limit, "MiB of memory that a launch may reach")
            ->check(whole(1, 1 << 20));
        sub->add_option(
            "--tolerance", capture.tolerance,
            "DTYPE:ABSOLUTE:RELATIVE for outputs that vary from run to run; default: bit for bit");
        sub->add_flag("--check", capture.check, "replay each on a GPU and compare the results");
        sub->add_flag("--force", capture.force, "add to a folder that is not empty");
        add_gpu(sub, capture.gpu);
        add_common(sub, capture, false);
        sub->add_option("--kernel", capture.kernel, "name, or regex:RE; default: each kernel's launch");
        table.add_program("capture", capture.program);
        sub = table.add("campaign",
                        "tune every captured kernel of a folder, by its share of the program's time; resumes",
                        campaign, run_campaign_command);
        sub->add_option("FOLDER", campaign.folder, "folder that `capture -o` wrote")->required();
        sub->add_option("--budget", campaign.budget, "of all kernels, on each GPU: 20m, 2h or 100000steps")
            ->default_str("10m");  // of a new campaign; a resumed one keeps its budget
        sub->add_option("--agent", campaign.agent, "as for tune")->check(known_agent());
        sub->add_option("--evaluator", campaign.evaluator, "auto, gpu or model")
            ->check(one_of({"auto", "gpu", "model"}));
        sub->add_option("--seed", campaign.seed, "seed of every kernel's run")->check(whole(0, kAny));
        sub->add_option("--out", campaign.out,
                        "folder for sessions, best schedules and the report; default: FOLDER/campaign");
        sub->add_option("--shard", campaign.part,
                        "I/N: only this shard of the kernels, I from 0, for a job array");
        sub->add_flag("--report", campaign.report, "only show the state, and write the report");
        add_gpu(sub, campaign.gpu);
        add_common(sub, campaign, false);
        sub->add_option("--kernel", campaign.kernel, "only this kernel, or those of regex:RE; default: all");
    }

    void add_rest() {
        auto* group = table.add_group("workload", "launch descriptions");
        auto* init = table.add("init", "a commented template from the parameter table", workload,
                               run_workload_init, group);
        init->add_option("FILE", workload.file, kAnyFile)->required();
        init->add_option("--out", workload.out, "file to write; default: standard output");
        add_force(init, workload.force);
        add_kernel_choice(init, workload);
        auto* sub =
            table.add("doctor", "what is installed, what was found where, what each missing part costs",
                      doctor, run_doctor);
        add_gpu(sub, doctor.gpu);
        add_common(sub, doctor, false);
    }
};

}  // namespace

std::string version_line() {
    return fmt::format("cubinlab {}, session schema {}, worker protocol {}", version_text(), kSchema,
                       protocol_version());
}

bool is_command(const std::string& word) {
    return Commands().table.has(word);
}

std::optional<Error> not_for_the_window(int argc, char** argv) {
    if (argc < 2) return std::nullopt;
    const std::string first = argv[1];
    if (first.empty())
        return Error{ErrorCode::BadUse, "the first argument is empty; see `cubinlab help`", {}};
    if (first[0] == '-') {
        if (first != "--json") return std::nullopt;
        return Error{ErrorCode::BadUse, "--json goes after a command; see `cubinlab help`", {}};
    }
    std::error_code error;
    if (std::filesystem::exists(first, error)) return std::nullopt;
    const std::string meant = nearest(first, Commands().table.names());
    const bool word = first.find_first_of("./") == std::string::npos;
    if (word || !meant.empty())
        return Error{ErrorCode::BadUse,
                     fmt::format("'{}' is neither a command nor a file{}{}", first, hint(meant),
                                 meant.empty() ? "; see `cubinlab help`" : ""),
                     {}};
    return Error{ErrorCode::NotFound, "no such file", first};
}

int run_cli(int argc, char** argv) {
    return Commands().table.run(argc, argv);
}

}  // namespace cubinlab::cli
