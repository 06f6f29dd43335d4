// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit is in figures, and a prior over them: a file that reads back, and draws that lean its way and leave none out.
#include "core/search/edit_prior.h"

#include <cmath>
#include <map>
#include <set>

#include "core/search/neighbourhood.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::size_t feature(const std::string& name) {
    for (std::size_t i = 0; i < EditFeatures::kCount; ++i)
        if (EditFeatures::name(i) == name) return i;
    FAIL("no feature " << name);
    return 0;
}

// What a row says of acts and of what was passed, by name.
std::map<std::string, float> told(const EditFeatures::Row& row) {
    std::map<std::string, float> out;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i] != 0 && EditFeatures::name(i).find(':') == std::string::npos)
            out[EditFeatures::name(i)] = row[i];
    return out;
}

EditPriorPtr prior_of(const std::map<std::string, double>& weights) {
    EditPrior out;
    for (const auto& [name, weight] : weights)
        out.weights[feature(name)] = weight;
    return std::make_shared<const EditPrior>(out);
}

Mutation lower_stall(const Schedule& schedule, InstrId id) {
    ControlCode control = schedule.control(id);
    --control.stall;
    return Mutation::control(schedule, id, control);
}

}  // namespace

TEST_CASE("edit features: names are unique, so that a file can name them") {
    std::set<std::string> names;
    for (std::size_t i = 0; i < EditFeatures::kCount; ++i)
        names.insert(EditFeatures::name(i));
    CHECK(names.size() == EditFeatures::kCount);
}

TEST_CASE("edit features: a move tells what is moved, which way, past what and how far") {
    const SearchContext context = bmm_context();
    const Kernel& kernel = *context.kernel;
    const EditFeatures features(context.kernel);
    int moves = 0;
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Block& block = kernel.flow().blocks[kernel.block_of(id)];
        if (kernel.pinned(id) || id < block.first + 3) continue;
        ++moves;
        const Mutation mutation = Mutation::move_to(context.start, id, id - 3);
        const EditFeatures::Row row = features.of(context.start, mutation);
        // By hand: one act, and the three above by their groups, log2(1 + n) / 3.
        std::map<std::size_t, int> passed;
        for (InstrId other = id - 3; other < id; ++other)
            ++passed[unit_group(kernel.instruction(other).unit)];
        const std::size_t own = unit_group(kernel.instruction(id).unit);
        const std::string lead = EditFeatures::name(own);  // the first act is up
        CHECK(lead.starts_with("up "));
        std::map<std::string, float> expected = {{lead, 1.0f}};
        for (const auto& [group, count] : passed)
            expected[lead + " past " + EditFeatures::name(group).substr(3)] =
                static_cast<float>(std::log2(1 + count) / 3);
        const auto seen = told(row);
        REQUIRE(seen.size() == expected.size());
        for (const auto& [name, value] : expected) {
            INFO(name);
            REQUIRE(seen.count(name) == 1);
            CHECK(seen.at(name) == Approx(value));
        }
        CHECK(row[feature("up: places")] == Approx(std::log2(4) / 4));
        CHECK(row[feature("down: places")] == 0);
        CHECK(row[feature("stays: always")] == 0);
    }
    CHECK(moves > 100);
}

TEST_CASE("edit features: a control code tells what changed, and no move") {
    const SearchContext context = bmm_context();
    const EditFeatures features(context.kernel);
    for (InstrId id = 0; id < context.kernel->size(); ++id) {
        if (context.start.control(id).stall < 2) continue;
        const EditFeatures::Row row = features.of(context.start, lower_stall(context.start, id));
        const auto seen = told(row);
        REQUIRE(seen.size() == 1);
        CHECK(seen.begin()->first.starts_with("stall less "));
        CHECK(row[feature("stays: stall cycles in all")] == Approx(-1 / 8.0));
        CHECK(row[feature("stays: its stall")] == Approx(context.start.control(id).stall / 15.0));
    }
    CHECK(told(features.of(context.start, {})).empty());
}

