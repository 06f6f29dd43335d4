// SPDX-License-Identifier: GPL-3.0-or-later
// What measured runs teach of edits: over logs whose truth is known, and over the measured sessions that the program's own
// prior was made of.
#include "core/claims/prior_fit.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/file.h"
#include "core/search/neighbourhood.h"
#include "core/search/rng.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// Lowering a stall count brings 0.4 %, raising one costs 0.3 %, a move up costs 0.1 % and whatever else does nothing.
double truth(const Schedule& start, const Mutation& mutation) {
    const Edit& edit = mutation.edits.front();
    if (edit.kind != EditKind::Control)
        return start.position_of(edit.anchor) < start.position_of(edit.instr) ? -0.1 : 0;
    const int change = edit.after.stall - edit.before.stall;
    return change < 0 ? 0.4 : change > 0 ? -0.3 : 0;
}

// A session of single edits of the start, each with its figure, `shift` percent beside the truth: that of the start's own.
void write_session(const std::filesystem::path& file, const std::string& sample, EvaluatorKind kind,
                   double shift, int edits = 1200) {
    const KernelPtr kernel = sample_kernel(sample);
    const CheckerPtr checker = *HazardChecker::create(kernel);
    const Schedule start(kernel);
    const Neighbourhood around(SearchContext{kernel, checker, 1, "{}", {}, {}, start});
    Rng rng(11);
    auto writer = open_or_fail(file, kernel);
    RunHeader header = header_for_tests();
    header.evaluator.kind = kind;
    header.evaluator.device = kind == EvaluatorKind::Gpu ? "a GPU" : "SM model sm_90";
    RunId run = 0;
    auto sink = writer->begin_run(header, start, &run);
    REQUIRE(sink);
    for (int step = 0; step < edits;) {
        const auto kinds = {EditClass::Stall, EditClass::Move, EditClass::Yield, EditClass::Yield};
        const auto edited = around.draw(start, *(kinds.begin() + step % 4), rng);
        if (!edited) continue;
        StepRecord r;
        r.step = ++step;
        r.schedule_hash = edited->result.hash();
        r.mutation = edited->mutation;
        r.outcome.kind = OutcomeKind::Ok;
        r.outcome.log_speedup = (truth(start, edited->mutation) + shift) / 100;
        r.outcome.low = r.outcome.log_speedup - 0.001;
        r.outcome.high = r.outcome.log_speedup + 0.001;
        REQUIRE((*sink)->append(r));
    }
    REQUIRE((*sink)->flush());
}

double weight(const EditPrior& prior, const std::string& name) {
    for (std::size_t i = 0; i < EditFeatures::kCount; ++i)
        if (EditFeatures::name(i) == name) return prior.weights[i];
    FAIL("no feature " << name);
    return 0;
}

}  // namespace

TEST_CASE(
    "prior: what edits did is learned from two kernels, whatever their starts are worth, and holds for each "
    "other") {
    const TempFolder folder;
    write_session(folder / "a.db", "bmm_mma", EvaluatorKind::Gpu, 2.5);
    write_session(folder / "b.db", "flash_attn", EvaluatorKind::Gpu, -1.5);
    PriorFit fit;
    REQUIRE(fit.add_session(folder / "a.db"));
    REQUIRE(fit.add_session(folder / "b.db"));
    CHECK(fit.kernels() == 2);
    CHECK(fit.edits() == 2400);
    const EditPrior prior = fit.prior();
    CHECK(prior.evaluator == "gpu");
    CHECK(prior.devices == std::vector<std::string>{"a GPU"});
    CHECK(prior.learned_from.size() == 2);

    // Of edits of a third kernel it expects about the truth, as far as so few edits tell.
    const KernelPtr other = sample_kernel("gemm_leaky");
    const CheckerPtr checker = *HazardChecker::create(other);
    const Schedule start(other);
    const Neighbourhood around(SearchContext{other, checker, 1, "{}", {}, {}, start});
    const EditFeatures features(other);
    Rng rng(5);
    double less = 0, more = 0;
    int lesses = 0, mores = 0;
    for (int i = 0; i < 4000; ++i)
        if (const auto edited = around.draw(start, EditClass::Stall, rng)) {
            const double expected = prior.expected(features.of(start, edited->mutation));
            const bool gains = truth(start, edited->mutation) > 0;
            (gains ? less : more) += expected;
            ++(gains ? lesses : mores);
        }
    REQUIRE(std::min(lesses, mores) > 20);
    CHECK(less / lesses - more / mores > 0.35);  // of 0.7

    const auto held_out = fit.held_out();
    REQUIRE(held_out.size() == 2);
    for (const HeldOutKernel& k : held_out) {
        CHECK(k.edits == 1200);
        CHECK(k.correlation > 0.7);
        CHECK(k.mean_of_best > k.mean + 0.05);
        CHECK(k.mean_of_worst < k.mean);
    }
    const EditPrior one = fit.prior(held_out[0].kernel);
    REQUIRE(one.learned_from.size() == 1);
    CHECK(one.learned_from[0].kernel == held_out[1].kernel);
}

TEST_CASE("prior: figures of the model and of a GPU are never learned from together") {
    const TempFolder folder;
    write_session(folder / "m.db", "bmm_mma", EvaluatorKind::Model, 0);
    PriorFit measured, modelled(true);
    REQUIRE(measured.add_session(folder / "m.db"));
    REQUIRE(modelled.add_session(folder / "m.db"));
    CHECK(measured.edits() == 0);
    CHECK(modelled.edits() == 1200);
    CHECK(modelled.prior().evaluator == "model");
    CHECK(modelled.held_out().empty());  // one kernel
    const EditPrior nothing = measured.prior();
    CHECK(nothing.learned_from.empty());
    CHECK(weight(nothing, "up FMA") == 0);
}

TEST_CASE("prior: a schedule with few edits says too little of what it is worth itself") {
    const TempFolder folder;
    write_session(folder / "s.db", "bmm_mma", EvaluatorKind::Gpu, 0, 5);
    PriorFit fit;
    REQUIRE(fit.add_session(folder / "s.db"));
    CHECK(fit.edits() == 0);
    CHECK_FALSE(fit.add_session(folder / "none.db"));
}

TEST_CASE("prior: the program's own is what the measured sessions beside it teach") {
    const TempFolder folder;
    const std::string kept = std::string(CUBINLAB_SAMPLES) + "/../resources/model/";
    const std::string unpack =
        "cd '" + folder.path().string() + "' && cmake -E tar xf '" + kept + "h200-single-edits.tar.xz'";
    REQUIRE(std::system(unpack.c_str()) == 0);
    PriorFit fit;
    std::vector<std::filesystem::path> sessions;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        sessions.push_back(entry.path());
    std::sort(sessions.begin(), sessions.end());
    REQUIRE(sessions.size() == 9);
    for (const auto& session : sessions)
        REQUIRE(fit.add_session(session));
    const auto text = read_text(kept + "edit-prior.json");
    REQUIRE(text);
    CHECK(fit.prior().text() == *text);
    CHECK(built_in_prior()->text() == *text);
    // It tells losses from the rest on kernels that it has not seen: measured, 2026-11-23.
    for (const HeldOutKernel& k : fit.held_out()) {
        INFO(k.kernel);
        CHECK(k.mean_of_best > k.mean_of_worst + 0.1);
        CHECK(k.losses_of_best <= k.losses);
    }
}
