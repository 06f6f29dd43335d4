// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/capturing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include "app/inject/image.h"
#include "app/inject/json_text.h"
#include "app/inject/loading.h"
#include "app/inject/settings.h"
#include "app/inject/tally.h"
#include "core/binary/elf_image.h"

namespace cubinlab::inject {
namespace {

constexpr std::size_t kBlock = 64 << 10;                 // compared and written at once
constexpr std::size_t kChunk = 8 << 20;                  // copied at once
constexpr std::size_t kMostWalk = std::size_t{1} << 30;  // of one reservation with several handles
constexpr std::size_t kMostQueries = 2'000'000;          // of the driver, for values that may be pointers
constexpr std::chrono::seconds kLongestAsking{5};        // for them
constexpr std::size_t kMostScanned = 16 << 20;           // bytes of a region that are searched for pointers
constexpr unsigned kPageShift = 21;                      // the driver allocates memory in pages of 2 MiB
constexpr unsigned kMostMisses = 16;  // different values of a page that point nowhere: data
constexpr std::size_t kMissesKept = 1 << 18;
constexpr std::size_t kMostParams = 1 << 16;
constexpr int kMostDepth = 3;

struct Region {
    Address base = 0;
    std::size_t size = 0;
    const char* kind = "device";
    std::string symbol;    // of the module; its address differs in every process
    std::uint64_t at = 0;  // in the files
    int depth = 0;
    std::string changed;  // "[first block, count], ..."
};

struct File {
    explicit File(const std::string& path)
        : fd(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}
    ~File() {
        if (fd >= 0) ::close(fd);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    bool write(const std::byte* bytes, std::size_t size, std::uint64_t at) const {
        return all(::pwrite, bytes, size, at);
    }
    bool read(std::byte* bytes, std::size_t size, std::uint64_t at) const {
        return all(::pread, bytes, size, at);
    }
    int fd;

  private:
    // A system call may transfer only a part.
    template <class Call, class Byte>
    bool all(Call call, Byte* bytes, std::size_t size, std::uint64_t at) const {
        while (size > 0) {
            const ssize_t n = call(fd, bytes, size, static_cast<off_t>(at));
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            bytes += n;
            size -= static_cast<std::size_t>(n);
            at += static_cast<std::uint64_t>(n);
        }
        return true;
    }
};

std::string hex(const std::byte* bytes, std::size_t size) {
    static const char digits[] = "0123456789abcdef";
    std::string out;
    for (std::size_t i = 0; i < size; ++i) {
        out += digits[static_cast<unsigned>(bytes[i]) >> 4];
        out += digits[static_cast<unsigned>(bytes[i]) & 15];
    }
    return out;
}

struct Parameters {
    std::vector<std::pair<std::size_t, std::size_t>> places;  // offset, size
    std::vector<std::byte> bytes;
    bool known = true;
};

Parameters parameters_of(const LoadedKernel& kernel, const Launch& launch) {
    Parameters out;
    const Calls& cuda = calls();
    for (std::size_t i = 0;; ++i) {
        std::size_t offset = 0, size = 0;
        Code result = kNotFound;
        if (kernel.is_kernel && cuda.kernel_params)
            result = cuda.kernel_params(kernel.handle, i, &offset, &size);
        if (result != kSuccess && cuda.function_params)
            result = cuda.function_params(launch.function, i, &offset, &size);
        if (result != kSuccess || offset + size > kMostParams) break;
        out.places.emplace_back(offset, size);
        out.bytes.resize(std::max(out.bytes.size(), offset + size));
    }
    if (launch.params) {
        out.known = cuda.kernel_params || cuda.function_params;
        for (std::size_t i = 0; i < out.places.size(); ++i)
            if (launch.params[i])
                std::memcpy(out.bytes.data() + out.places[i].first, launch.params[i], out.places[i].second);
        return out;
    }
    const void* buffer = nullptr;
    std::size_t size = 0;
    for (void** at = launch.extra; at && reinterpret_cast<std::uintptr_t>(*at) != kExtraEnd; at += 2) {
        if (reinterpret_cast<std::uintptr_t>(at[0]) == kExtraBuffer) buffer = at[1];
        if (reinterpret_cast<std::uintptr_t>(at[0]) == kExtraSize) size = *static_cast<std::size_t*>(at[1]);
    }
    if (!buffer || size > kMostParams) return out;
    if (out.places.empty()) out.places.emplace_back(0, size);
    out.bytes.resize(std::max(out.bytes.size(), size));
    std::memcpy(out.bytes.data(), buffer, size);
    return out;
}

// Numbers can look like pointers: pairs of small integers, of halves, of bytes. Query the driver for each,
// unless several others of the same page were not pointers. A slot remembers only its newest page.
class Misses {
  public:
    bool many(Address value) const {
        const Page& page = pages_[place(value)];
        return page.number == value >> kPageShift && (page.count >= kMostMisses || page.last == value);
    }
    void add(Address value) {
        Page& page = pages_[place(value)];
        if (page.number != value >> kPageShift) page = {value >> kPageShift, 0, 0};
        page.last = value;
        ++page.count;
    }

