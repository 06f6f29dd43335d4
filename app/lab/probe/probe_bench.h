// SPDX-License-Identifier: GPL-3.0-or-later
// Runs experiments on a GPU through a worker process (`cubinlab-lab-worker --launch`) and sums their counts.
// A kernel that faults or hangs ends its worker, not the study.
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "app/lab/probe/probe_program.h"
#include "core/gpu/client/worker_process.h"

namespace cubinlab::probe {

// How many warps share a sub-core: one, or 16 (two blocks of 1,024 threads a multiprocessor).
enum class Occupancy { One, Full };

struct Count {
    std::uint64_t wrong = 0, trials = 0;  // of one warp each
    int clocks = 0;                       // fewest, where the experiment is timed
    int most_clocks = 0;                  // of the slowest warp
    std::string failure;                  // the kernel faulted or hung: no counts
    bool broken() const { return wrong > 0 || !failure.empty(); }
};

struct Machine {
    std::string device, driver;
    int sm = 0, multiprocessors = 0;
};

class Bench {
  public:
    // `worker`: words of the command, "--launch" is added. Errors: NotFound, Worker, NoGpu.
    static Result<std::unique_ptr<Bench>> create(std::shared_ptr<const Cubin> cubin,
                                                 std::vector<std::string> worker);

    // About `trials` trials, at least. Errors: an experiment that cannot be built, or no worker can be had;
    // what the kernel does is in the Count.
    Result<Count> run(const Experiment& experiment, Occupancy occupancy, std::uint64_t trials);
    // The same of an image made by the caller, with `iterations` of the shape.
    Result<Count> run_image(const std::vector<std::byte>& image, const Shape& shape);
    Shape shape(Occupancy occupancy, std::uint64_t trials) const;

    const WordBook& book() const { return book_; }
    const Machine& machine() const { return machine_; }
    const std::shared_ptr<const Cubin>& cubin() const { return cubin_; }
    std::uint32_t exit_offset() const { return exit_; }
    std::uint64_t runs() const { return runs_; }
    std::uint64_t workers() const { return workers_; }

  private:
    Bench() = default;
    Status start();
    Result<nlohmann::json> ask(const nlohmann::json& request, int timeout_ms);

    std::shared_ptr<const Cubin> cubin_;
    WordBook book_;
    std::vector<std::string> words_;
    std::unique_ptr<WorkerProcess> worker_;
    Machine machine_;
    std::uint32_t exit_ = 0;
    std::uint64_t runs_ = 0, workers_ = 0;
};

}  // namespace cubinlab::probe
