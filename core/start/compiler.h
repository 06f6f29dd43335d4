// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles many PTX texts with ptxas, in child processes with a time and a memory limit each. The text is passed in
// memory and the cubin comes back through a pipe, so a process that is killed leaves no file. Results are cached by
// content (core/start/compile_cache.h).
//
//   Compiler compiler;
//   compiler.for_each(work.size(), [&](std::size_t i) { results[i] = compiler.compile(work[i], stop); });
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/start/compile_cache.h"
#include "core/start/ptxas.h"

namespace cubinlab {

struct Compilation {
    std::string text;  // PTX
    Ptxas ptxas;
    std::string arch;                  // "sm_90a"
    std::vector<std::string> options;  // "-O1"
    Hash128 key() const;               // of the text, the version of ptxas, the architecture and the options
};

struct Compiled {
    std::vector<std::byte> cubin;
    bool cached = false;
};

struct CompilerSettings {
    std::filesystem::path cache = default_cache();  // empty: none
    std::uint64_t cache_bytes = std::uint64_t{512} << 20;
    int jobs = 0;  // child processes at a time; 0: as many as the machine has hardware threads
    int timeout_ms = 60'000;
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // address space of one child

    static std::filesystem::path default_cache();  // `starts` in the user's cache folder
};

class Compiler {
  public:
    explicit Compiler(CompilerSettings settings = {});
    // Safe for several threads. Errors: BadInput with ptxas's message, Io (it cannot be started), Worker (a limit was
    // exceeded, a crash), Cancelled.
    Result<Compiled> compile(const Compilation& work, std::stop_token stop = {});
    // Calls work(i) for each i below `count`, on as many threads as jobs may run; returns when all are done. A child ends
    // with the thread that started it, so these threads live as long as their jobs.
    void for_each(std::size_t count, const std::function<void(std::size_t)>& work) const;

  private:
    CompilerSettings settings_;
    CompileCache cache_;
    int jobs_;
};

}  // namespace cubinlab
