// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/worker_loop.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "core/base/bounded_json.h"
#include "core/base/stopwatch.h"
#include "core/gpu/protocol/frame.h"
#include "core/gpu/protocol/protocol.h"
#include "core/gpu/worker/captured_space.h"
#include "core/gpu/worker/gpu_bench.h"
#include "core/gpu/worker/trial.h"

namespace cubinlab {
namespace {

using nlohmann::json;

constexpr int kExitProtocol = 2, kExitHang = 4, kExitFatal = 5;

// Writes frames to the client, from any thread.
class ReplyWriter {
  public:
    explicit ReplyWriter(int fd) : fd_(fd) {}
    void send(const json& message) {
        const std::vector<std::byte> frame = encode_frame(message);
        const std::lock_guard lock(mutex_);
        if (!write_all(fd_, frame)) ::_exit(0);  // the client is gone
    }
    void preamble() {
        const std::lock_guard lock(mutex_);
        if (!write_all(fd_, std::as_bytes(std::span(kPreamble, sizeof kPreamble - 1)))) ::_exit(0);
    }

  private:
    int fd_;
    std::mutex mutex_;
};

class RequestReader {
  public:
    explicit RequestReader(ReplyWriter& replies) : replies_(replies) {}
    // Reads until the input ends, then exits the process.
    void read_from(int fd) {
        FrameParser parser(false);
        std::vector<std::byte> chunk(1 << 16);
        for (;;) {
            const ssize_t n = ::read(fd, chunk.data(), chunk.size());
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) ::_exit(0);
            parser.feed(std::span(chunk).first(static_cast<std::size_t>(n)));
            for (;;) {
                auto message = parser.next();
                if (!message) {
                    replies_.send(to_message(message.error()));
                    ::_exit(kExitProtocol);
                }
                if (!*message) break;
                const std::lock_guard lock(mutex_);
                queue_.push_back(std::move(**message));
                filled_.notify_one();
            }
        }
    }
    json take() {
        std::unique_lock lock(mutex_);
        filled_.wait(lock, [&] { return !queue_.empty(); });
        json out = std::move(queue_.front());
        queue_.pop_front();
        return out;
    }

  private:
    ReplyWriter& replies_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::deque<json> queue_;
};

// The work that is on the GPU, for the watchdog.
struct InFlight {
    std::atomic<std::int64_t> id{0};
    std::atomic<std::int64_t> index{-1};
    std::atomic<int> hang_after_ms{10000};
    std::atomic<bool> together{false};  // a batch whose first candidate is `index`
};

void watch(const WorkerHeartbeat& heartbeat, const InFlight& in_flight, ReplyWriter& replies) {
    using namespace std::chrono;
    auto last_beat = steady_clock::now();
    for (;;) {
        std::this_thread::sleep_for(milliseconds(20));
        const auto now = steady_clock::now();
        const std::int64_t since = heartbeat.gpu_since_ns.load();
        const std::int64_t now_ns = duration_cast<nanoseconds>(now.time_since_epoch()).count();
        if (since != 0 &&
            now_ns - since > static_cast<std::int64_t>(in_flight.hang_after_ms.load()) * 1000000) {
            replies.send({{"type", in_flight.together.load() ? "batch_failed" : "hang"},
                          {"id", in_flight.id.load()},
                          {"index", in_flight.index.load()}});
            ::_exit(kExitHang);
        }
        if (now - last_beat > milliseconds(500)) {
            last_beat = now;
            replies.send({{"type", "heartbeat"}, {"progress", heartbeat.progress.load()}});
        }
    }
}

class Session {
  public:
    Session(ReplyWriter& replies, WorkerHeartbeat& heartbeat, InFlight& in_flight,
            const BackgroundWork& background)
        : replies_(replies), heartbeat_(heartbeat), in_flight_(in_flight), start_background_(background) {}

