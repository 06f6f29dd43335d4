// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/tally.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/inject/bindings.h"
#include "app/inject/driver.h"
#include "app/inject/json_text.h"
#include "app/inject/kernels.h"
#include "app/inject/loading.h"
#include "app/inject/lookup.h"
#include "app/inject/program_time.h"
#include "app/inject/settings.h"
#include "app/inject/timings.h"
#include "core/base/hash.h"
#include "core/base/number_of.h"

namespace cubinlab::inject {
namespace {

constexpr std::size_t kMostNotes = 100;
constexpr const char* kRestricted =
    "the program restricts its system calls (seccomp): later launches are not counted, timed or captured";
constexpr unsigned kLongestEnd = 5;  // seconds that _exit waits for each kernel of the result
std::atomic<bool> g_bounded{false};  // in _exit

void extend_end() {
    if (g_bounded.load()) ::alarm(kLongestEnd);
}

std::mutex& notes_lock() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}
std::vector<std::string>& notes() {
    static auto* const all = new std::vector<std::string>;
    return *all;
}

std::vector<Kernel*> kernels_so_far() {
    const std::lock_guard lock(kernels_lock());
    return all_kernels();
}

std::string program_name() {
    char path[4096];
    const ssize_t n = ::readlink("/proc/self/exe", path, sizeof path);
    return n > 0 ? std::string(path, static_cast<std::size_t>(n)) : "?";
}

bool write_file(const std::string& path, const void* bytes, std::size_t size) {
    const std::string fresh = path + ".new";
    std::FILE* file = std::fopen(fresh.c_str(), "wbe");
    if (!file) return false;
    const bool good = std::fwrite(bytes, 1, size, file) == size;
    return (std::fclose(file) == 0) && good && std::rename(fresh.c_str(), path.c_str()) == 0;
}

struct Counted {
    std::uint64_t replaced = 0, launches = 0, recorded = 0, graph_runs = 0;
};

Counted count() {
    Counted out;
    const std::lock_guard lock(kernels_lock());
    for (const Kernel* kernel : all_kernels()) {
        if (!kernel->replaced) continue;
        ++out.replaced;
        out.launches += kernel->launches.load() - kernel->recorded.load();
        out.recorded += kernel->recorded.load();
        out.graph_runs += kernel->graph_runs.load();
    }
    return out;
}

// Under its hash in the folder of results; empty: it cannot be written.
std::string write_once(const void* bytes, std::size_t size, const char* ending) {
    const std::string name = hash_bytes(std::span(static_cast<const std::byte*>(bytes), size)).hex() + ending;
    const std::string path = settings().out + "/" + name;
    return ::access(path.c_str(), F_OK) == 0 || write_file(path, bytes, size) ? name : std::string();
}

// With --list: the cubins of kernels that ran, so that the command line can show which can be edited.
std::string write_image(const LoadedImage& image) {
    const std::vector<std::byte> code = original_code(image);
    if (code.empty()) return {};
    return write_once(code.data(), code.size(), ".cubin");
}

// With --list: the text that the driver compiled.
std::string write_ptx(const LoadedImage& image) {
    return image.ptx.empty() ? std::string() : write_once(image.ptx.data(), image.ptx.size(), ".ptx");
}

std::string kernel_json(Kernel& kernel) {
    extend_end();
    JsonText out;
    out.field("name", kernel.name);
    out.field("replaced", kernel.replaced);
    out.field("launches", kernel.launches.load());
    out.field("recorded", kernel.recorded.load());
    out.field("graph_runs", kernel.graph_runs.load());
    out.field("captured", kernel.captured.load());
    out.field("why_not", kernel.image->why_not);
    if (settings().list) {
        out.field("image", write_image(*kernel.image));
        out.field("ptx", write_ptx(*kernel.image));
    }
    if (kernel.timings) {
        const Timings::Summary times = kernel.timings->summary();
        out.field("timed", times.timed);
        out.field("total_us", times.total_us);
        out.field("original_us", times.original_us);
        out.field("tuned_us", times.tuned_us);
        out.field("queued", times.queued);
        out.field("empty_us", times.empty_us);
        out.field("log_ratios", times.log_ratios);
    }
    return out.text();
}

// The GPU time of all kernels by pairs of stretches, with the original and with the tuned ones.
std::string program_json(ProgramTime& all) {
    const ProgramTime::Summary times = all.summary();
    JsonText out;
    out.field("original_us", times.original_us);
    out.field("tuned_us", times.tuned_us);
    out.field("counted", times.counted);
    out.field("timed", times.timed);
    out.field("launches", times.launches);
    out.field("empty_us", times.empty_us);
    return out.text();
}

bool has_notes() {
    const std::lock_guard lock(notes_lock());
    return !notes().empty();
}

void write_result(const Counted& counted, int status) {
    // A process without CUDA (a shell, a compiler) has nothing to report.
    if (settings().out.empty() || (tally().images.load() == 0 && !has_notes())) return;
    const std::vector<Kernel*> kernels = kernels_so_far();
    JsonText out;
    const Tally& t = tally();
    out.field("format", "cubinlab-inject 1");
    out.field("pid", static_cast<std::uint64_t>(::getpid()));
    out.field("program", program_name());
    out.field("forked", t.forked.load());
    out.field("images", t.images.load());
    out.field("kernels", t.kernels.load());
    out.field("replaced", counted.replaced);
    out.field("launches", counted.launches);
    out.field("recorded", counted.recorded);
    out.field("graph_nodes", t.graph_nodes.load());
    out.field("graph_launches", t.graph_launches.load());
    out.field("graph_runs", counted.graph_runs);
    out.field("links", t.links.load());
    out.field("faults", t.faults.load());
    out.field("status", static_cast<std::uint64_t>(status));
    if (ProgramTime* const all = program_time()) out.raw("program", program_json(*all));
    std::vector<std::string> each;
    for (Kernel* kernel : kernels)
        if (kernel->replaced || (!settings().all && (kernel->launches.load() > 0 || kernel->recorded.load() > 0 ||
                                                     kernel->graph_runs.load() > 0)))
            each.push_back(kernel_json(*kernel));
    out.raw_list("list", each);
    std::vector<std::string> said;
    {
        const std::lock_guard lock(notes_lock());
        said = notes();
    }
    out.list("notes", said);
    const std::string text = out.text() + "\n";
    write_file(settings().out + "/result." + std::to_string(::getpid()) + ".json", text.data(), text.size());
}

// Which file is open as standard error; none: {0, 0}.
using File = std::pair<std::uint64_t, std::uint64_t>;
File standard_error() {
    struct stat about = {};
    return ::syscall(SYS_fstat, 2, &about) == 0 ? File(about.st_dev, about.st_ino) : File();
}
File g_errors;

// Not into another file that the program opened in its place.
void say(const std::string& line) {
    if (standard_error() != g_errors) return;
    const std::string text = "cubinlab: " + line + "\n";
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t n = ::write(2, text.data() + at, text.size() - at);
        if (n <= 0 && errno != EINTR) return;
        if (n > 0) at += static_cast<std::size_t>(n);
    }
}

