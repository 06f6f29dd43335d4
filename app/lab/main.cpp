// SPDX-License-Identifier: GPL-3.0-or-later
// The options of the laboratory's commands. resources/docs/laboratory.md describes them.
#include "app/cli/base/command_table.h"
#include "app/cli/base/option_checks.h"
#include "app/lab/commands/lab_commands.h"
#include "app/standard_streams.h"
#include "core/base/guarded.h"
#include "core/base/version.h"

namespace cubinlab::cli {
namespace {

struct LabCommands {
    CommandTable table{"cubinlab-lab",
                       "CubinLab's laboratory: tests the checker, its tables and the measurement.",
                       "cubinlab-lab " + version_text()};

    LabCommands() {
        add_fuzz();
        add_probe();
        add_bench();
        add_budgets();
        add_mine();
        add_tournament();
        add_rehearse();
        add_orders();
    }

    void add_fuzz() {
        auto [sub, fuzz] =
            table.add("fuzz", "random legal walks, each run and compared: is the checker sound?", run_fuzz);
        sub->add_option("FILE", fuzz.file, "cubin");
        sub->add_option("--workload", fuzz.workload, "default: NAME.workload.json next to the cubin");
        sub->add_option("--evaluator", fuzz.evaluator,
                        "gpu; model only checks that the walks are legal by the full check")
            ->check(one_of({"gpu", "model"}));
        sub->add_option("--steps", fuzz.steps, "candidates")->check(whole(1, 1'000'000'000'000));
        sub->add_option("--seed", fuzz.seed, "of the walks")->check(whole(0, kAny));
        sub->add_option("--first", fuzz.first,
                        "number of the first walk; the `next_walk` of an earlier run resumes it")
            ->check(whole(0, 1'000'000'000'000));
        sub->add_option("--seconds", fuzz.seconds, "time limit")
            ->check(real(0, 1e9));
        sub->add_option("--longest", fuzz.longest_walk, "most mutations of a walk")->check(whole(1, 10000));
        sub->add_option("--input-sets", fuzz.input_sets, "input sets that every candidate runs on")
            ->check(whole(1, 64));
        sub->add_flag("--background-load", fuzz.background_load,
                      "a second kernel runs at the same time and disturbs the timing");
        sub->add_flag(
            "--directed", fuzz.directed,
            "instead of walks: every legal move past an asynchronous or fence instruction, and every "
            "legal control code of or next to one");
        sub->add_flag("--hints", fuzz.hints,
                      "instead of walks: random cache hints on every load, store and copy, as far as the checker allows "
                      "them");
        sub->add_flag("--self-check", fuzz.self_check,
                      "instead of walks: compare the original with itself");
        sub->add_option("--base", fuzz.base,
                        "--directed: from the original (0) or from the end of random walk number BASE - 1");
        sub->add_option("--failures", fuzz.failures,
                        "folder for the cubin, the walk and the culprit of every failure");
        sub->add_option("--merge", fuzz.merge, "one table of the documents (--json) of earlier runs");
        sub->add_option("--bad-every", fuzz.bad_every,
                        "mix in one known-bad candidate after this many legal ones; 0: none")
            ->check(whole(0, 1'000'000'000));
        add_gpu(sub, fuzz.gpu);
        add_cache(sub, fuzz.gpu, Cache::Cold);
        add_common(sub, fuzz);
    }

    void add_probe() {
        auto [sub, probe] = table.add(
            "probe", "minimum distances between dependent instructions, measured on this GPU", run_probe);
        sub->add_option("FILE", probe.file, "cubin, for example resources/probe/synthesis.sm_90a.cubin")
            ->required();
        sub->add_option("--workload", probe.workload,
                        "default: NAME.KERNEL.workload.json or NAME.workload.json next to the cubin");
        sub->add_option("--repeats", probe.repeats, "evaluations of each candidate")
            ->check(whole(1, 1'000'000));
        sub->add_option("--seed", probe.seed, "of the inputs")->check(whole(0, kAny));
        sub->add_option(
            "--log", probe.log,
            "synthesised experiments: append one JSON row each to this file; its rows are not repeated");
        sub->add_option("--only", probe.only, "synthesised: pairs and topics whose name contains this");
        sub->add_option("--seconds", probe.seconds, "synthesised: time limit")->check(real(0.001, 1e9));
        sub->add_option("--trials", probe.trials,
                        "synthesised: at the largest distance that breaks and one above")
            ->check(whole(1, 1'000'000'000));
        sub->add_option("--question-trials", probe.question_trials, "synthesised: of each open question")
            ->check(whole(1, 1'000'000'000));
        sub->add_flag("--no-pairs", probe.no_pairs, "synthesised: open questions only");
        sub->add_flag("--no-questions", probe.no_questions, "synthesised: distances only");
        sub->add_option(
            "--mined", probe.mined,
            "synthesised: cubins as compiled; their smallest distances next to the measured ones");
        sub->add_flag(
            "--queues", probe.queues,
            "synthesised: is an operand read before a younger memory instruction overwrites it? FILE: "
            "resources/probe/queues.sm_90a.cubin");
        sub->add_flag("--loops", probe.loops,
                      "synthesised: loops of one warp, timed by its clock register, next to the SM model");
        sub->add_flag("--summary", probe.summary, "synthesised: no GPU; the tables of --log");
        add_gpu(sub, probe.gpu);
        add_common(sub, probe);
    }
    void add_bench() {
        auto [sub, bench] = table.add(
            "bench", "test how reliable the verdicts of the measurement are, on this GPU", run_study_bench);
        sub->add_option("--suite", bench.suite, "measurement")->check(one_of({"measurement"}));
        sub->add_option("--seconds", bench.seconds, "time of all parts together")->check(real(1, 86400));
        sub->add_option("--seed", bench.seed, "seed of inputs and order")->check(whole(0, kAny));
        sub->add_option("--part", bench.parts,
                        "same, cold, rate, hostile, or all; several with commas; default: all")
            ->delimiter(',');
        sub->add_option("--probe", bench.probe, "folder of hostile_probe.sm_90a.cubin");
        add_gpu(sub, bench.gpu);
        add_cache(sub, bench.gpu);
        sub->add_option("--samples", bench.folder, "folder of sample cubins");
        add_common(sub, bench, false);
    }

    void add_budgets() {
        auto [sub, budgets] = table.add(
            "budgets", "the project's budgets, measured here; exit code 1: one is exceeded", run_budgets);
        sub->add_option("--samples", budgets.folder, "folder of sample cubins");
        add_common(sub, budgets, false);
    }

    void add_mine() {
        auto [sub, mine] =
            table.add("mine", "mine compiled code: distances, waits, overwritten operands", run_mine);
        sub->add_option("FILE", mine.files, "cubins as compiled, not edited")->required();
        sub->add_flag("--table", mine.table, "rows of core/legality/tables/observed_distances.inc");
        sub->add_flag("--below", mine.below,
                      "those shorter than absolute mode requires: rows of core/legality/swept_distances.inc");
        sub->add_flag("--overwrites", mine.overwrites,
                      "operands of queued instructions that are overwritten, and the waits in between: "
                      "evidence for core/legality/tables/queue_order.cpp");
        sub->add_flag("--pairs", mine.pairs, "every kind of pair by mnemonics");
    }

    void add_tournament() {
        auto [sub, tournament] = table.add(
            "tournament", "agents against each other at an equal budget of time, on GPUs", run_tournament);
        auto* files = sub->add_option("KERNEL", tournament.files, "cubins, or names of samples");
        sub->add_option(
               "--suite", tournament.suite,
               "paper: the tables of resources/docs/results.md, each in a folder of its own, in place of "
               "kernels, agents, seeds, seconds and cache")
            ->check(one_of({"paper"}))
            ->excludes(files);
        sub->add_option(
               "--stages", tournament.stages,
               "stages of the suite, with commas: all, auto15, agents, cold, both, long, in this order; "
               "default: all of them")
            ->delimiter(',')
            ->check(one_of({"all", "auto15", "agents", "cold", "both", "long"}));
        sub->add_option("--limit", tournament.limit,
                        "seconds: start no search or measurement that would end later")
            ->check(real(0, 1e9));
        sub->add_option("--samples", tournament.folder, "folder of sample cubins");
        sub->add_option("--agents", tournament.agents, "with commas")->delimiter(',');
        sub->add_option("--seeds", tournament.seeds, "with commas")->delimiter(',');
        sub->add_option("--seconds", tournament.seconds, "time of each run")->check(real(1, 86400));
        sub->add_option("--devices", tournament.devices,
                        "GPU numbers, with commas; each runs one search at a time")
            ->delimiter(',');
        sub->add_option("--loads", tournament.loads,
                        "fresh loads of each side to measure a winner; 0: not now")
            ->check(whole(0, 100000));
        sub->add_flag("--hot-only", tournament.hot_only,
                      "do not measure winners with a cold cache");
        sub->add_option("--early", tournament.early,
                        "seconds: also measure the best that a run had claimed by then, hot")
            ->check(real(0, 86400));
        sub->add_option("--early-loads", tournament.early_loads,
                        "fresh loads of each side for that; 0: as many as for a winner")
            ->check(whole(0, 100000));
        sub->add_flag("--steps", tournament.steps, "write a table of the steps of each run");
        sub->add_option("--out", tournament.out, "folder of the runs; existing runs are not repeated");
        add_gpu(sub, tournament.gpu);
        add_cache(sub, tournament.gpu);
        add_common(sub, tournament);
    }

    void add_orders() {
        auto [sub, train] = table.add("train-orders",
                                      "train the policy that builds orders of PTX over many kernels (an experiment)",
                                      run_train_orders);
        sub->add_option("FILE", train.files, "cubins with their PTX, PTX, CUDA sources, or names of samples")->required();
        sub->add_option("--samples", train.folder, "folder of samples");
        sub->add_option("--leave-out", train.leave_out, "files whose name contains this are not trained on, with commas")
            ->delimiter(',');
        sub->add_option("--episodes", train.episodes, "orders of the policy that are judged")->check(whole(1, kAny));
        sub->add_option("--seconds", train.seconds, "time limit; 0: none")->check(real(0, 86400));
        sub->add_option("--rate", train.rate, "of learning")->check(real(0, 1));
        sub->add_flag("--evolution", train.evolution, "evolution of the weights in place of the policy gradient");
        sub->add_option("--weights", train.weights, "agent settings with the weights to begin from");
        sub->add_option("--seed", train.seed, "of everything")->check(whole(0, kAny));
        sub->add_option("--evaluator", train.evaluator, "model or gpu")->check(one_of({"model", "gpu"}));
        sub->add_option("--out", train.out, "the weights, as agent settings");
        add_gpu(sub, train.gpu);
        add_cache(sub, train.gpu);
        add_common(sub, train);

        auto [other, compare] = table.add("compare-orders",
                                          "searches over starts with equal numbers of codes: evolution over keys, and the "
                                          "policy untrained, without learning, and trained",
                                          run_compare_orders);
        other->add_option("FILE", compare.files, "as of train-orders")->required();
        other->add_option("--samples", compare.folder, "folder of samples");
        other->add_option("--players", compare.players,
                          "with commas: keys (evolution over keys), untrained (learns from nothing), fixed (never learns), "
                          "evolution (learns by evolution), trained (--weights), trained-fixed")
            ->delimiter(',')
            ->check(one_of({"keys", "untrained", "fixed", "evolution", "trained", "trained-fixed"}));
        other->add_option("--weights", compare.weights, "agent settings with the weights of `trained`");
        other->add_option("--rate", compare.rate, "of learning")->check(real(0, 1));
        other->add_option("--codes", compare.codes, "distinct codes that each search evaluates")->check(whole(1, kAny));
        other->add_option("--seconds", compare.seconds, "time limit of each search; 0: none")->check(real(0, 86400));
        other->add_option("--seeds", compare.seeds, "with commas")->delimiter(',');
        other->add_option("--evaluator", compare.evaluator, "model or gpu")->check(one_of({"model", "gpu"}));
        add_gpu(other, compare.gpu);
        add_cache(other, compare.gpu);
        add_common(other, compare);
    }

    void add_rehearse() {
        auto [sub, rehearse] =
            table.add("rehearse", "agents on a simulated GPU: what they find, and how long the GPU waits",
                      run_rehearse);
        sub->add_option("KERNEL", rehearse.files, "cubins, or names of samples")->required();
        sub->add_option("--samples", rehearse.folder, "folder of sample cubins");
        sub->add_option("--agents", rehearse.agents, "with commas")->delimiter(',');
        sub->add_option("--seeds", rehearse.seeds, "of agent and noise, with commas")->delimiter(',');
        sub->add_option("--seconds", rehearse.seconds, "of each run, in virtual time")
            ->check(real(0.1, 86400));
        add_common(sub, rehearse);
    }
};

}  // namespace
}  // namespace cubinlab::cli

int main(int argc, char** argv) {
    cubinlab::hold_standard_streams();
    return cubinlab::guarded_main("cubinlab-lab",
                                  [&] { return cubinlab::cli::LabCommands().table.run(argc, argv); });
}