    void handle(const json& message) {
        id_ = integer_of(message, "id", 0);
        in_flight_.id.store(id_);
        in_flight_.index.store(-1);
        const std::string type = type_of(message);
        if (type == "probe") return probe(message);
        if (type == "warm") return warm(message);
        if (type == "prepare") return prepare(message);
        if (type == "evaluate") return evaluate(message);
        if (type == "compare") return compare(message);
        if (type == "trial") return trial(message);
        answer(to_message(Error{ErrorCode::Worker, fmt::format("unknown request '{}'", type), "protocol"}));
    }

  private:
    void answer(json message) {
        message["id"] = id_;
        replies_.send(message);
    }
    Result<std::vector<std::byte>> image_of(const WireImage& image,
                                            std::span<const std::byte> reference = {}) {
        Stopwatch watch(protocol_seconds_);
        return build_image(image.of_reference ? reference : bench_->original(), image);
    }
    Status open_device(int index) {
        if (device_ && device_->facts().index == index) return {};
        background_.reset();
        bench_.reset();
        device_.reset();
        device_ = TRY(GpuDevice::open(index, heartbeat_));
        return {};
    }

    void probe(const json& message) {
        json out = {{"type", "probe"}, {"present", true}, {"reason", ""}};
        if (auto status = open_device(static_cast<int>(integer_of(message, "device", 0))); !status) {
            out["present"] = false;
            out["reason"] = status.error().message();
            return answer(out);
        }
        const DeviceFacts& facts = device_->facts();
        const std::string version = Nvml::open(facts.pci).driver_version();
        out["device"] = facts.name;
        out["driver"] = version.empty() ? facts.driver : fmt::format("{} ({})", version, facts.driver);
        out["sm"] = facts.sm;
        out["memory_bytes"] = facts.memory_bytes;
        out["devices"] = facts.devices;
        out["uuid"] = facts.uuid;
        out["clock_khz"] = facts.clock_khz;
        answer(out);
    }

    // Opens everything that needs no workload: driver, context, NVML, the digest kernel in the driver's cache.
    void warm(const json& message) {
        if (auto status = open_device(static_cast<int>(integer_of(message, "device", 0))); !status)
            return answer(to_message(status.error()));
        Nvml::open(device_->facts().pci);
        if (auto digester = GpuDigester::create(*device_); !digester)
            return answer(to_message(digester.error()));
        answer({{"type", "warm"}});
    }

    void prepare(const json& message) {
        auto request = prepare_request_from(message);
        if (!request) return answer(to_message(request.error()));
        auto workload = Workload::parse(request->workload);
        if (!workload) return answer(to_message(workload.error()));
        background_.reset();
        bench_.reset();
        space_.reset();
        double take_s = 0;
        if (CapturedLaunch::of(*workload)) {
            Stopwatch watch(take_s);
            if (auto status = take_addresses(*request); !status) {
                answer(to_message(status.error()));
                ::_exit(kExitFatal);  // another process has another layout
            }
        }
        // Making inputs and loading may take longer than a candidate may.
        in_flight_.hang_after_ms.store(std::max(15000, request->settings.hang_after_ms));
        StartTimes seconds;
        const auto opened = [&] {
            Stopwatch watch(seconds.open);
            return open_device(request->settings.device);
        }();
        if (!opened) return answer(to_message(opened.error()));
        const BenchSettings settings = request->settings;
        std::string unfit;
        if (settings.cubin_sm != 0)
            unfit = cannot_run(device_->facts().sm, settings.cubin_sm, settings.cubin_accelerated);
        if (!unfit.empty()) return answer(to_message(Error{ErrorCode::NoGpu, std::move(unfit), "gpu"}));
        auto bench = GpuBench::prepare(*device_, std::move(*workload), std::move(request->cubin),
                                       std::move(request->files), request->settings,
                                       std::move(request->calibrations), space_.get());
        if (!bench) {
            answer(to_message(bench.error()));
            ::_exit(kExitFatal);  // a fault may have broken the context
        }
        bench_ = std::move(*bench);
        protocol_seconds_ = 0;  // like the times of the bench
        if (start_background_) {
            auto background = start_background_(*device_, settings.seed);
            if (!background) return answer(to_message(background.error()));
            background_ = std::move(*background);
        }
        int longest_wait_ms = 0;
        json calibrations = json::array();
        for (const Calibration& one : bench_->calibrations()) {
            longest_wait_ms = std::max(longest_wait_ms, one.longest_wait_ms());
            calibrations.push_back(to_message(one));
        }
        in_flight_.hang_after_ms.store(std::max(50, settings.hang_after_ms) + longest_wait_ms);
        seconds.memory = take_s + bench_->start_times().memory;
        seconds.check = bench_->start_times().check;
        seconds.calibrate = bench_->start_times().calibrate;
        answer({{"type", "prepared"},
                {"facts", to_message(bench_->facts())},
                {"calibrations", std::move(calibrations)},
                {"seconds", to_message(seconds)}});
    }

