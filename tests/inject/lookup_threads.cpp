// SPDX-License-Identifier: GPL-3.0-or-later
// lookup_threads PLUGIN...: a thread for each plugin opens it, launches through it and closes it, many times, while the
// others do so. Prints how often it launched.
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
    constexpr int kRounds = 20, kTimes = 50;
    // Stays, as a program's own driver does.
    if (!::dlopen("libcuda.so.1", RTLD_NOW)) return 9;
    std::atomic<int> launches{0};
    std::vector<std::thread> threads;
    for (int i = 1; i < argc; ++i)
        threads.emplace_back([&, path = argv[i]] {
            for (int round = 0; round < kRounds; ++round) {
                void* const plugin = ::dlopen(path, RTLD_LAZY);
                const auto call = plugin ? reinterpret_cast<int (*)(int)>(::dlsym(plugin, "call")) : nullptr;
                if (!call) return;
                call(kTimes);
                launches += kTimes;
                ::dlclose(plugin);
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    std::printf("launches %d\n", launches.load());
    return 0;
}
