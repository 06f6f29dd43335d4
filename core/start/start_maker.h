// SPDX-License-Identifier: GPL-3.0-or-later
// Makes starts of one kernel from its PTX: reorders the text, proves the order, renames the entry where the start says
// so, compiles, gives the kernel its own name back, and judges whether it fits the launches.
//
//   const StartMaker maker = TRY(StartMaker::create({ptx, cubin, "gemm", launches_of(...)}));
//   std::vector<Start> starts = maker.option_starts();
//   starts.push_back(maker.random_start(starts, 7));
//   for (const Result<MadeStart>& made : maker.make(starts, compiler, stop)) ...
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/binary/cubin.h"
#include "core/ptx/module.h"
#include "core/ptx/order.h"
#include "core/ptx/order_facts.h"
#include "core/start/compiler.h"
#include "core/start/find_ptx.h"
#include "core/start/fit.h"
#include "core/start/ptxas.h"
#include "core/start/start.h"

namespace cubinlab {

struct MadeStart {
    Start start;                         // with the hash of its cubin
    std::shared_ptr<const Cubin> cubin;  // the kernel has its own name
    Hash128 code;                        // core/binary/code_identity.h: equal for equal code
    std::optional<FitProblem> problem;   // why it may not run in the original's launches
};

struct StartInput {
    PtxSource ptx;
    std::shared_ptr<const Cubin> original;
    std::string kernel;  // mangled name
    std::vector<Launch> launches;
    std::vector<Ptxas> ptxas = installed_ptxas();
};

class StartMaker {
  public:
    // Errors: NotFound (no such kernel or entry), Missing (no ptxas), Unsupported (relocatable code).
    static Result<StartMaker> create(StartInput input);

    // What can move in the PTX; 0 if its order cannot be changed, order_problem() says why.
    std::size_t units() const { return order_.units.size(); }
    const std::optional<Error>& order_problem() const { return order_problem_; }
    // The facts about the units that a policy that builds orders uses. Errors: those of ptx::order_facts.
    Result<std::shared_ptr<const ptx::OrderFacts>> order_facts() const;

    Hash128 original_code() const { return original_code_; }  // as MadeStart::code

    // Of each ptxas the options that yielded different code on the kernel whose options were swept, in the order of the text.
    // The first is what the compiler does when nothing is asked.
    std::vector<Start> option_starts() const;
    // One of `bases` in a random order. The same for the same arguments. Requires units() and a base.
    Start random_start(std::span<const Start> bases, std::uint64_t seed) const;

    // Results have the order of `starts`. Errors: BadUse (of other PTX, too many keys), Missing (its ptxas is not
    // installed), Refused (the order is not proven), Corrupt (the start names another cubin than its compilation), those
    // of Compiler.
    std::vector<Result<MadeStart>> make(std::span<const Start> starts, Compiler& compiler,
                                        std::stop_token stop = {}) const;
    // The text that ptxas gets.
    Result<std::string> text_of(const Start& start) const;

  private:
    StartMaker() = default;
    Result<Compilation> compilation_of(const Start& start) const;
    Result<MadeStart> make_one(const Start& start, Compiler& compiler, std::stop_token stop) const;
    Result<MadeStart> judged(const Start& start, std::vector<std::byte> cubin) const;
    std::string compiled_name(const Start& start) const;

    StartInput input_;
    Hash128 hash_;  // of the PTX
    Hash128 original_code_;
    ptx::Module module_;
    ptx::Order order_;
    std::optional<Error> order_problem_;
    bool several_entries_ = false;
};

}  // namespace cubinlab