std::string ratio_line(Kernel& kernel) {
    const Timings::Summary times = kernel.timings->summary();
    const std::size_t n = times.log_ratios.size();
    char text[320];
    if (n < 2) return kernel.name + ": too few pairs of launches to compare";
    double mean = 0, squares = 0;
    for (const float r : times.log_ratios)
        mean += r / static_cast<double>(n);
    for (const float r : times.log_ratios)
        squares += (r - mean) * (r - mean);
    const double half = 1.96 * std::sqrt(squares / static_cast<double>(n - 1) / static_cast<double>(n));
    std::snprintf(text, sizeof text,
                  ": %+.2f %% [%+.2f, %+.2f] over %zu pairs of launches%s, %.2f us, original %.2f us, "
                  "%.2f us of two events subtracted",
                  std::expm1(mean) * 100, std::expm1(mean - half) * 100, std::expm1(mean + half) * 100, n,
                  times.queued ? ", queued before they began" : "", times.tuned_us, times.original_us,
                  times.empty_us);
    return kernel.name + text;
}

void say_what_happened(const Counted& counted) {
    const Tally& t = tally();
    if (!settings().swaps() || settings().quiet || t.images.load() == 0) return;
    std::string line = "replaced " + std::to_string(counted.replaced) + " of " +
                       with_thousands(t.kernels.load()) + " kernels, " + with_thousands(counted.launches) +
                       " launches";
    if (counted.recorded > 0) line += ", and " + with_thousands(counted.recorded) + " recorded into graphs";
    if (counted.graph_runs > 0) line += ", which ran " + with_thousands(counted.graph_runs) + " times";
    if (counted.replaced == 0)
        line = "NOTHING WAS REPLACED: no kernel of this program has the code of a schedule";
    say(line);
    if (t.faults.load() > 0)
        say(with_thousands(t.faults.load()) + " failures inside; the program continued without it");
    if (!settings().trial) return;
    for (Kernel* kernel : kernels_so_far())
        if (kernel->timings && kernel->timings->pairs()) say(ratio_line(*kernel));
}

std::atomic<void (*)(int)> g_next_exit{nullptr};
std::atomic<int> g_status{0};

// A signal handler may call _exit while its program holds a lock that we take (malloc's): the process ends all the same.
void bound_end(int status) {
    g_status.store(status);
    struct sigaction action = {};
    action.sa_handler = [](int) { real_exit(g_status.load()); };
    ::sigaction(SIGALRM, &action, nullptr);
    sigset_t alarm;
    ::sigemptyset(&alarm);
    ::sigaddset(&alarm, SIGALRM);
    ::sigprocmask(SIG_UNBLOCK, &alarm, nullptr);  // of this thread
    g_bounded.store(true);
    ::alarm(kLongestEnd);
}
std::atomic<bool> g_finished{false}, g_harvested{false};
std::atomic<pid_t> g_process{0};  // whose memory this is; a vforked child has its parent's

