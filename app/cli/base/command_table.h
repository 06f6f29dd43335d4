// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of one program. Each command states its name, options and body once; parsing, help and usage
// errors follow from that.
//
//   CommandTable table("cubinlab", "CubinLab: ...", version_line());
//   auto [info, options] = table.add("info", "kernels, architecture", run_info);
//   info->add_option("FILE", options.file, "cubin")->required();
//   return table.run(argc, argv);
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/cli/base/output.h"
#include "core/base/result.h"

namespace cubinlab::cli {

class CommandTable {
  public:
    CommandTable(std::string program, const std::string& about, const std::string& version);

    template <class Options>
    struct Added {
        CLI::App* app;
        Options& options;  // as long as the table
    };
    // If the arguments choose this command, `body(options)` returns the exit code, or the error to print.
    template <class Options, class Code>
    Added<Options> add(const char* name, const char* about, Code (*body)(const Options&),
                       CLI::App* group = nullptr) {
        auto options = std::make_shared<Options>();
        CLI::App* command = (group ? group : &app_)->add_subcommand(name, about);
        command->callback([this, options, body] {
            run_ = [options, body] {
                const Result<int> code = body(*options);
                return code ? *code : print_error(code.error(), options->json);
            };
        });
        return {command, *options};
    }
    CLI::App* add_group(const char* name, const char* about);  // requires one of its subcommands
    // A command that moved to another program: any use of it is one line of error, bad use.
    void add_moved(const std::string& name, const std::string& where);

    // The arguments after the first -- are a program with its arguments; `words` receives them unchanged.
    void add_program(const std::string& name, std::vector<std::string>& words) { programs_[name] = &words; }

    // Names of all commands, including `help`, `manual` and `completion`, without those that moved.
    std::vector<std::string> names() const;
    bool has(const std::string& name) const;  // includes those that moved
    // 0 ok, 1 found problems, 2 bad use or bad input, 3 no GPU.
    int run(int argc, char** argv);

  private:
    int print_help(std::span<char*> words, bool json);
    int print_script(std::span<char*> words, bool json);  // manual, completion SHELL
    int tell_moved(const std::string& name, bool json) const;
    Error use_error(std::span<char*> words, const std::string& what);

    std::string program_;
    CLI::App app_;
    std::function<int()> run_;
    std::map<std::string, std::vector<std::string>*> programs_;
    std::map<std::string, std::string> moved_;  // name -> the command line that replaces it
};

// "; did you mean show?", or "" if `meant` is empty.
std::string hint(const std::string& meant);

}  // namespace cubinlab::cli