  private:
    struct Page {
        Address number = 0, last = 0;
        unsigned count = 0;
    };
    static std::size_t place(Address value) { return (value >> kPageShift) * 0x9e3779b97f4a7c15u >> 46; }
    std::vector<Page> pages_ = std::vector<Page>(kMissesKept);
};

class Reach {
  public:
    // Not every possible pointer was followed. A replay that needs missing memory fails.
    bool given_up = false;
    std::vector<Region> regions;
    std::vector<std::string> left_out;
    std::size_t total = 0;

    // Variables and constants of the module: input like any buffer.
    void add_symbols(const LoadedKernel& kernel, Bytes elf) {
        auto image = ElfImage::read(elf, {});
        if (!image) return;
        const Calls& cuda = calls();
        for (const ElfSymbol& symbol : image->symbols) {
            constexpr std::uint8_t kObject = 1;
            if (symbol.type != kObject || symbol.size == 0 || symbol.section >= image->sections.size())
                continue;
            const std::string_view section = image->sections[symbol.section].name;
            if (!section.starts_with(".nv.global") && section != ".nv.constant3") continue;
            Region region;
            region.symbol = symbol.name;
            const Handle module = kernel.image->handle;
            bool found = false;
            if (kernel.image->library) {
                found = (cuda.library_global && cuda.library_global(&region.base, &region.size, module,
                                                                    region.symbol.c_str()) == kSuccess) ||
                        (cuda.library_managed && cuda.library_managed(&region.base, &region.size, module,
                                                                      region.symbol.c_str()) == kSuccess);
            } else {
                found = cuda.module_global && cuda.module_global(&region.base, &region.size, module,
                                                                 region.symbol.c_str()) == kSuccess;
            }
            if (!found || region.size == 0) continue;
            region.kind = section == ".nv.constant3" ? "constant" : "variable";
            add(region);
        }
    }

    // The allocation that `value` points into, if it points into one.
    void follow(Address value, int depth, int device) {
        constexpr Address kLeast = 1 << 16, kMost = Address{1} << 49;
        if (value < kLeast || value >= kMost) return;
        for (Region& known : regions)
            if (value >= known.base && value < known.base + known.size) {
                if (!known.symbol.empty())
                    leave_out("a pointer to " + known.symbol +
                              ", which has another address in every process");
                return;
            }
        if (given_up || misses_.many(value)) return;
        const auto now = [] { return std::chrono::steady_clock::now(); };
        if (queries_ == 0) began_ = now();
        given_up = ++queries_ > kMostQueries || (queries_ % 1024 == 0 && now() - began_ > kLongestAsking);
        const Calls& cuda = calls();
        int type = 0, managed = 0, ordinal = 0;
        Address first = 0;
        std::size_t size = 0;
        int names[] = {kPointerMemoryType, kPointerManaged, kPointerOrdinal, kPointerRangeStart,
                       kPointerRangeSize};
        void* values[] = {&type, &managed, &ordinal, &first, &size};
        if (!cuda.pointer_attributes || cuda.pointer_attributes(5, names, values, value) != kSuccess ||
            type == 0)
            return misses_.add(value);
        Region region;
        region.depth = depth;
        region.kind = managed != 0 ? "managed" : type == kMemoryHost ? "host" : "device";
        if (type == kMemoryDevice && managed == 0 && ordinal != device) {
            leave_out("memory of another GPU");
            return;
        }
        if (!cuda.address_range || cuda.address_range(&region.base, &region.size, value) != kSuccess) {
            region.base = first;
            region.size = size;
        }
        // A reservation with several handles behind one another: a tensor may lie across them.
        const Address end = first + size;
        while (region.base + region.size < end && region.size < kMostWalk) {
            Address next = 0;
            std::size_t more = 0;
            if (!cuda.address_range ||
                cuda.address_range(&next, &more, region.base + region.size) != kSuccess ||
                next != region.base + region.size || more == 0)
                break;
            region.size += more;
        }
        if (region.base == 0 || region.size == 0 || value >= region.base + region.size) return;
        add(region);
    }

