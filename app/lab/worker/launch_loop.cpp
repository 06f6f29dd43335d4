// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/worker/launch_loop.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "core/gpu/protocol/frame.h"
#include "core/gpu/worker/gpu_device.h"
#include "core/gpu/worker/nvml.h"
#include "core/gpu/protocol/protocol.h"

namespace cubinlab {
namespace {

using nlohmann::json;

std::span<const std::byte> bytes_of(const json& message, const char* key) {
    const auto& binary_value = message.at(key).get_binary();
    return std::as_bytes(std::span(binary_value.data(), binary_value.size()));
}

class Launcher {
  public:
    explicit Launcher(GpuDevice& device) : device_(device) {}

    Result<json> handle(const json& message) {
        const std::string type = type_of(message);
        if (type == "machine") return machine();
        if (type == "input") return input(bytes_of(message, "bytes"));
        if (type == "launch") return launch(message);
        return fail(ErrorCode::Worker, fmt::format("unknown request '{}'", type), "protocol");
    }

  private:
    Result<json> machine() const {
        const DeviceFacts& facts = device_.facts();
        const std::string version = Nvml::open(facts.pci).driver_version();
        return json{{"type", "machine"},
                    {"device", facts.name},
                    {"driver", version.empty() ? facts.driver : version},
                    {"sm", facts.sm},
                    {"multiprocessors", facts.multiprocessors}};
    }
    Result<json> input(std::span<const std::byte> bytes) {
        auto memory = DeviceMemory::allocate(device_.api(), bytes.size());
        if (!memory) return fail(memory.error());
        CUBINLAB_CU(device_.api(), copy_to_device, memory->address(), bytes.data(), bytes.size());
        input_ = std::move(*memory);
        return json{{"type", "done"}};
    }
    Status reserve(std::size_t bytes) {
        if (output_.bytes() >= bytes) return {};
        auto memory = DeviceMemory::allocate(device_.api(), bytes);
        if (!memory) return fail(memory.error());
        output_ = std::move(*memory);
        return {};
    }
    Result<json> launch(const json& message) {
        const cu::Api& api = device_.api();
        const auto bytes = message.at("out_bytes").get<std::size_t>();
        if (bytes == 0 || bytes > (1u << 28))
            return fail(ErrorCode::Worker, "out_bytes is out of range", "protocol");
        if (auto ok = reserve(bytes); !ok) return fail(ok.error());
        Workload workload;
        workload.kernel = message.at("kernel").get<std::string>();
        workload.grid[0] = message.at("blocks").get<std::uint32_t>();
        workload.block[0] = message.at("threads").get<std::uint32_t>();
        auto iterations = message.at("iterations").get<std::uint32_t>();
        auto kernel = LoadedKernel::load(device_, bytes_of(message, "image"), workload);
        if (!kernel) return fail(kernel.error());
        auto from = device_.event(0), to = device_.event(1);
        if (!from || !to) return fail(from ? to.error() : from.error());
        cu::CUdeviceptr out = output_.address(), in = input_.address();
        void* params[] = {&out, &in, &iterations};
        CUBINLAB_CU(api, fill32_async, out, 0u, bytes / 4, device_.stream());
        CUBINLAB_CU(api, event_record, *from, device_.stream());
        if (auto ok = cubinlab::launch(device_, *kernel, workload, params); !ok) return fail(ok.error());
        CUBINLAB_CU(api, event_record, *to, device_.stream());
        if (auto ok = device_.synchronize(); !ok) return fail(ok.error());
        std::vector<std::uint8_t> back(bytes);
        CUBINLAB_CU(api, copy_to_host, back.data(), out, bytes);
        const auto us = device_.elapsed_us(*from, *to);
        return json{{"type", "launched"}, {"out", json::binary(std::move(back))}, {"us", us ? *us : 0.0}};
    }

    GpuDevice& device_;
    DeviceMemory input_, output_;
};

[[noreturn]] void end_with(int out, const Error& error) {
    write_all(out, encode_frame({{"type", "fault"}, {"what", error.message()}}));
    ::_exit(5);  // a lost context would block anything gentler
}

}  // namespace

int run_launch_loop(int index) {
    ::signal(SIGPIPE, SIG_IGN);
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    const int in = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
    const int out = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
    if (in < 0 || out < 0) return 2;
    ::dup2(2, 1);
    if (!write_all(out, std::as_bytes(std::span(kPreamble, sizeof kPreamble - 1)))) return 0;
    WorkerHeartbeat heartbeat;
    auto device = GpuDevice::open(index, heartbeat);
    if (!device) end_with(out, device.error());
    Launcher launcher(**device);
    FrameParser parser(false);
    std::vector<std::byte> chunk(1 << 16);
    for (;;) {
        const ssize_t n = ::read(in, chunk.data(), chunk.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) ::_exit(0);
        parser.feed(std::span(chunk).first(static_cast<std::size_t>(n)));
        for (;;) {
            auto message = parser.next();
            if (!message) end_with(out, message.error());
            if (!*message) break;
            try {
                auto answer = launcher.handle(**message);
                if (!answer) end_with(out, answer.error());
                if (!write_all(out, encode_frame(*answer))) ::_exit(0);
            } catch (const std::exception& error) {
                end_with(out,
                         {ErrorCode::Worker, fmt::format("malformed request: {}", error.what()), "protocol"});
            }
        }
    }
}

}  // namespace cubinlab