// Asks the system for nothing.
bool has_something_to_say() {
    return settings().active() && !g_finished.load() &&
           (tally().images.load() > 0 || tally().unknown.load() > 0 || driver_goes_unseen() || has_notes());
}

void harvest_all() {
    if (g_finished.load()) return;
    guarded([] {
        for (Kernel* kernel : kernels_so_far())
            if (kernel->timings) kernel->timings->harvest(true);
        if (ProgramTime* const all = program_time()) all->harvest(true);
    });
}

// Held while a process forks, so that they are free in the child.
void before_fork() {
    calls_lock().lock();
    kernels_lock().lock();
    notes_lock().lock();
}
void after_fork() {
    notes_lock().unlock();
    kernels_lock().unlock();
    calls_lock().unlock();
}
// A child cannot use its parent's CUDA, but one of its own; what was counted and noted before belongs to the parent.
void in_child() {
    notes().clear();
    after_fork();
    Tally& t = tally();
    g_process.store(::getpid());
    t.forked.store(true);
    t.images.store(0);
    t.kernels.store(0);
    t.graph_nodes.store(0);
    t.graph_launches.store(0);
    forget_program_time();
    for (Kernel* kernel : all_kernels()) {
        kernel->launches.store(0);
        kernel->recorded.store(0);
        kernel->graph_runs.store(0);
        kernel->captured.store(0);
        kernel->timings = nullptr;
        kernel->replaced = false;
    }
}

__attribute__((constructor)) void begin() {
    guarded([] {
        g_process.store(::getpid());
        g_next_exit.store(reinterpret_cast<void (*)(int)>(next_definition("_exit")));
        g_errors = standard_error();
        begin_lookups();
        if (!settings().active()) return;
        // Other C libraries lack these two (other_libc.cpp).
        using AtFork = int (*)(void (*)(), void (*)(), void (*)(), void*);
        if (const auto at_fork = reinterpret_cast<AtFork>(next_definition("__register_atfork")))
            at_fork(before_fork, after_fork, in_child, nullptr);
        using AtQuickExit = int (*)(void (*)(void*), void*);
        if (const auto at_quick_exit = reinterpret_cast<AtQuickExit>(next_definition("__cxa_at_quick_exit")))
            at_quick_exit([](void*) { harvest_all(), finish(); }, nullptr);
    });
}

__attribute__((destructor)) void end() {
    finish();
}

}  // namespace

Tally& tally() {
    static auto* const only = new Tally;
    return *only;
}

void note(const std::string& text) {
    const std::lock_guard lock(notes_lock());
    if (notes().size() < kMostNotes && std::find(notes().begin(), notes().end(), text) == notes().end())
        notes().push_back(text);
}

void fault_point(const char* place) {
    const std::string& asked = settings().fault;
    if (!asked.empty() && ("," + asked + ",").find("," + std::string(place) + ",") != std::string::npos)
        throw std::runtime_error(place);
}

void real_exit(int status) {
    if (const auto next = g_next_exit.load()) next(status);
    for (;;)
        ::syscall(SYS_exit_group, status);
}

void finish_before_driver() {
    if (g_harvested.exchange(true)) return;
    // Handlers run in reverse order: this one before the driver's, registered at the first load.
    std::atexit([] { harvest_all(); });
}

void finish() {
    // A program without CUDA may have restricted its system calls before.
    if (!has_something_to_say() || g_process.load() != ::getpid() || g_finished.exchange(true)) return;
    bool unmatched = false;
    guarded([&] {
        if (driver_goes_unseen() && tally().images.load() == 0)
            note(
                "the driver was loaded, but none of the functions that load or launch code was asked for in "
                "a way "
                "that can be seen: by linking against it, dlsym, dlvsym or cuGetProcAddress");
        if (const std::uint64_t unknown = tally().unknown.load(); unknown > 0)
            note(with_thousands(unknown) +
                 " launches of functions whose lookup was not seen are not in the list");
        const Counted counted = count();
        unmatched =
            settings().swaps() && settings().require && counted.replaced == 0 && tally().images.load() > 0;
        write_result(counted, unmatched ? 3 : 0);
        say_what_happened(counted);
    });
    if (unmatched) real_exit(3);
}

void finish_before_restriction() {
    if (!settings().active() || g_process.load() != ::getpid()) return;
    harvest_all();
    if (g_finished.exchange(true)) return;
    guarded([] {
        note(kRestricted);
        const Counted counted = count();
        write_result(counted, 0);
        say_what_happened(counted);
    });
}

void take_finish_back() {
    g_finished.store(false);
    const std::lock_guard lock(notes_lock());
    std::erase(notes(), kRestricted);
}

}  // namespace cubinlab::inject

// Also counts a process that ends without destructors (for example a forked child of Python's
// multiprocessing).
CUBINLAB_EXPORT __attribute__((noreturn)) void _exit(int status) {
    using namespace cubinlab::inject;
    if (has_something_to_say() && g_process.load() == ::getpid()) {
        bound_end(status);
        harvest_all();
        finish();
    }
    real_exit(status);
}
CUBINLAB_EXPORT __attribute__((noreturn)) void _Exit(int status) {
    _exit(status);
}