    void follow_all(const std::byte* bytes, std::size_t size, int depth, int device) {
        for (std::size_t at = 0; at + 8 <= size; at += 8) {
            Address value = 0;
            std::memcpy(&value, bytes + at, sizeof value);
            follow(value, depth, device);
        }
    }

    void leave_out(std::string what) {
        if (std::find(left_out.begin(), left_out.end(), what) == left_out.end())
            left_out.push_back(std::move(what));
    }

  private:
    void add(Region region) {
        region.at = total;
        total += (region.size + 4095) / 4096 * 4096;
        regions.push_back(std::move(region));
    }
    Misses misses_;
    std::size_t queries_ = 0;
    std::chrono::steady_clock::time_point began_;
};

bool copy_before(const std::vector<Region>& regions, const File& file, std::uint64_t total) {
    std::vector<std::byte> chunk(kChunk);
    for (const Region& region : regions)
        for (std::size_t done = 0; done < region.size; done += kChunk) {
            const std::size_t n = std::min(kChunk, region.size - done);
            if (calls().copy_to_host(chunk.data(), region.base + done, n) != kSuccess) return false;
            if (!file.write(chunk.data(), n, region.at + done)) return false;
        }
    return ::ftruncate(file.fd, static_cast<off_t>(total)) == 0;
}

bool copy_after(std::vector<Region>& regions, const File& before, const File& after, std::uint64_t total) {
    std::vector<std::byte> chunk(kChunk), old(kChunk);
    for (Region& region : regions) {
        std::size_t first = 0, count = 0;
        const auto flush = [&] {
            if (count == 0) return;
            region.changed += (region.changed.empty() ? "[" : ", [") + std::to_string(first) + ", " +
                              std::to_string(count) + "]";
            count = 0;
        };
        for (std::size_t done = 0; done < region.size; done += kChunk) {
            const std::size_t n = std::min(kChunk, region.size - done);
            if (calls().copy_to_host(chunk.data(), region.base + done, n) != kSuccess) return false;
            if (!before.read(old.data(), n, region.at + done)) return false;
            for (std::size_t at = 0; at < n; at += kBlock) {
                const std::size_t size = std::min(kBlock, n - at);
                if (std::memcmp(chunk.data() + at, old.data() + at, size) == 0) continue;
                if (!after.write(chunk.data() + at, size, region.at + done + at)) return false;
                const std::size_t block = (done + at) / kBlock;
                if (count > 0 && first + count != block) flush();
                if (count == 0) first = block;
                ++count;
            }
        }
        flush();
    }
    return ::ftruncate(after.fd, static_cast<off_t>(total)) == 0;
}

std::string three(const unsigned (&values)[3]) {
    return "[" + std::to_string(values[0]) + ", " + std::to_string(values[1]) + ", " +
           std::to_string(values[2]) + "]";
}

int attribute_of(const LoadedKernel& kernel, Handle function, int which, int device) {
    const Calls& cuda = calls();
    int value = 0;
    if (kernel.is_kernel && cuda.kernel_attribute &&
        cuda.kernel_attribute(&value, which, kernel.handle, device) == kSuccess)
        return value;
    if (cuda.function_attribute && cuda.function_attribute(&value, which, function) == kSuccess) return value;
    return -1;
}

std::string launch_json(const LoadedKernel& kernel, const Launch& launch, const Parameters& params,
                        const Reach& reach, std::uint64_t number, int device) {
    JsonText out;
    out.field("format", "cubinlab-capture 1");
    out.field("kernel", kernel.counts->name);
    out.field("launch", number);
    out.raw("grid", three(launch.config.grid));
    out.raw("block", three(launch.config.block));
    out.field("dynamic_shared_bytes", static_cast<std::uint64_t>(launch.config.shared));
    out.field("cooperative", launch.cooperative);
    std::vector<std::string> attributes;
    for (unsigned i = 0; i < launch.config.count && launch.config.attributes; ++i) {
        const LaunchAttribute& a = launch.config.attributes[i];
        JsonText one;
        one.field("id", static_cast<std::uint64_t>(a.id));
        one.field("value", hex(reinterpret_cast<const std::byte*>(a.value.bytes), sizeof a.value.bytes));
        attributes.push_back(one.text());
    }
    out.raw_list("attributes", attributes);
    const int carve_out = attribute_of(kernel, launch.function, kFunctionCarveOut, device);
    if (carve_out >= 0) out.field("carve_out", static_cast<std::uint64_t>(carve_out));
    char name[256] = {};
    if (calls().device_name && calls().device_name(name, sizeof name - 1, device) == kSuccess)
        out.field("device", name);
    out.field("sm", static_cast<std::uint64_t>(current_sm()));
    std::vector<std::string> places;
    for (const auto& [offset, size] : params.places)
        places.push_back("[" + std::to_string(offset) + ", " + std::to_string(size) + "]");
    out.raw_list("params", places);
    out.field("param_bytes", hex(params.bytes.data(), params.bytes.size()));
    out.field("block_bytes", static_cast<std::uint64_t>(kBlock));
    std::vector<std::string> regions;
    for (const Region& region : reach.regions) {
        JsonText one;
        one.field("address", static_cast<std::uint64_t>(region.base));
        one.field("size", static_cast<std::uint64_t>(region.size));
        one.field("at", region.at);
        one.field("kind", region.kind);
        one.field("symbol", region.symbol);
        one.field("depth", static_cast<std::uint64_t>(region.depth));
        one.raw("changed", "[" + region.changed + "]");
        regions.push_back(one.text());
    }
    out.raw_list("regions", regions);
    out.list("left_out", reach.left_out);
    return out.text() + "\n";
}

std::string number_text(double bytes) {
    char text[40];
    std::snprintf(text, sizeof text, "%.1f MiB", bytes / (1 << 20));
    return text;
}

// Notes why nothing was captured; the launch continues.
struct Refusal {
    std::string why;
};

void remove_capture(const std::string& folder) {
    for (const char* name : {"/before.bin", "/after.bin", "/module.cubin", "/module.ptx"})
        ::unlink((folder + name).c_str());
    ::rmdir(folder.c_str());
}

// A launch that changes nothing, because its results were already there, cannot show missing memory, so a
// later one is captured. As a further input set it is good enough.
void take_another(Kernel& kernel, std::uint64_t number) {
    constexpr std::uint64_t kMostSettled = 16;
    const std::uint64_t before = kernel.settled.fetch_add(1);
    const bool again = before + 1 < kMostSettled;
    const std::string why =
        " not captured, since it changed nothing in memory (its results were there before)";
    if (before == 0) note(kernel.name + ": launch " + std::to_string(number) + why + "; the next are tried");
    if (!again)
        note(kernel.name + ": launch " + std::to_string(number) + why + ", as " + std::to_string(before) +
             " others; no further one is tried");
    kernel.capture.store(again);
}

void capture(LoadedKernel& loaded, const Launch& launch, std::uint64_t number, bool& started, Code& result) {
    Kernel& kernel = *loaded.counts;
    fault_point("capture");
    const Calls& cuda = calls();
    if (!cuda.context_synchronize || !cuda.copy_to_host || !cuda.context_device)
        throw Refusal{"the driver lacks what a capture needs"};
    if (settings().out.empty()) throw Refusal{"no folder was named (CUBINLAB_OUT)"};
    int device = 0;
    if (cuda.context_device(&device) != kSuccess) throw Refusal{"no context"};
    const std::vector<std::byte> elf = original_code(*loaded.image);
    if (elf.empty())
        throw Refusal{loaded.image->why_not.empty() ? "its code is no longer in memory"
                                                    : loaded.image->why_not};
    if (cuda.context_synchronize() != kSuccess) throw Refusal{"the GPU could not be waited for"};
    const Parameters params = parameters_of(loaded, launch);
    if (!params.known) throw Refusal{"this driver does not say the sizes of parameters"};
    Reach reach;
    reach.add_symbols(loaded, elf);
    reach.follow_all(params.bytes.data(), params.bytes.size(), 1, device);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < reach.regions.size(); ++i) {
        const Region region = reach.regions[i];
        if (reach.total > settings().limit) break;
        if (region.depth >= kMostDepth) continue;
        bytes.resize(std::min(region.size, kMostScanned));
        if (cuda.copy_to_host(bytes.data(), region.base, bytes.size()) == kSuccess)
            reach.follow_all(bytes.data(), bytes.size(), region.depth + 1, device);
    }
    if (reach.given_up)
        note(kernel.name +
             ": its memory holds more numbers that may be pointers than the driver is asked of; "
             "if it uses one of the others, a replay (--check) fails");
    if (reach.total > settings().limit)
        throw Refusal{"it reaches " + number_text(static_cast<double>(reach.total)) +
                      " of memory, more than the limit of " +
                      number_text(static_cast<double>(settings().limit)) + " (--limit)"};
    static std::atomic<unsigned> made{0};
    const std::string folder = settings().out + "/" + std::to_string(::getpid()) + "." +
                               std::to_string(made.fetch_add(1) + 1) + ".capture";
    if (::mkdir(folder.c_str(), 0777) != 0) throw Refusal{"the folder cannot be made: " + folder};
    const File before(folder + "/before.bin"), after(folder + "/after.bin"), module(folder + "/module.cubin");
    if (before.fd < 0 || after.fd < 0 || module.fd < 0 || !module.write(elf.data(), elf.size(), 0))
        throw Refusal{"files cannot be written in " + folder};
    if (const std::string& ptx = loaded.image->ptx; !ptx.empty())
        File(folder + "/module.ptx").write(reinterpret_cast<const std::byte*>(ptx.data()), ptx.size(), 0);
    if (!copy_before(reach.regions, before, reach.total))
        throw Refusal{"memory could not be copied (disk full?)"};
    started = true;
    result = launch.start(launch, launch.function);
    if (result != kSuccess) throw Refusal{"the launch failed (" + std::to_string(result) + ")"};
    if (const Code failed = cuda.context_synchronize(); failed != kSuccess) {
        note(kernel.name + ": not captured: the kernel failed (" + error_text(failed) +
             "), which a program that does not ask does not see");
        remove_capture(folder);
    } else if (!copy_after(reach.regions, before, after, reach.total)) {
        note(kernel.name + ": not captured: its results could not be copied");
        remove_capture(folder);
    } else if ((kernel.captured.load() == 0 || kernel.sizes) &&
               std::all_of(reach.regions.begin(), reach.regions.end(),
                           [](const Region& region) { return region.changed.empty(); })) {
        remove_capture(folder);
        take_another(kernel, number);
        if (kernel.sizes) kernel.sizes->take_another(size_of(launch.config));
    } else {
        const std::string text = launch_json(loaded, launch, params, reach, number, device);
        const File json(folder + "/launch.json.new");
        if (json.fd >= 0 && json.write(reinterpret_cast<const std::byte*>(text.data()), text.size(), 0) &&
            ::rename((folder + "/launch.json.new").c_str(), (folder + "/launch.json").c_str()) == 0)
            kernel.captured.fetch_add(1);
    }
}

}  // namespace

bool SizesCaptured::wants(const LaunchSize& size) {
    const std::lock_guard lock(mutex_);
    return taken_.size() < most_ && std::find(taken_.begin(), taken_.end(), size) == taken_.end();
}

void SizesCaptured::take(const LaunchSize& size) {
    const std::lock_guard lock(mutex_);
    taken_.push_back(size);
}

void SizesCaptured::take_another(const LaunchSize& size) {
    const std::lock_guard lock(mutex_);
    taken_.erase(std::remove(taken_.begin(), taken_.end(), size), taken_.end());
}

Code capture_launch(LoadedKernel& loaded, const Launch& launch, std::uint64_t number, bool& started) {
    const Kernel& kernel = *loaded.counts;
    static std::atomic<bool> busy{false};
    if (busy.exchange(true)) {
        note(kernel.name + ": a launch was not captured, since another was being captured");
        return kUnknown;
    }
    Code result = kSuccess;
    try {
        capture(loaded, launch, number, started, result);
    } catch (const Refusal& refusal) {
        busy.store(false);
        note(kernel.name + ": not captured: " + refusal.why);
        return result;
    } catch (...) {
        busy.store(false);
        if (started) tally().faults.fetch_add(1);
        if (!started) throw;
        return result;
    }
    busy.store(false);
    return result;
}

}  // namespace cubinlab::inject
