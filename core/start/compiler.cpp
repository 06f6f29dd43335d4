// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/compiler.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <thread>

#include "core/base/process.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostMessage = 4000;  // characters of a message of ptxas
constexpr int kMostJobs = 256;
constexpr const char *kInput = "/dev/stdin", *kOutput = "/dev/stdout";

std::string name_of(const Compilation& work) {
    return fmt::format("ptxas {} -arch={}{}{}", work.ptxas.version, work.arch,
                       work.options.empty() ? "" : " ", fmt::join(work.options, " "));
}

// A file in memory with the text, to read from its start.
Result<Descriptor> text_in_memory(const std::string& text) {
    Descriptor file(::memfd_create("ptx", MFD_CLOEXEC));
    const auto failed = [] {
        return fail(ErrorCode::Io, fmt::format("cannot keep the PTX in memory: {}", std::strerror(errno)));
    };
    if (!file) return failed();
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(file.get(), text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return failed();
        done += static_cast<std::size_t>(n);
    }
    if (::lseek(file.get(), 0, SEEK_SET) != 0) return failed();
    return file;
}

// "line 12; error : ..." of "ptxas /dev/stdin, line 12; error : ...".
std::string words_of_ptxas(std::string text) {
    const std::string place = fmt::format("ptxas {}, ", kInput);
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos;)
        text.erase(at, place.size());
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.pop_back();
    if (text.size() > kMostMessage) text = text.substr(0, kMostWords) + "...";
    return text;
}

bool is_elf_file(const std::string& bytes) {
    return bytes.starts_with(
        "\x7f"
        "ELF");
}

Result<Compiled> run_ptxas(const Compilation& work, const CompilerSettings& settings, std::stop_token stop) {
    const Descriptor input = TRY(text_in_memory(work.text));
    std::vector<std::string> command = {work.ptxas.path.string(), "-arch=" + work.arch};
    command.insert(command.end(), work.options.begin(), work.options.end());
    command.insert(command.end(), {kInput, "-o", kOutput});
    ChildSettings child{.timeout_ms = settings.timeout_ms};
    child.process.in = input.get();
    child.process.ends_with_parent = true;
    child.process.memory_bytes = settings.memory_bytes;
    auto ran = run_child(command, child, stop);
    if (!ran) return fail(ran.error().code, ran.error().what, name_of(work));
    constexpr int kSignals = 128, kLastSignal = kSignals + 64;  // ptxas itself ends with 255
    const std::string words = words_of_ptxas(ran->err);
    if (ran->exit_status > kSignals && ran->exit_status <= kLastSignal)
        return fail(
            ErrorCode::Worker,
            fmt::format("ended by signal {}; it may use {} MiB of memory{}{}", ran->exit_status - kSignals,
                        settings.memory_bytes >> 20, words.empty() ? "" : ": ", words),
            name_of(work));
    if (ran->exit_status != 0 || !is_elf_file(ran->out))
        return fail(ErrorCode::BadInput,
                    "does not compile: " + (words.empty() ? "ptxas gives no reason" : words), name_of(work));
    const auto bytes = std::as_bytes(std::span(ran->out));
    return Compiled{{bytes.begin(), bytes.end()}, false};
}

}  // namespace

Hash128 Compilation::key() const {
    std::string all;
    const auto add = [&all](std::string_view part) {
        all += fmt::format("{}:", part.size());
        all += part;
    };
    add("1");  // format of this key
    add(ptxas.version);
    add(arch);
    add(std::to_string(options.size()));
    for (const std::string& option : options)
        add(option);
    add(text);
    return hash_bytes(all.data(), all.size());
}

std::filesystem::path CompilerSettings::default_cache() {
    const std::filesystem::path user = user_cache_folder();
    return user.empty() ? user : user / "starts";
}

Compiler::Compiler(CompilerSettings settings)
    : settings_(std::move(settings)), cache_(settings_.cache, settings_.cache_bytes) {
    const int wanted =
        settings_.jobs > 0 ? settings_.jobs : static_cast<int>(std::thread::hardware_concurrency());
    jobs_ = std::clamp(wanted, 1, kMostJobs);
}

Result<Compiled> Compiler::compile(const Compilation& work, std::stop_token stop) {
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "was stopped", name_of(work));
    const Hash128 key = work.key();
    if (auto found = cache_.find(key)) return Compiled{std::move(*found), true};
    auto made = TRY(run_ptxas(work, settings_, stop));
    cache_.keep(key, made.cubin);
    return made;
}

void Compiler::for_each(std::size_t count, const std::function<void(std::size_t)>& work) const {
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> threads;
    const std::size_t wanted = std::min(static_cast<std::size_t>(jobs_), count);
    for (std::size_t t = 0; t < wanted; ++t)
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < count; i = next++)
                work(i);
        });
}

}  // namespace cubinlab
