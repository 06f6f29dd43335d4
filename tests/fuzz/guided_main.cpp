// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage-guided fuzzing where there is no libFuzzer: with GCC, whose -fsanitize-coverage=trace-pc,trace-cmp calls the
// functions below. Takes libFuzzer's arguments of packaging/fuzz.sh and prints its two figures:
//
//   fuzz_X [-max_total_time=S] [-timeout=S] [-rss_limit_mb=N] [-max_len=N] [-seed=N] [-artifact_prefix=P] WORK [SEEDS...]
//
// An input that reaches a new branch, or one another number of times, joins the corpus in WORK. What crashes, takes too
// long or too much memory is written to P and ends the program with an error.
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_target.h"

#define NOT_COUNTED \
    extern "C"      \
        __attribute__((no_sanitize_coverage, no_sanitize("address", "undefined"), visibility("default")))

namespace {

using Input = std::vector<std::uint8_t>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPlaces = 1 << 16, kCompared = 1 << 10;
std::uint8_t hits[kPlaces];        // of this input, by a hash of the place in the code
std::uint8_t known[kPlaces];       // the counts that were seen, a bit for each magnitude
std::uint64_t compared[kCompared];  // values that the code compared its input with
std::size_t compared_next = 0;

struct Options {
    double seconds = 60;
    unsigned timeout = 5;
    std::size_t memory_mb = 1024, longest = 65536;
    std::uint64_t seed = 0;
    std::string artifacts = "./";
    std::vector<std::string> folders;
} options;

// Plain memory: a signal handler and the sanitizer's last call read it.
const std::uint8_t* running = nullptr;
std::size_t running_size = 0;
unsigned seconds_running = 0;
std::uint64_t inputs = 0;

long peak_mb() {
    rusage use = {};
    ::getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss >> 10;
}

void print_figures() {
    std::printf("stat::number_of_executed_units: %llu\nstat::peak_rss_mb: %ld\n",
                static_cast<unsigned long long>(inputs), peak_mb());
    std::fflush(stdout);
}

void keep_input(const char* why) {
    if (!running) return;
    char name[4096];
    std::snprintf(name, sizeof name, "%s%s-%d-%llu", options.artifacts.c_str(), why, ::getpid(),
                  static_cast<unsigned long long>(inputs));
    if (std::FILE* file = std::fopen(name, "wb")) {
        std::fwrite(running, 1, running_size, file);
        std::fclose(file);
    }
    running = nullptr;
    std::printf("%s: %s\n", why, name);
    print_figures();
}

void fail_with(const char* why) {
    keep_input(why);
    ::_exit(70);
}

void every_second(int) {
    if (running && ++seconds_running > options.timeout) fail_with("timeout");
    ::alarm(1);
}

// In the functions that the instrumented code calls, nothing instrumented may be called.
#define NOTE_COMPARED(value) \
    if ((value) > 0xff) compared[compared_next++ % kCompared] = (value)

__attribute__((no_sanitize_coverage, always_inline)) inline std::uint8_t magnitude(std::uint8_t count) {
    if (count < 4) return static_cast<std::uint8_t>(1u << count >> 1);
    return count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128;
}

__attribute__((no_sanitize_coverage)) bool runs_new(const Input& input) {
    std::memset(hits, 0, sizeof hits);
    seconds_running = 0;
    running_size = input.size();
    running = input.data();
    LLVMFuzzerTestOneInput(input.data(), input.size());
    running = nullptr;
    ++inputs;
    bool fresh = false;
    for (std::size_t i = 0; i < kPlaces; i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, hits + i, 8);
        if (eight == 0) continue;
        for (std::size_t j = i; j < i + 8; ++j) {
            const std::uint8_t seen = hits[j] == 0 ? std::uint8_t{0} : magnitude(hits[j]);
            if ((seen & ~known[j]) == 0) continue;
            known[j] = static_cast<std::uint8_t>(known[j] | seen);
            fresh = true;
        }
    }
    return fresh;
}

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}
    Input of(const std::vector<Input>& corpus) {
        // Half of the time one of the newest.
        const std::size_t newest = std::min<std::size_t>(corpus.size(), 16);
        Input out = corpus[below(2) == 0 ? corpus.size() - 1 - below(newest) : below(corpus.size())];
        for (std::uint64_t n = 1 + below(5); n > 0; --n)
            change(out, corpus[below(corpus.size())]);
        if (out.size() > options.longest) out.resize(options.longest);
        return out;
    }

  private:
    std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }
    std::uint64_t value() {
        static constexpr std::uint64_t kValues[] = {0,      1,          0x7f,       0x80,       0xff, 0x7fff,
                                                    0xffff, 0x7fffffff, 0xffffffff, 1ull << 63, ~0ull};
        const std::size_t way = below(3);
        return way == 0   ? kValues[below(std::size(kValues))]
               : way == 1 ? compared[below(kCompared)]
                          : random_();
    }
    void put(Input& out, std::size_t at, std::uint64_t what) {
        const std::size_t width = std::min(std::size_t{1} << below(4), out.size() - at);
        std::memcpy(out.data() + at, &what, width);
    }
    void change(Input& out, const Input& other) {
        if (out.empty()) return out.push_back(static_cast<std::uint8_t>(random_()));
        const std::size_t at = below(out.size()),
                          end = at + 1 + below(std::min<std::size_t>(out.size() - at, 64));
        const auto place = [&](std::size_t i) { return out.begin() + static_cast<std::ptrdiff_t>(i); };
        switch (below(9)) {
            case 0:
                out[at] = static_cast<std::uint8_t>(out[at] ^ 1u << below(8));
                return;
            case 1:
                return put(out, at, value());
            case 2:
                out[at] = static_cast<std::uint8_t>(out[at] + below(16) - 8);
                return;
            case 3:
                out.erase(place(at), place(std::min(end, out.size())));
                return;
            case 4: {
                const Input part(place(at), place(std::min(end, out.size())));
                out.insert(place(below(out.size())), part.begin(), part.end());
                return;
            }
            case 5: {
                if (other.empty()) return;
                const std::size_t from = below(other.size()),
                                  length = 1 + below(std::min<std::size_t>(other.size() - from, 256));
                const auto first = other.begin() + static_cast<std::ptrdiff_t>(from);
                out.insert(place(at), first,
                           first + static_cast<std::ptrdiff_t>(std::min(length, other.size() - from)));
                return;
            }
            case 6: {  // of text: another number
                char text[24];
                const int length = std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value()));
                out.insert(place(at), text, text + length);
                return;
            }
            case 7:
                out.resize(at);
                return;
            default: {
                const std::uint64_t word = value();
                std::uint8_t bytes[8];
                std::memcpy(bytes, &word, 8);
                out.insert(place(at), bytes, bytes + (std::size_t{1} << below(4)));
            }
        }
    }
    std::mt19937_64 random_;
};

