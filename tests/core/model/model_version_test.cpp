// SPDX-License-Identifier: GPL-3.0-or-later
// A session keeps the version of the model that made its figures, so a model that gives others has to have another.
#include "core/model/model_version.h"

#include <fmt/format.h>

#include "core/model/sm_model.h"
#include "core/search/moves/neighbourhood.h"
#include "tests/support/sample_checker.h"

using namespace cubinlab;

namespace {

// The figures of the samples and of schedules near them, to six digits.
std::string figures() {
    std::string text;
    for (const char* name :
         {"bmm", "bmm_mma", "ff_swiglu", "ff_swiglu_mma", "flash_attn", "flash_attn_mma", "flash_attn_d64",
          "flash_attn_d64_mma", "gemm_leaky", "gemm_leaky_mma", "gemm_leaky_large", "rmsnorm", "softmax"}) {
        const CheckerPtr checker = test::checker_of_sample(name);
        const KernelPtr kernel = checker->kernel();
        SmModelSettings crowded;
        crowded.threads_per_block = 512;
        const SmModel models[] = {{kernel, {}}, {kernel, crowded}};
        Schedule schedule(kernel);
        for (int round = 0; round < 4; ++round) {
            for (const SmModel& model : models)
                text += fmt::format("{} {:.6g}\n", name, model.cycles(schedule));
            // Not legal, and the same whatever the rules: the model takes any schedule.
            for (InstrId id = static_cast<InstrId>(round); id < kernel->size(); id += 7) {
                ControlCode code = schedule.control(id);
                code.stall = static_cast<std::uint8_t>(1 + (code.stall + 3 * round) % 12);
                if (!(code == schedule.control(id)))
                    schedule = Mutation::control(schedule, id, code).applied(schedule).value();
            }
        }
    }
    return text;
}

}  // namespace

TEST_CASE("a model that gives other figures has another version") {
    const std::string text = figures();
    INFO(
        "where this fails because the model was changed: raise kModelVersion, and put this hash in its "
        "place");
    CHECK(hash_bytes(text.data(), text.size()).hex() == "b4cddba5b80a377d2536b45ea215ce60");
    CHECK(kModelVersion == 1);
}

TEST_CASE("an evaluator keeps the version of the model, and another one is said") {
    const CheckerPtr checker = test::checker_of_sample("softmax");
    EvaluatorInfo info = make_model_evaluator(checker->kernel(), {})->info();
    CHECK(model_version_of(info) == kModelVersion);
    CHECK(modelled_by_another(info).empty());
    info.model.version = 4000;
    CHECK_THAT(modelled_by_another(info),
               contains_text("modelled by another version of the model (4000, this program has"));
    info.model.version.reset();
    CHECK(model_version_of(info) == 0);
    CHECK(modelled_by_another(info).empty());
    info.kind = EvaluatorKind::Gpu;
    info.model.version = 4000;
    CHECK(modelled_by_another(info).empty());
}