    // Reserves the addresses of a captured launch, before a context takes any if this worker has none yet.
    Status take_addresses(const PrepareRequest& request) {
        auto api = TRY(cu::Api::open());
        std::vector<CapturedMemory> sets;
        for (int number = -1; request.files.count(number) != 0; --number) {
            auto memory = TRY(CapturedMemory::parse(request.files.at(number)));
            sets.push_back(std::move(memory));
        }
        if (sets.empty()) return fail(ErrorCode::Worker, "the captured memory was not sent", "protocol");
        space_ = TRY(CapturedSpace::reserve(*api, request.settings.device, std::move(sets)));
        return {};
    }

    bool unprepared() {
        if (bench_) return false;
        answer(to_message(Error{ErrorCode::Worker, "asked to measure before 'prepare'", "protocol"}));
        return true;
    }

    void evaluate(const json& message) {
        if (unprepared()) return;
        auto request = evaluate_request_of(message);
        if (!request) return answer(to_message(request.error()));
        if (request->cache && !bench_->select(*request->cache))
            return answer(to_message(Error{
                ErrorCode::Worker, "asked to measure in a cache state that is not prepared", "protocol"}));
        auto reference = image_of(request->reference);
        if (!reference) return answer(to_message(reference.error()));
        const bool together =
            request->together && request->effort != Effort::Confirm && request->sampling.by_noise;
        const std::size_t most =
            together ? std::min(bench_->together_at_most(), request->together_at_most) : 1;
        for (std::size_t i = 0; i < request->candidates.size();) {
            in_flight_.index.store(static_cast<std::int64_t>(i));
            if (const std::size_t done = most > 1 ? evaluate_batch(*request, *reference, i, most) : 0;
                done > 0) {
                i += done;
                continue;
            }
            BenchOutcome outcome;
            auto image = image_of(request->candidates[i], *reference);
            if (image) {
                outcome =
                    bench_->evaluate(*image, *reference, request->effort, request->alpha, request->sampling);
            } else {
                outcome.detail = image.error().message();
            }
            answer_outcome(outcome, i);
            if (outcome.fatal) ::_exit(kExitFatal);
            ++i;
        }
        PhaseTimes times = bench_->times();
        times.protocol = protocol_seconds_;
        answer({{"type", "done"}, {"times", to_message(times)}});
    }

    Result<EvaluateRequest> evaluate_request_of(const json& message) {
        Stopwatch watch(protocol_seconds_);
        return evaluate_request_from(message);
    }

    void answer_outcome(const BenchOutcome& outcome, std::size_t index) {
        Stopwatch watch(protocol_seconds_);
        json out = to_message(outcome);
        out["type"] = "outcome";
        out["index"] = index;
        answer(out);
    }

