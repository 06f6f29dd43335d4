// SPDX-License-Identifier: GPL-3.0-or-later
// What the two halves of the stand-in driver share: fake_cuda.cpp (what the worker calls) and fake_programs.cpp (what
// programs call besides: cubins, fatbins, libraries, graphs, virtual memory).
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fake {

// A module, or a kernel of a module that was read from a cubin.
struct Module {
    double us = 20;
    std::string flags;
    int launches = 0;
    // Of a cubin:
    std::map<std::string, std::unique_ptr<Module>> kernels;
    std::map<std::string, std::vector<unsigned char>> globals;
    std::vector<const unsigned char*> reads;  // of what its kernels read besides their buffers
    Module* parent = nullptr;                 // of a kernel
    std::string name;
    std::vector<std::pair<std::size_t, std::size_t>> params;  // offset, size
    std::uint64_t code = 0;                                   // a hash of its words
    int max_shared = 0;
    void* context = nullptr;  // of a module that was loaded from a cubin; null: any (a library)
};

// The calling thread's.
extern thread_local void* context;
// True if a kernel of this module cannot run in the current context.
inline bool elsewhere(const Module& kernel) {
    return kernel.parent && kernel.parent->context && kernel.parent->context != context;
}

extern double clock_us;
extern std::map<std::uintptr_t, std::size_t> allocations;
int run(Module& module, void** params);  // fake_cuda.cpp

// Null: not a cubin or fatbin.
Module* module_from_code(const void* image);
// The launch of a kernel that came from a cubin: every aligned 8-byte value in its parameters that points into an
// allocation is a buffer; the first is written: out[i] = in[i] + 1 + (first bytes of the module's constants and of
// the variables that its table of addresses names), for as many bytes as the first
// 4-byte parameter says (256 where there is none).
int run_kernel(Module& kernel, void** params, void** extra);
// True while a stream is being captured: what waits for the GPU or copies then spoils the capture.
bool spoils_capture();
// Parameters one behind another, as `extra` has them.
std::vector<unsigned char> flat(const Module& kernel, void** params, void** extra);
// The file that stands for what a compiler makes of a PTX text: PTX that begins with "//cubin PATH". Empty: it does not.
std::vector<std::byte> compiled(const void* ptx);
// During a capture a launch is recorded instead of run. True: it was.
bool record_launch(void* stream, Module* kernel, void** params, void** extra);
// What a program's call costs it: where no stream is held back, the GPU has nothing to do meanwhile, and
// CUBINLAB_FAKE_CALL_US of virtual time pass. With CUBINLAB_FAKE_GATE=blocks a launch waits for what holds it back, with
// CUBINLAB_FAKE_LAZY=1 each kernel's first one does, whose code is loaded then. `launched`: null: another call.
void program_calls(const Module* launched);
// "Device" memory of a program: at addresses that another process can have as well (CUBINLAB_FAKE_ARENA=0x50...).
void* arena_memory(std::size_t bytes);

// The error of a kernel that failed, as every call reports it from then on; 0: none did.
int failed();
void fail(int error);

}  // namespace fake
