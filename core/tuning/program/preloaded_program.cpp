// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/preloaded_program.h"

#include <elf.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/base/find_program.h"
#include "core/base/process.h"

extern char** environ;

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kLibrary = "libcubinlab-inject.so";
constexpr std::size_t kMostResult = 256u << 20;
constexpr std::chrono::seconds kGrace{5};  // from the request to end to the end by force

std::atomic<pid_t> g_child{0};

extern "C" void pass_on(int signal) {
    if (const pid_t child = g_child.load(); child > 0) ::kill(child, signal);
}

// What ends us ends the program; the terminal sends Ctrl-C to both by itself.
class PassSignals {
  public:
    PassSignals() {
        struct sigaction to = {};
        to.sa_handler = pass_on;
        ::sigaction(SIGTERM, &to, &old_term_);
        ::sigaction(SIGHUP, &to, &old_hup_);
        to.sa_handler = SIG_IGN;
        ::sigaction(SIGINT, &to, &old_int_);
        ::sigaction(SIGQUIT, &to, &old_quit_);
    }
    ~PassSignals() {
        g_child.store(0);
        ::sigaction(SIGTERM, &old_term_, nullptr);
        ::sigaction(SIGHUP, &old_hup_, nullptr);
        ::sigaction(SIGINT, &old_int_, nullptr);
        ::sigaction(SIGQUIT, &old_quit_, nullptr);
    }
    PassSignals(const PassSignals&) = delete;
    PassSignals& operator=(const PassSignals&) = delete;

  private:
    struct sigaction old_term_ = {}, old_hup_ = {}, old_int_ = {}, old_quit_ = {};
};

std::vector<std::string> environment_for(const PreloadedProgram& program, const fs::path& library) {
    std::vector<std::pair<std::string, std::string>> wanted = program.environment;
    std::string preload = library.string();
    if (const char* already = std::getenv("LD_PRELOAD"); already && *already)
        preload += std::string(":") + already;
    wanted.emplace_back("LD_PRELOAD", preload);
    wanted.emplace_back("CUBINLAB_OUT", program.out.string());
    std::vector<std::string> out;
    for (char** at = environ; *at; ++at) {
        const std::string_view entry = *at;
        const std::string_view name = entry.substr(0, entry.find('='));
        // Left over from a run around this one.
        static const std::set<std::string_view> ours = {
            "CUBINLAB_SCHEDULES",     "CUBINLAB_REQUIRE", "CUBINLAB_AB",    "CUBINLAB_AB_ALL",
            "CUBINLAB_LIST",          "CUBINLAB_CAPTURE", "CUBINLAB_CAPTURE_LAUNCH",
            "CUBINLAB_CAPTURE_LIMIT", "CUBINLAB_QUIET",   "CUBINLAB_TIME"};
        const bool replaced =
            ours.count(name) != 0 ||
            std::any_of(wanted.begin(), wanted.end(), [&](const auto& w) { return w.first == name; });
        if (!replaced) out.emplace_back(entry);
    }
    for (const auto& [name, value] : wanted)
        out.push_back(name + "=" + value);
    return out;
}

}  // namespace

Result<fs::path> inject_library() {
    if (const char* given = std::getenv("CUBINLAB_INJECT"); given && *given) {
        if (::access(given, R_OK) != 0)
            return fail(ErrorCode::Missing, "cannot be read (CUBINLAB_INJECT names it)", given);
        return fs::absolute(given);
    }
    std::error_code ignored;
    const fs::path self = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const fs::path& folder : {self, self.parent_path() / "lib", self.parent_path() / "lib" / "cubinlab",
                                   self.parent_path() / "lib" / "x86_64-linux-gnu" / "cubinlab",
                                   self.parent_path() / "lib64" / "cubinlab"})
        if (::access((folder / kLibrary).c_str(), R_OK) == 0) return folder / kLibrary;
    return fail(ErrorCode::Missing,
                "is neither next to this program nor in ../lib; name it with CUBINLAB_INJECT", kLibrary);
}

Status check_preloadable(const fs::path& path, const std::string& instead) {
    if (path.string().find_first_of(" :") == std::string::npos) return {};
    return fail(ErrorCode::BadUse, "LD_PRELOAD takes no path with a blank or a colon; " + instead,
                path.string());
}