bool take(const char* text, const char* name, std::string& value) {
    const std::size_t length = std::strlen(name);
    if (std::strncmp(text, name, length) != 0) return false;
    value = text + length;
    return true;
}

void read_options(int argc, char** argv) {
    options.seed = static_cast<std::uint64_t>(::getpid());
    for (int i = 1; i < argc; ++i) {
        std::string value;
        if (take(argv[i], "-max_total_time=", value))
            options.seconds = std::stod(value);
        else if (take(argv[i], "-timeout=", value))
            options.timeout = static_cast<unsigned>(std::stoul(value));
        else if (take(argv[i], "-rss_limit_mb=", value))
            options.memory_mb = std::stoull(value);
        else if (take(argv[i], "-max_len=", value))
            options.longest = std::stoull(value);
        else if (take(argv[i], "-seed=", value))
            options.seed = std::stoull(value);
        else if (take(argv[i], "-artifact_prefix=", value))
            options.artifacts = value;
        else if (argv[i][0] != '-')
            options.folders.emplace_back(argv[i]);
    }
}

std::vector<Input> read_folders() {
    std::vector<Input> out;
    for (const std::string& folder : options.folders)
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (!entry.is_regular_file() || entry.file_size() > options.longest) continue;
            std::ifstream in(entry.path(), std::ios::binary);
            out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        }
    return out;
}

void keep_for_others(const Input& input, std::size_t number) {
    if (options.folders.empty()) return;
    const std::string name =
        options.folders.front() + "/" + std::to_string(::getpid()) + "-" + std::to_string(number);
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
}

}  // namespace

NOT_COUNTED void __sanitizer_cov_trace_pc() {
    const auto at = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    std::uint8_t& count = hits[(at ^ at >> 16) % kPlaces];
    if (count != 0xff) ++count;
}
#define COMPARE(name, type)               \
    NOT_COUNTED void name(type a, type b) { \
        NOTE_COMPARED(a);                 \
        NOTE_COMPARED(b);                 \
    }
NOT_COUNTED void __sanitizer_cov_trace_cmp1(std::uint8_t, std::uint8_t) {}
NOT_COUNTED void __sanitizer_cov_trace_const_cmp1(std::uint8_t, std::uint8_t) {}
COMPARE(__sanitizer_cov_trace_cmp2, std::uint16_t)
COMPARE(__sanitizer_cov_trace_cmp4, std::uint32_t)
COMPARE(__sanitizer_cov_trace_cmp8, std::uint64_t)
COMPARE(__sanitizer_cov_trace_const_cmp2, std::uint16_t)
COMPARE(__sanitizer_cov_trace_const_cmp4, std::uint32_t)
COMPARE(__sanitizer_cov_trace_const_cmp8, std::uint64_t)
NOT_COUNTED void __sanitizer_cov_trace_cmpf(float, float) {}
NOT_COUNTED void __sanitizer_cov_trace_cmpd(double, double) {}
NOT_COUNTED void __sanitizer_cov_trace_switch(std::uint64_t, void* cases) {
    const auto* const words = static_cast<const std::uint64_t*>(cases);  // how many, how wide, each
    for (std::uint64_t i = 0; i < words[0] && i < 8; ++i)
        NOTE_COMPARED(words[2 + i]);
}

int main(int argc, char** argv) {
    read_options(argc, argv);
    __sanitizer_set_death_callback([] { keep_input("crash"); });
    ::signal(SIGALRM, every_second);
    ::alarm(1);
    const auto start = Clock::now();
    std::vector<Input> corpus = {{}};
    for (Input& input : read_folders()) {
        runs_new(input);
        corpus.push_back(std::move(input));
    }
    Mutator mutator(options.seed);
    while (std::chrono::duration<double>(Clock::now() - start).count() < options.seconds)
        for (int i = 0; i < 64; ++i) {
            Input input = mutator.of(corpus);
            if (runs_new(input)) {
                keep_for_others(input, corpus.size());
                corpus.push_back(std::move(input));
            }
            if (i == 0 && peak_mb() > static_cast<long>(options.memory_mb)) {
                running = input.data();
                running_size = input.size();
                fail_with("memory");
            }
        }
    print_figures();
    return 0;
}
