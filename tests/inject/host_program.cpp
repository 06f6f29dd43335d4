// SPDX-License-Identifier: GPL-3.0-or-later
// A small CUDA program for the tests of libcubinlab-inject.so, on the stand-in driver (tests/fakes): gets the driver's
// functions in one of three ways, loads IMAGE and does what the scenario says. Prints what it saw, a line each:
//
//   host_program dlopen|linked|getproc|perthread SCENARIO IMAGE KERNEL
//   sum 12345            of the outputs
//   code 0123456789ab    of the kernel that the driver was given
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/gpu/worker/cuda_api.h"

using Handle = void*;
using Address = unsigned long long;

// While it is locked nobody gets memory.
static std::atomic<bool> heap_is_locked{false};
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
    while (heap_is_locked)
        ::usleep(1000);
    return __libc_malloc(size);
}
#endif

namespace {

// X(member, name, parameters)
#define CALLS(X)                                                                                       \
    X(init, cuInit, (unsigned))                                                                        \
    X(alloc, cuMemAlloc_v2, (Address*, std::size_t))                                                   \
    X(to_device, cuMemcpyHtoD_v2, (Address, const void*, std::size_t))                                 \
    X(to_host, cuMemcpyDtoH_v2, (void*, Address, std::size_t))                                         \
    X(stream_create, cuStreamCreate, (Handle*, unsigned))                                              \
    X(synchronize, cuStreamSynchronize, (Handle))                                                      \
    X(module_load, cuModuleLoadData, (Handle*, const void*))                                           \
    X(module_unload, cuModuleUnload, (Handle))                                                         \
    X(module_function, cuModuleGetFunction, (Handle*, Handle, const char*))                            \
    X(module_global, cuModuleGetGlobal_v2, (Address*, std::size_t*, Handle, const char*))              \
    X(library_load, cuLibraryLoadData,                                                                 \
      (Handle*, const void*, int*, void**, unsigned, int*, void**, unsigned))                          \
    X(library_kernel, cuLibraryGetKernel, (Handle*, Handle, const char*))                              \
    X(kernel_function, cuKernelGetFunction, (Handle*, Handle))                                         \
    X(launch, cuLaunchKernel,                                                                          \
      (Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**,   \
       void**))                                                                                        \
    X(launch_ex, cuLaunchKernelEx, (const cubinlab::cu::LaunchConfig*, Handle, void**, void**))        \
    X(begin_capture, cuStreamBeginCapture_v2, (Handle, int))                                           \
    X(end_capture, cuStreamEndCapture, (Handle, Handle*))                                              \
    X(instantiate, cuGraphInstantiateWithFlags, (Handle*, Handle, unsigned long long))                 \
    X(graph_launch, cuGraphLaunch, (Handle, Handle))                                                   \
    X(reserve, cuMemAddressReserve, (Address*, std::size_t, std::size_t, Address, unsigned long long)) \
    X(create, cuMemCreate, (unsigned long long*, std::size_t, const void*, unsigned long long))        \
    X(map, cuMemMap, (Address, std::size_t, std::size_t, unsigned long long, unsigned long long))      \
    X(code_of, fake_code_of, (Handle, unsigned long long*))

struct Driver {
#define X(member, name, parameters) int(*member) parameters = nullptr;
    CALLS(X)
#undef X
} cuda;

#ifdef HOST_LINKED
extern "C" {
#define X(member, name, parameters) int name parameters;
CALLS(X)
#undef X
}
#endif

[[noreturn]] void stop(const char* what, int code) {
    std::fprintf(stderr, "host_program: %s gave %d\n", what, code);
    std::exit(9);
}
#define MUST(call)                                                    \
    do {                                                              \
        if (const int code_ = (call); code_ != 0) stop(#call, code_); \
    } while (false)

void find_driver(const std::string& way) {
#ifdef HOST_LINKED
#define X(member, name, parameters) cuda.member = &name;
    CALLS(X)
#undef X
    (void)way;
#else
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) stop("dlopen", 1);
#define X(member, name, parameters) \
    cuda.member = reinterpret_cast<int(*) parameters>(::dlsym(library, #name));
    CALLS(X)
#undef X
    if (way == "dlopen") return;
    using Get = int (*)(const char*, void**, int, unsigned long long, int*);
    const auto get = reinterpret_cast<Get>(::dlsym(library, "cuGetProcAddress_v2"));
    void* self = nullptr;
    int status = 0;
    // As the CUDA run-time does it: itself first, then everything through what it got.
    if (get("cuGetProcAddress", &self, 13000, 0, &status) != 0) stop("cuGetProcAddress", status);
    const auto again = reinterpret_cast<Get>(self);
    const unsigned long long flags = way == "perthread" ? 2 : 0;
    const auto take = [&](auto& slot, const char* name) {
        void* found = nullptr;
        if (again(name, &found, 13000, flags, &status) != 0) stop(name, status);
        slot = reinterpret_cast<std::remove_reference_t<decltype(slot)> >(found);
    };
    take(cuda.module_load, "cuModuleLoadData");
    take(cuda.module_unload, "cuModuleUnload");
    take(cuda.module_function, "cuModuleGetFunction");
    take(cuda.library_load, "cuLibraryLoadData");
    take(cuda.library_kernel, "cuLibraryGetKernel");
    take(cuda.kernel_function, "cuKernelGetFunction");
    take(cuda.launch, "cuLaunchKernel");
    take(cuda.launch_ex, "cuLaunchKernelEx");
    take(cuda.begin_capture, "cuStreamBeginCapture");
    take(cuda.end_capture, "cuStreamEndCapture");
    take(cuda.graph_launch, "cuGraphLaunch");
#endif
}

constexpr int kBytes = 5000;

struct Buffers {
    Address out = 0, in = 0;
};

Buffers make_buffers(int seed) {
    Buffers b;
    MUST(cuda.alloc(&b.out, kBytes));
    MUST(cuda.alloc(&b.in, kBytes));
    std::vector<unsigned char> values(kBytes), zeros(kBytes);
    for (int i = 0; i < kBytes; ++i)
        values[static_cast<std::size_t>(i)] = static_cast<unsigned char>(i * 7 + seed);
    MUST(cuda.to_device(b.in, values.data(), kBytes));
    MUST(cuda.to_device(b.out, zeros.data(), kBytes));
    return b;
}

unsigned long long sum_of(Address address) {
    std::vector<unsigned char> values(kBytes);
    MUST(cuda.to_host(values.data(), address, kBytes));
    unsigned long long sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += values[i] * (i + 1);
    return sum;
}

void launch(Handle kernel, const Buffers& b, Handle stream = nullptr, unsigned grid = 1) {
    Address out = b.out, in = b.in, none = 0;
    int n = kBytes;
    // As many as any kernel of the tests has.
    void* params[] = {&out, &in, &n, &none, &none, &none, &none, &none};
    MUST(cuda.launch(kernel, grid, 1, 1, 256, 1, 1, 0, stream, params, nullptr));
}

std::vector<char> read_file(const char* path) {
    std::ifstream in(path, std::ios::binary);
    std::vector<char> out((std::istreambuf_iterator<char>(in)), {});
    if (out.empty()) stop(path, 2);
    return out;
}

void say(Handle kernel, unsigned long long sum) {
    unsigned long long code = 0;
    MUST(cuda.code_of(kernel, &code));
    std::printf("sum %llu\ncode %016llx\n", sum, code);
    std::fflush(stdout);
}

}  // namespace

namespace {

// From here on another system call than these ends the program.
void restrict_calls(bool by_number) {
    constexpr unsigned kAllowed[] = {SYS_write, SYS_exit_group, SYS_exit, SYS_brk, SYS_mmap, SYS_munmap, SYS_futex};
    std::vector<sock_filter> code = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (const unsigned number : kAllowed) {
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
        code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    const sock_fprog program = {static_cast<unsigned short>(code.size()), code.data()};
    const bool good = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                      (by_number ? ::syscall(SYS_seccomp, 1, 0, &program)
                                 : ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) == 0;
    if (!good) ::_exit(9);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) return 8;
    const std::string way = argv[1], scenario = argv[2];
    if (scenario == "alone") {
        // Only the child uses the driver.
        const pid_t child = ::fork();
        int status = 0;
        if (child > 0) ::waitpid(child, &status, 0);
        if (child != 0) return status == 0 ? 0 : 7;
    }
    if (scenario == "sandbox") {  // no CUDA at all
        restrict_calls(false);
        return 7;
    }
    find_driver(way);
    MUST(cuda.init(0));
    std::vector<char> image = read_file(argv[3]);
    // "wrapped": IMAGE is a fatbin, handed over as nvcc's start-up code does.
    struct {
        std::uint32_t magic = 0x466243B1, version = 1;
        const void* data = nullptr;
        const void* unused = nullptr;
    } wrapper;
    wrapper.data = image.data();
    const void* code = scenario == "wrapped" ? static_cast<const void*>(&wrapper) : image.data();
    Handle module = nullptr, kernel = nullptr;
    if (scenario == "module" || scenario == "unload" || scenario == "constant" || scenario == "variables") {
        MUST(cuda.module_load(&module, code));
        MUST(cuda.module_function(&kernel, module, argv[4]));
    } else {
        MUST(cuda.library_load(&module, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
        MUST(cuda.library_kernel(&kernel, module, argv[4]));
    }
    Buffers b = make_buffers(1);
    unsigned long long total = 0;
    if (scenario == "settled" || scenario == "never") {
        std::vector<unsigned char> values(kBytes);
        MUST(cuda.to_host(values.data(), b.in, kBytes));
        for (unsigned char& value : values)
            ++value;
        MUST(cuda.to_device(b.out, values.data(), kBytes));
    }
    if (scenario == "fork") {
        // The child goes on without CUDA, ends without destructors and must not count.
        const pid_t child = ::fork();
        if (child == 0) ::_exit(0);
        int status = 0;
        ::waitpid(child, &status, 0);
        launch(kernel, b);
    } else if (scenario == "spawn" || scenario == "cleared") {
        launch(kernel, b);
        const pid_t child = ::fork();
        if (child == 0) {
            std::vector<char*> words(argv, argv + argc);
            std::string inner = "library";
            words[2] = inner.data();
            words.push_back(nullptr);
            char* nothing[] = {nullptr};
            if (scenario == "cleared") ::execve("/proc/self/exe", words.data(), nothing);
            ::execv("/proc/self/exe", words.data());
            ::_exit(7);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        if (status != 0) stop("the child", status);
    } else if (scenario == "threads") {
        std::vector<std::thread> threads;
        std::vector<Buffers> each;
        for (int t = 0; t < 8; ++t)
            each.push_back(make_buffers(t));
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([&, t] {
                Handle stream = nullptr;
                MUST(cuda.stream_create(&stream, 1));
                for (int i = 0; i < 100; ++i)
                    launch(kernel, each[static_cast<std::size_t>(t)], stream);
                MUST(cuda.synchronize(stream));
            });
        for (std::thread& thread : threads)
            thread.join();
        b = each.front();
    } else if (scenario == "graph") {
        Handle stream = nullptr, graph = nullptr, runnable = nullptr;
        MUST(cuda.stream_create(&stream, 1));
        MUST(cuda.begin_capture(stream, 0));
        launch(kernel, b, stream);
        MUST(cuda.end_capture(stream, &graph));
        MUST(cuda.instantiate(&runnable, graph, 0));
        for (int i = 0; i < 5; ++i)
            MUST(cuda.graph_launch(runnable, stream));
        MUST(cuda.synchronize(stream));
    } else if (scenario == "extra") {
        struct {
            Address out, in;
            int n, pad;
            Address none[2];
        } packed{b.out, b.in, kBytes, 0, {0, 0}};
        std::size_t size = sizeof packed;
        void* extra[] = {reinterpret_cast<void*>(1), &packed, reinterpret_cast<void*>(2), &size, nullptr};
        cubinlab::cu::LaunchConfig config;
        config.block_x = 256;
        MUST(cuda.launch_ex(&config, kernel, nullptr, extra));
    } else if (scenario == "function") {
        Handle function = nullptr;
        MUST(cuda.kernel_function(&function, kernel));
        launch(function, b);
    } else if (scenario == "pieces") {
        // The input lies across two handles of one reservation.
        Address base = 0;
        constexpr std::size_t kPiece = 2 << 20;
        MUST(cuda.reserve(&base, 4 * kPiece, 0, 0x520000000000, 0));
        for (std::size_t i = 0; i < 2; ++i) {
            unsigned long long handle = 0;
            MUST(cuda.create(&handle, kPiece, nullptr, 0));
            MUST(cuda.map(base + i * kPiece, kPiece, 0, handle, 0));
        }
        std::vector<unsigned char> values(kBytes, 3);
        b.in = base + kPiece - 2000;
        MUST(cuda.to_device(b.in, values.data(), kBytes));
        launch(kernel, b);
    } else if (scenario == "numbers") {
        // The input is an array of pairs of small integers, each of which looks like an address, and one that is.
        constexpr std::size_t kPairs = 2 << 20;
        std::vector<Address> pairs(kPairs);
        Address random = 1;
        for (Address& pair : pairs) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            pair = (random >> 50) << 32 | (random >> 33 & 0xffff);
        }
        MUST(cuda.alloc(&pairs.back(), 3000));
        MUST(cuda.alloc(&b.in, 8 * kPairs));
        MUST(cuda.to_device(b.in, pairs.data(), 8 * kPairs));
        launch(kernel, b);
    } else if (scenario == "unload") {
        for (int i = 0; i < 50; ++i) {
            launch(kernel, b);
            MUST(cuda.module_unload(module));
            MUST(cuda.module_load(&module, code));
            MUST(cuda.module_function(&kernel, module, argv[4]));
        }
    } else if (scenario == "many") {
        for (int i = 0; i < 3012; ++i)
            launch(kernel, b);
    } else if (scenario == "steps") {
        // Nine launches of one size, five of another and one of a third, 500 times.
        const Buffers each[] = {b, make_buffers(2), make_buffers(3)};
        constexpr int kTimes[] = {9, 5, 1};
        for (int step = 0; step < 500; ++step)
            for (unsigned size = 0; size < 3; ++size)
                for (int i = 0; i < kTimes[size]; ++i)
                    launch(kernel, each[size], nullptr, size + 1);
    } else if (scenario == "tensor_map") {
        // The first parameter is a tensor map: an address, and bytes that are none.
        struct alignas(64) {
            Address address = 0;
            unsigned char rest[120];
        } map;
        map.address = b.in + 1024;
        std::fill(std::begin(map.rest), std::end(map.rest), static_cast<unsigned char>(0xa5));
        Address out = b.out;
        int n = kBytes, rounds = 1;
        void* params[] = {&map, &out, &n, &rounds};
        MUST(cuda.launch(kernel, 1, 1, 1, 128, 1, 1, 0, nullptr, params, nullptr));
        total = sum_of(b.in);
    } else if (scenario == "settled" || scenario == "never") {
        // Its results are there before: two launches change nothing, a third has other inputs ("settled" only).
        launch(kernel, b);
        launch(kernel, b);
        if (scenario == "settled") {
            const unsigned char other = 200;
            MUST(cuda.to_device(b.in, &other, 1));
        }
        launch(kernel, b);
    } else if (scenario == "variables") {
        // The program writes to its variables between launches: IMAGE KERNEL CONSTANT VARIABLE.
        for (unsigned char i = 0; i < 200; ++i) {
            for (const int which : {5, 6}) {
                Address address = 0;
                std::size_t size = 0;
                const auto value = static_cast<unsigned char>(i * which);
                MUST(cuda.module_global(&address, &size, module, argv[which]));
                MUST(cuda.to_device(address, &value, 1));
            }
            Address out = b.out, in = b.in, none = 0;
            int n = kBytes;
            void* params[] = {&out, &in, &none, &n};
            MUST(cuda.launch(kernel, 1, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr));
            total = total * 31 + sum_of(b.out);
        }
    } else if (scenario == "failed") {
        // Does not ask whether its kernel ran well.
        launch(kernel, b);
        Address out = b.out, in = b.in, none = 0;
        int n = kBytes;
        void* params[] = {&out, &in, &n, &none, &none};
        (void)cuda.launch(kernel, 1, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr);
        ::_exit(0);
    } else if (scenario == "exit") {
        launch(kernel, b);
        say(kernel, sum_of(b.out));
        ::_exit(5);
    } else if (scenario == "quick") {
        launch(kernel, b);
        say(kernel, sum_of(b.out));
        std::quick_exit(6);
    } else if (scenario == "locked") {
        // As a signal handler that ends the program in the middle of an allocation.
        launch(kernel, b);
        say(kernel, sum_of(b.out));
        heap_is_locked = true;
        ::_exit(5);
    } else if (scenario == "prctl" || scenario == "seccomp") {
        launch(kernel, b);
        say(kernel, sum_of(b.out));
        std::fflush(stdout);
        restrict_calls(scenario == "seccomp");
        launch(kernel, b);
        return 7;
    } else if (scenario == "errors") {
        launch(kernel, b);
        // A file of the program's own in the place of standard error.
        ::close(2);
        if (::open(argv[5], O_CREAT | O_WRONLY, 0600) != 2) return 9;
    } else if (scenario == "free") {
        launch(kernel, b);
        // The image may go once it is loaded.
        std::fill(image.begin(), image.end(), '\xff');
        launch(kernel, b);
    } else {
        launch(kernel, b);
    }
    say(kernel, sum_of(b.out) + total);
    return 0;
}