TEST_CASE("edit prior: what is written reads back, and expects the sum of its weights") {
    EditPrior prior;
    prior.base = -0.0625;
    prior.devices = {"a GPU"};
    prior.learned_from = {{"k", 12}};
    prior.weights[feature("up FMA")] = 0.5;
    prior.weights[feature("stays: its stall")] = -0.123456;
    const auto back = EditPrior::parse(prior.text());
    REQUIRE(back);
    CHECK(back->base == prior.base);
    CHECK(back->weights[feature("up FMA")] == 0.5);
    CHECK(back->weights[feature("stays: its stall")] == -0.1235);
    CHECK(back->fingerprint() == prior.fingerprint());
    CHECK(back->text() == prior.text());
    CHECK(back->learned_from[0].kernel == "k");
    EditFeatures::Row row{};
    row[feature("up FMA")] = 1;
    row[feature("stays: its stall")] = 0.5f;
    CHECK(back->expected(row) == Approx(-0.0625 + 0.5 - 0.1235 / 2));
    EditPrior other = prior;
    other.weights[0] += 0.1;
    CHECK(other.fingerprint() != prior.fingerprint());
}

TEST_CASE("edit prior: what is no prior is refused, saying why") {
    const std::string good = EditPrior{}.text();
    REQUIRE(EditPrior::parse(good));
    for (const char* bad :
         {"", "{", "[]", "{\"cubinlab\":1}", "{\"cubinlab\":\"edit-prior\"}",
          R"({"cubinlab":"edit-prior","form":2})", R"({"cubinlab":"edit-prior","form":1,"weights":[]})"}) {
        INFO(bad);
        const auto read = EditPrior::parse(bad);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == ErrorCode::BadInput);
    }
    for (const auto& [from, to] :
         {std::pair{"\"weights\": {}", "\"weights\": {\"up nothing\": 1}"},
          {"\"weights\": {}", "\"weights\": {\"up FMA\": \"1\"}"},
          {"\"weights\": {}", "\"weights\": {\"up FMA\": 1e300}"},
          {"\"base\": 0.0", "\"base\": null"},
          {"\"learned_from\": []", "\"learned_from\": [{\"kernel\": \"k\", \"edits\": -1}]"},
          {"\"evaluator\": \"gpu\"", "\"evaluator\": \"dice\""}}) {
        std::string text = good;
        const std::size_t at = text.find(from);
        INFO(from << " in " << good);
        REQUIRE(at != std::string::npos);
        text.replace(at, std::string(from).size(), to);
        CHECK_FALSE(EditPrior::parse(text));
    }
}

TEST_CASE("edit prior: draws lean towards what is expected to pay, and no edit is left out") {
    SearchContext context = bmm_context();
    const auto share_of_less = [&](const EditPriorPtr& prior) {
        context.prior = prior;
        const Neighbourhood around(context);
        const EditFeatures features(context.kernel);
        Rng rng(3);
        int less = 0, all = 0;
        while (all < 400)
            if (const auto edited = around.draw(context.start, EditClass::Stall, rng)) {
                ++all;
                const auto what = told(features.of(context.start, edited->mutation));
                less += what.begin()->first.starts_with("stall less") ? 1 : 0;
                REQUIRE(context.checker->legal(edited->result));
            }
        return static_cast<double>(less) / all;
    };
    std::map<std::string, double> more;
    for (std::size_t i = 0; i < EditFeatures::kCount; ++i)
        if (EditFeatures::name(i).starts_with("stall more")) more[EditFeatures::name(i)] = 1;
    const double none = share_of_less(nullptr), equal = share_of_less(prior_of({})),
                 leaning = share_of_less(prior_of(more));
    CHECK(std::abs(equal - none) < 0.12);
    CHECK(leaning < 0.75 * none);
    CHECK(leaning > 0.1);
}

TEST_CASE("edit prior: a run without it is the run that it was, one with it another and the same again") {
    const auto run = [](const char* agent, const std::string& settings) {
        SearchContext context = bmm_context(7);
        context.settings_json = settings;
        auto searcher = make_searcher(agent, context);
        REQUIRE(searcher);
        std::string words;
        for (int batch = 0; batch < 60; ++batch) {
            std::vector<Observation> seen;
            StepId step = 16 * batch;
            for (const Proposal& p : (*searcher)->propose(16)) {
                words += p.mutation.encode() + "\n";
                Observation o;
                o.step = ++step;
                o.outcome.log_speedup = -0.001;
                o.outcome.low = -0.01;
                o.outcome.high = 0.008;
                seen.push_back(o);
            }
            (*searcher)->observe(seen);
        }
        return words;
    };
    for (const char* agent : {"group", "auto"}) {
        INFO(agent);
        CHECK(run(agent, "{}") == run(agent, R"({"prior":0})"));
        CHECK(run(agent, R"({"prior":1})") != run(agent, "{}"));
        CHECK(run(agent, R"({"prior":1})") == run(agent, R"({"prior":1})"));
    }
    SearchContext context = bmm_context(7);
    context.settings_json = R"({"prior":1})";
    CHECK_FALSE(make_searcher("greedy", context));
}
