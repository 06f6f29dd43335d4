// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace cubinlab::probe {
namespace {

using nlohmann::json;

constexpr int kFullThreads = 1024, kFullBlocks = 2, kOneThreads = 128;
constexpr int kStartMs = 60000, kLaunchMs = 3000;

json binary_of(std::span<const std::byte> bytes) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return json::binary(std::vector<std::uint8_t>(first, first + bytes.size()));
}

// 32 bytes a thread. The experiments only need them to differ.
std::vector<std::byte> input_bytes(int multiprocessors) {
    std::vector<std::byte> out(static_cast<std::size_t>(multiprocessors) * kFullBlocks * kFullThreads * 32 +
                               64);
    std::mt19937 random(1);
    for (std::size_t i = 0; i + 4 <= out.size(); i += 4) {
        const std::uint32_t value = random();
        std::memcpy(out.data() + i, &value, 4);
    }
    return out;
}

}  // namespace

Result<std::unique_ptr<Bench>> Bench::create(std::shared_ptr<const Cubin> cubin,
                                             std::vector<std::string> worker) {
    auto book = WordBook::create(*cubin);
    if (!book) return fail(book.error());
    auto exit = frame_exit(*cubin);
    if (!exit) return fail(exit.error());
    std::unique_ptr<Bench> out(new Bench);
    out->cubin_ = std::move(cubin);
    out->book_ = std::move(*book);
    out->exit_ = *exit;
    out->words_ = std::move(worker);
    out->words_.emplace_back("--launch");
    if (auto ok = out->start(); !ok) return fail(ok.error());
    return out;
}

Result<json> Bench::ask(const json& request, int timeout_ms) {
    // A worker that has already ended may have said why.
    const auto sent = worker_->send(request);
    auto answer = worker_->receive(std::chrono::milliseconds(timeout_ms));
    if (!sent && !answer) return fail(sent.error());
    if (!answer) return fail(answer.error());
    if (!*answer)
        return fail(ErrorCode::Worker, fmt::format("no answer within {} ms (the kernel hangs)", timeout_ms));
    if ((**answer).value("type", "") == "fault")
        return fail(ErrorCode::Worker, (**answer).value("what", "fault"));
    return std::move(**answer);
}

Status Bench::start() {
    worker_.reset();
    auto worker = WorkerProcess::start(words_);
    if (!worker) return fail(worker.error());
    worker_ = std::move(*worker);
    ++workers_;
    auto facts = ask({{"type", "machine"}}, kStartMs);
    if (!facts) {
        worker_.reset();
        return fail(ErrorCode::NoGpu, facts.error().message());
    }
    machine_ = {facts->value("device", ""), facts->value("driver", ""), facts->value("sm", 0),
                facts->value("multiprocessors", 0)};
    auto input =
        ask({{"type", "input"}, {"bytes", binary_of(input_bytes(machine_.multiprocessors))}}, kStartMs);
    if (!input) return fail(input.error());
    return {};
}

Shape Bench::shape(Occupancy occupancy, std::uint64_t trials) const {
    Shape out;
    const int sms = std::max(1, machine_.multiprocessors);
    out.blocks = occupancy == Occupancy::One ? sms : sms * kFullBlocks;
    out.threads = occupancy == Occupancy::One ? kOneThreads : kFullThreads;
    const auto warps = static_cast<std::uint64_t>(out.blocks) * static_cast<std::uint64_t>(out.threads / 32);
    out.iterations = static_cast<std::uint32_t>(std::max<std::uint64_t>(4, (trials + warps - 1) / warps));
    return out;
}

Result<Count> Bench::run(const Experiment& experiment, Occupancy occupancy, std::uint64_t trials) {
    const Shape wanted = shape(occupancy, trials);
    auto program = build_program(book_, experiment, wanted, exit_);
    if (!program) return fail(program.error());
    auto image = build_image(*cubin_, *program);
    if (!image) return fail(image.error());
    return run_image(*image, wanted);
}

Result<Count> Bench::run_image(const std::vector<std::byte>& image, const Shape& shape_of) {
    if (!worker_)
        if (auto ok = start(); !ok) return fail(ok.error());
    const auto warps =
        static_cast<std::size_t>(shape_of.blocks) * static_cast<std::size_t>(shape_of.threads / 32);
    ++runs_;
    auto answer = ask({{"type", "launch"},
                       {"image", binary_of(image)},
                       {"kernel", kFrameName},
                       {"blocks", shape_of.blocks},
                       {"threads", shape_of.threads},
                       {"iterations", shape_of.iterations},
                       {"out_bytes", warps * 8}},
                      kLaunchMs);
    Count out;
    if (!answer) {
        out.failure = answer.error().message();
        worker_.reset();
        return out;
    }
    const auto& bytes = answer->at("out").get_binary();
    if (bytes.size() != warps * 8) return fail(ErrorCode::Worker, "the worker answered with too few bytes");
    std::uint32_t clocks = 0x7fffffff, most = 0;
    for (std::size_t i = 0; i < warps; ++i) {
        std::uint32_t pair[2];
        std::memcpy(pair, bytes.data() + i * 8, 8);
        if (pair[1] == 0) return fail(ErrorCode::Worker, "a warp of the experiment left no result");
        out.wrong += pair[0];
        clocks = std::min(clocks, pair[1]);
        most = std::max(most, pair[1]);
    }
    out.trials = warps * shape_of.iterations;
    out.clocks = static_cast<int>(clocks);
    out.most_clocks = static_cast<int>(most);
    // Every warp must have written: a warp cannot be wrong more often than it tried.
    if (out.wrong > out.trials) return fail(ErrorCode::Worker, "the kernel counted more errors than trials");
    return out;
}

}  // namespace cubinlab::probe
