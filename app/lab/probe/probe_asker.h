// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the experiments of probe_questions.h. Internal to them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/lab/probe/probe_catalog.h"
#include "app/lab/probe/probe_questions.h"

namespace cubinlab::probe {

using Texts = std::vector<std::string>;

inline ControlCode code(int stall, bool yield = false, int write = -1, int read = -1, unsigned wait = 0,
                        unsigned reuse = 0) {
    ControlCode c;
    c.stall = static_cast<std::uint8_t>(stall);
    c.yield = yield;
    if (write >= 0) c.write_barrier = static_cast<std::uint8_t>(write);
    if (read >= 0) c.read_barrier = static_cast<std::uint8_t>(read);
    c.wait_mask = static_cast<std::uint8_t>(wait);
    c.reuse = static_cast<std::uint8_t>(reuse);
    return c;
}

class Asker {
  public:
    explicit Asker(const WordBook& book) : book_(book) {}

    // `core` with random operands; compares `collect`, or what the last line writes.
    void ask(const std::string& topic, const std::string& name, Expect expect, std::vector<Line> core,
             Texts collect = {}, const Texts& init = {}, const Texts& prepare = {}, bool timed = false,
             std::vector<Line> reference = {}) {
        if (error_) return;
        Question q{topic, name, expect, {}, 0};
        Texts texts, also = init;
        also.insert(also.end(), prepare.begin(), prepare.end());
        for (const Line& l : core)
            texts.push_back(l.text);
        texts.insert(texts.end(), collect.begin(), collect.end());
        auto random = random_operands(book_, texts, also);
        if (!random) return set(random.error());
        q.experiment.init = std::move(*random);
        q.experiment.init.insert(q.experiment.init.end(), init.begin(), init.end());
        q.experiment.prepare = prepare;
        if (collect.empty()) {
            auto fold = fold_of(book_, core.back().text);
            if (!fold) return set(fold.error());
            collect = std::move(*fold);
        }
        q.experiment.core = std::move(core);
        q.experiment.reference = std::move(reference);
        q.experiment.collect = std::move(collect);
        q.experiment.timed = timed;
        out_.push_back(std::move(q));
    }
    std::vector<Question>& out() { return out_; }
    std::optional<Error> error() const { return error_; }
    std::size_t skipped() const { return skipped_; }

  private:
    // The catalogue is that of sm_90: other architectures lack some of its instructions.
    void set(const Error& error) {
        if (book_.arch().sm != 90 && error.code == ErrorCode::NotFound)
            ++skipped_;
        else
            error_ = error;
    }
    const WordBook& book_;
    std::vector<Question> out_;
    std::optional<Error> error_;
    std::size_t skipped_ = 0;
};

void reuse_questions(Asker& asker);
void order_questions(Asker& asker);

}  // namespace cubinlab::probe
