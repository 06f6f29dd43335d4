// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/edit_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "core/base/utc_text.h"
#include "core/tuning/edit_test_kernels.h"

namespace cubinlab {
namespace {

using namespace edit_test;

std::uint32_t unknown_number() {
    static std::random_device source;
    return source();
}

Error no_such_code(const std::string& part, const std::string& what) {
    return {ErrorCode::Refused, fmt::format("the answer to '{}' is refused: {}", part, what), "edit test"};
}

class EditTester {
  public:
    EditTester(std::shared_ptr<const Cubin> cubin, const TrialRunner& run)
        : cubin_(std::move(cubin)), run_(run) {}

    Result<std::vector<EditTestPart>> parts() {
        TRY(immediate());
        const TestEdit stores = TRY(exchanged_stores(cubin_));
        TRY(same_results("stores", stores.cubin, "an exchange of two stores"));
        TRY(stalls());
        if (cubin_->arch().needs_edit_test()) {
            const TestEdit left = TRY(left_capsule(cubin_));
            TRY(same_results("capsule", left.cubin, "an exchange that the capsule does not follow"));
            TRY(same_results("no-capsule", without_capsule(*cubin_), "a cubin without its capsule"));
            parts_.back().required = false;
        }
        return parts_;
    }

  private:
    struct Answered {
        std::uint32_t number = 0;
        TrialAnswer answer;
    };
    Result<Answered> ask(const char* kernel, std::vector<std::byte> image) {
        Answered out{unknown_number(), {}};
        out.answer = TRY(run_({std::move(image), kernel, out.number}));
        return out;
    }
    void add(const char* name, bool as_edited, std::string found) {
        parts_.push_back({name, as_edited, true, std::move(found)});
    }

    Status immediate() {
        std::uint32_t value = unknown_number();
        while (value == kImmediate)
            value = unknown_number();
        const TestEdit edit = TRY(changed_immediate(*cubin_, value));
        const Answered got = TRY(ask(kStores, edit.cubin));
        if (!got.answer.failure.empty()) {
            add("immediate", false, "a changed constant: " + got.answer.failure);
            return {};
        }
        const auto is = [&](std::uint32_t constant) {
            return std::ranges::equal(got.answer.words, stored(got.number, constant));
        };
        if (!is(value) && !is(kImmediate))
            return fail(no_such_code("immediate",
                                     "neither the compiled constant nor the new one gives these results"));
        add("immediate", is(value),
            is(value) ? "the results have a changed constant"
                      : "the results have the compiled constant, not the changed one");
        return {};
    }

    // Results that differ are the answer of a worker that did not run this code, or of a GPU that computes wrong: neither
    // is a passed test, and nothing is known of the edit.
    Status same_results(const char* name, std::vector<std::byte> image, const char* what) {
        const Answered got = TRY(ask(kStores, std::move(image)));
        if (got.answer.failure.empty() &&
            !std::ranges::equal(got.answer.words, stored(got.number, kImmediate)))
            return fail(no_such_code(name, "no order of these instructions gives these results"));
        add(name, got.answer.failure.empty(),
            got.answer.failure.empty() ? fmt::format("{} runs", what)
                                       : fmt::format("{}: {}", what, got.answer.failure));
        return {};
    }

    // The fewest clocks of three trials; nothing: the answer is a failure, which is noted.
    Result<std::optional<std::uint32_t>> clocks(const std::vector<std::byte>& image) {
        std::uint32_t fewest = 0xffffffff;
        for (int trial = 0; trial < 3; ++trial) {
            const Answered got = TRY(ask(kChain, image));
            if (!got.answer.failure.empty()) {
                add("stalls", false, "longer stalls: " + got.answer.failure);
                return std::optional<std::uint32_t>{};
            }
            for (std::uint32_t t = 0; t < 32; ++t) {
                if (got.answer.words[t] != chained(got.number, t))
                    return fail(no_such_code("stalls", "the chain does not give these results"));
                fewest = std::min(fewest, got.answer.words[32 + t]);
            }
        }
        return std::optional<std::uint32_t>{fewest};
    }

    Status stalls() {
        const TestEdit edit = TRY(raised_stalls(cubin_));
        const std::vector<std::byte> compiled(cubin_->bytes().begin(), cubin_->bytes().end());
        const auto before = TRY(clocks(compiled));
        if (!before) return {};
        const auto after = TRY(clocks(edit.cubin));
        if (!after) return {};
        // Each multiply-add waits for the one before: fewer clocks are impossible.
        if (*before < kChainLength * kTimedPasses * 2)
            return fail(no_such_code("stalls", fmt::format("{} clocks are too few for the chain", *before)));
        const std::int64_t more = std::int64_t{*after} - std::int64_t{*before}, wanted = edit.more_clocks;
        const bool as_edited = std::abs(more - wanted) <= wanted / 8;
        add("stalls", as_edited,
            fmt::format("stall counts raised by {} cycles take {} more clocks ({} before)", wanted, more,
                        *before));
        return {};
    }

    std::shared_ptr<const Cubin> cubin_;
    const TrialRunner& run_;
    std::vector<EditTestPart> parts_;
};

}  // namespace

bool EditTest::passed() const {
    return !parts.empty() &&
           std::ranges::all_of(parts, [](const EditTestPart& p) { return p.as_edited || !p.required; });
}

std::string EditTest::sentence() const {
    std::string found;
    for (const EditTestPart& part : parts)
        found += (found.empty() ? "" : "; ") + part.found;
    return fmt::format("{}, driver {}: edited {} code {}: {}.", gpu.device, gpu.driver, arch.name(),
                       passed() ? "runs as edited" : "does not run as edited", found);
}

EditTestRecord EditTest::record() const {
    return {gpu.device, gpu.driver, arch.sm, passed(), sentence(), utc_text()};
}

Result<EditTest> run_edit_test(const GpuProbe& gpu, const TrialRunner& run) {
    auto cubin = TRY(edit_test_cubin(gpu.sm));
    EditTest out{gpu, cubin->arch(), {}};
    out.parts = TRY(EditTester(std::move(cubin), run).parts());
    return out;
}

Result<EditTest> run_edit_test(const GpuSettings& settings, const std::stop_token& stop) {
    const GpuProbe gpu = probe_gpu(settings, stop);
    if (!gpu.present) return fail(ErrorCode::NoGpu, "no usable GPU: " + gpu.reason);
    return run_edit_test(gpu, [&](const KernelTrial& trial) { return run_trial(settings, trial, stop); });
}

}  // namespace cubinlab