namespace {

Result<int> run_to_end(const PreloadedProgram& program, ProcessSettings settings, std::stop_token stop) {
    if (program.on_output) {
        const ChildOutput ran = TRY(run_child(
            program.command, {.grace = kGrace, .process = settings, .on_output = program.on_output}, stop));
        return ran.exit_status;
    }
    settings.in = kInherit;
    settings.out = program.output_to_errors ? STDERR_FILENO : kInherit;
    settings.own_group = false;
    const PassSignals signals;
    Process child = TRY(Process::start(program.command, settings));
    g_child.store(child.id());
    return child.wait().exit_status();
}

}  // namespace

Result<PreloadedRun> run_preloaded(const PreloadedProgram& program, std::stop_token stop) {
    auto library = TRY(inject_library());
    TRY(check_preloadable(library, "put the library elsewhere and name it with CUBINLAB_INJECT"));
    auto code = run_to_end(
        program, {.environment = environment_for(program, library), .folder = program.folder}, stop);
    if (!code)
        return fail(code.error().code == ErrorCode::Io ? ErrorCode::BadUse : code.error().code,
                    code.error().what, program.command[0]);
    PreloadedRun out;
    out.exit_code = *code;
    std::error_code ignored;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(program.out, ignored))
        if (const std::string name = entry.path().filename().string();
            name.starts_with("result.") && name.ends_with(".json"))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        auto text = read_text(file, kMostResult);
        json one = text ? parse_json_or_discard(*text) : json();
        if (one.is_object()) out.processes.push_back(std::move(one));
    }
    return out;
}

namespace {

fs::path file_of(const std::string& program) {
    if (program.find('/') != std::string::npos) return program;
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (is_program(fs::path(folder) / program)) return fs::path(folder) / program;
    return program;
}

bool has_loader(std::ifstream& in, const Elf64_Ehdr& head) {
    for (int i = 0; i < head.e_phnum; ++i) {
        Elf64_Phdr one{};
        in.seekg(static_cast<std::streamoff>(head.e_phoff + static_cast<std::size_t>(i) * head.e_phentsize));
        if (in.read(reinterpret_cast<char*>(&one), sizeof one) && one.p_type == PT_INTERP) return true;
    }
    return false;
}

}  // namespace

std::string why_unseen(const std::vector<std::string>& command) {
    const fs::path file = file_of(command.front());
    std::ifstream in(file, std::ios::binary);
    Elf64_Ehdr head{};
    if (in.read(reinterpret_cast<char*>(&head), sizeof head) && std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0) {
        if (head.e_ident[EI_CLASS] != ELFCLASS64) return file.string() + " is a 32-bit program, the library has 64 bits";
        if (!has_loader(in, head)) return file.string() + " is linked statically, so no library can be loaded into it";
    }
    struct stat about = {};
    const auto other = [&](mode_t bit, auto owner, auto self) { return (about.st_mode & bit) != 0 && owner != self; };
    if (::stat(file.c_str(), &about) == 0 &&
        (other(S_ISUID, about.st_uid, ::getuid()) || other(S_ISGID, about.st_gid, ::getgid())))
        return file.string() + " is setuid, so the system loads no other library into it";
    return "did the program use CUDA, and does it keep its environment for the programs that it starts (none of them setuid "
           "or linked statically)?";
}

ReplacedCount count_replaced(const PreloadedRun& run) {
    ReplacedCount out;
    for (const json& one : run.processes) {
        ++out.processes;
        out.replaced += json_or(one, "replaced", std::uint64_t{0});
        out.kernels += json_or(one, "kernels", std::uint64_t{0});
        out.launches += json_or(one, "launches", std::uint64_t{0});
        out.recorded += json_or(one, "recorded", std::uint64_t{0});
        out.graph_runs += json_or(one, "graph_runs", std::uint64_t{0});
        out.faults += json_or(one, "faults", std::uint64_t{0});
        if (json_or(one, "replaced", std::uint64_t{0}) == 0) ++out.without;
    }
    return out;
}

}  // namespace cubinlab