    // Measures a batch from candidate `first` on; batches have about equal size, at most `most`. Returns the number of
    // outcomes sent: 0 if only one candidate is left to screen or the first image is malformed.
    std::size_t evaluate_batch(const EvaluateRequest& request, const std::vector<std::byte>& reference,
                               std::size_t first, std::size_t most) {
        const std::size_t left = request.candidates.size() - first;
        const std::size_t groups = (left + most - 1) / most;
        const std::size_t wanted = (left + groups - 1) / groups;
        std::vector<std::vector<std::byte>> images;
        while (images.size() < wanted) {
            auto image = image_of(request.candidates[first + images.size()], reference);
            if (!image) break;
            images.push_back(std::move(*image));
        }
        const bool refine = request.effort == Effort::Refine;
        if (images.size() < (refine ? 1 : 2)) return 0;
        in_flight_.together.store(true);
        auto outcomes =
            refine ? bench_->refine(images, reference, request.alpha,
                                    request.sampling.loads > 0 ? request.sampling.loads : kPromoteLoads)
                   : bench_->screen_batch(images, reference, request.alpha);
        in_flight_.together.store(false);
        if (!outcomes) {
            answer({{"type", "batch_failed"}, {"index", first}, {"why", outcomes.error().message()}});
            ::_exit(kExitFatal);
        }
        for (std::size_t k = 0; k < outcomes->size(); ++k)
            answer_outcome((*outcomes)[k], first + k);
        return outcomes->size();
    }

    void compare(const json& message) {
        if (unprepared()) return;
        auto request = compare_request_from(message);
        if (!request) return answer(to_message(request.error()));
        const BenchComparison result = bench_->compare(*request, [&](int done, int total) {
            answer({{"type", "progress"}, {"done", done}, {"total", total}});
        });
        json out = to_message(result);
        out["type"] = "comparison";
        answer(out);
        if (result.outcome.fatal) ::_exit(kExitFatal);
    }

    void trial(const json& message) {
        const auto device = static_cast<int>(integer_of(message, "device", 0));
        if (auto status = open_device(device); !status) return answer(to_message(status.error()));
        if (!message.contains("cubin") || !message["cubin"].is_binary())
            return answer(to_message(Error{ErrorCode::Worker, "a trial lacks its cubin", "protocol"}));
        const auto& cubin = message["cubin"].get_binary();
        const auto words =
            run_one_warp(*device_, std::as_bytes(std::span(cubin)), json_or(message, "kernel", ""),
                         static_cast<std::uint32_t>(integer_of(message, "number", 0)));
        if (!words) {
            answer(to_message(words.error()));
            ::_exit(kExitFatal);  // a fault may have broken the context
        }
        answer({{"type", "trial"}, {"words", *words}});
    }

    ReplyWriter& replies_;
    WorkerHeartbeat& heartbeat_;
    InFlight& in_flight_;
    std::unique_ptr<GpuDevice> device_;
    std::unique_ptr<CapturedSpace> space_;  // memory of bench_: destroyed after it
    std::unique_ptr<GpuBench> bench_;
    const BackgroundWork& start_background_;
    std::shared_ptr<void> background_;  // runs on the device of bench_: destroyed first
    std::int64_t id_ = 0;
    double protocol_seconds_ = 0;  // time to read requests, build images and answer
};

}  // namespace

int run_worker(const BackgroundWork& background) {
    ::signal(SIGPIPE, SIG_IGN);
    // Lazy loading would put part of a module's cost into its first launch.
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    const int in = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
    const int out = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in < 0 || out < 0 || nothing < 0) return kExitProtocol;
    ::dup2(nothing, 0);
    ::dup2(2, 1);  // the GPU's printf writes to 1
    ReplyWriter replies(out);
    replies.preamble();
    RequestReader requests(replies);
    WorkerHeartbeat heartbeat;
    InFlight in_flight;
    Session session(replies, heartbeat, in_flight, background);
    // Detached: both threads run until the process ends, which is always by _exit. Neither can be stopped: one blocks in
    // read(), and the other has to end a process whose GPU hangs.
    std::thread([&] { requests.read_from(in); }).detach();
    std::thread([&] { watch(heartbeat, in_flight, replies); }).detach();
    for (;;) {
        const json message = requests.take();
        try {
            session.handle(message);
        } catch (const std::exception& error) {
            replies.send(to_message(
                Error{ErrorCode::Worker, fmt::format("internal error: {}", error.what()), "worker"}));
            ::_exit(kExitFatal);
        }
    }
}

}  // namespace cubinlab
