// SPDX-License-Identifier: GPL-3.0-or-later
// What a rehearsal says of agents whose worth and whose slowness are known.
#include "app/lab/study/rehearsal.h"

#include <ctime>

#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// Proposes the start's first stall counts, one cycle longer each, to learn from and not as the run's best, and takes as
// long as it is told to.
class SlowSearcher final : public Searcher {
  public:
    SlowSearcher(SearchContext context, double seconds) : context_(std::move(context)), seconds_(seconds) {}
    std::string name() const override { return "slow"; }
    std::vector<Proposal> propose(std::size_t n) override {
        burn();
        std::vector<Proposal> out;
        while (out.size() < n && next_ < context_.start.size()) {
            ControlCode control = context_.start.control(next_);
            if (++control.stall > 15) control.stall = 14;
            Mutation mutation = Mutation::control(context_.start, next_++, control);
            Schedule result = *mutation.applied(context_.start);
            out.push_back({0, std::move(mutation), std::move(result), false});
        }
        return out;
    }
    ObserveResult observe(const std::vector<Observation>&) override { return {}; }

  private:
    void burn() const {
        const std::clock_t until =
            std::clock() + static_cast<std::clock_t>(seconds_ * static_cast<double>(CLOCKS_PER_SEC));
        while (std::clock() < until) {
        }
    }
    SearchContext context_;
    double seconds_;
    InstrId next_ = 0;
};

}  // namespace

TEST_CASE("rehearsal: the time that an agent takes is taken off what it may measure") {
    const SearchContext context = bmm_context();
    const auto run = required(rehearse(context, std::make_unique<SlowSearcher>(context, 0.1), {1, 4}, {}));
    CHECK(run->end == "budget");
    // A batch of four takes 8 virtual milliseconds, the agent 100 of its own: ten batches are more than a second.
    CHECK(run->tested <= 4 * 10);
    CHECK(run->tested >= 4);
    CHECK(run->waited_s > 5 * run->measured_s);
    CHECK(run->waited_s + run->measured_s >= 1);
    CHECK(run->longest_wait_s >= 0.09);
    // Nothing was put up for the run's best.
    CHECK(run->truth == 0);
    CHECK(run->claimed == 0);
}

TEST_CASE("rehearsal: what greedy claims under noise is a gain on the exact model") {
    SearchContext context = bmm_context(3);
    auto greedy = required(make_searcher("greedy", context));
    const auto run = required(rehearse(context, std::move(*greedy), {4, 16}, {}));
    CHECK(run->truth > 0.01);
    CHECK(run->claimed > 0);
    CHECK(run->tested > 100);
}
