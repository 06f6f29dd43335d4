// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand/control_legality.h"

namespace cubinlab::ui {
namespace {

class Prober {
  public:
    Prober(const HazardChecker& checker, const Schedule& legal, InstrId id, const std::stop_token& stop)
        : checker_(checker), legal_(legal), id_(id), stop_(stop) {}

    EditAnswer answer(const ControlCode& code) const {
        if (stop_.stop_requested() || code == legal_.control(id_)) return {true, {}};
        return checker_.judge(legal_, Mutation::control(legal_, id_, code));
    }

    FieldVerdict operator()(const ControlCode& code) const { return first_of(answer(code)); }

    static FieldVerdict first_of(EditAnswer answer) {
        if (answer.legal) return {};
        if (!answer.hazards.empty()) return {std::move(answer.hazards.front())};
        Hazard unknown;
        unknown.explanation = "the checker cannot prove that the result is the same";
        return {std::move(unknown)};
    }

  private:
    const HazardChecker& checker_;
    const Schedule& legal_;
    InstrId id_;
    const std::stop_token& stop_;
};

}  // namespace

ControlLegality check_control(const HazardChecker& checker, const Schedule& legal, InstrId id,
                              const ControlCode& draft, const std::stop_token& stop) {
    const Prober probe(checker, legal, id, stop);
    ControlLegality result;
    result.answer = probe.answer(draft);
    result.draft = Prober::first_of(result.answer);
    for (std::size_t i = 0; i < result.stall.size(); ++i) {
        ControlCode code = draft;
        code.stall = static_cast<std::uint8_t>(i);
        result.stall[i] = probe(code);
    }
    ControlCode other = draft;
    other.yield = !draft.yield;
    result.yield = probe(other);
    for (std::size_t i = 0; i < result.wait.size(); ++i) {
        ControlCode code = draft;
        code.wait_mask = static_cast<std::uint8_t>(draft.wait_mask ^ (1u << i));
        result.wait[i] = probe(code);
    }
    for (std::size_t i = 0; i < result.read.size(); ++i) {
        ControlCode read = draft, write = draft;
        read.read_barrier = write.write_barrier = barrier_of_index(i);
        result.read[i] = probe(read);
        result.write[i] = probe(write);
    }
    for (std::size_t i = 0; i < result.reuse.size(); ++i) {
        ControlCode code = draft;
        code.reuse = static_cast<std::uint8_t>(draft.reuse ^ (1u << i));
        result.reuse[i] = probe(code);
    }
    return result;
}

}  // namespace cubinlab::ui
