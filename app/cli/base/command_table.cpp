// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/command_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "app/cli/base/manual.h"
#include "app/cli/base/option_checks.h"
#include "app/cli/base/output.h"
#include "core/base/version.h"

namespace cubinlab::cli {
namespace {

// Our name of an option that other programs name differently; empty: unknown, or not of this command.
std::string also_called(const std::string& option, const std::vector<std::string>& known) {
    constexpr std::pair<const char*, const char*> kNames[] = {
        {"--seconds", "--budget"}, {"--steps", "--budget"}, {"--time", "--budget"},
        {"--timeout", "--budget"}, {"--output", "--out"},   {"--function", "--kernel"},
        {"--gpu", "--evaluator"},  {"--gpu", "--device"},   {"-o", "--out"},
        {"-k", "--kernel"}};
    for (const auto& [theirs, ours] : kNames)
        if (option == theirs && std::find(known.begin(), known.end(), ours) != known.end()) return ours;
    return {};
}

// `--out ""` comes from an unset variable; it does not ask for no output.
void forbid_empty(CLI::App* command) {
    for (CLI::Option* option : command->get_options())
        if (option->get_items_expected_max() > 0) {
            option->check(not_empty(), "");
            if (option->get_default_str() == "[]") option->default_str("");
        }
    for (CLI::App* inner : command->get_subcommands({}))
        forbid_empty(inner);
}

CLI::App* command_in(CLI::App& app, const std::string& name) {
    for (CLI::App* sub : app.get_subcommands({}))
        if (sub->get_name() == name) return sub;
    return nullptr;
}

// The innermost command at the start of the arguments: "workload init" of "workload init k.cubin".
CLI::App* chosen(CLI::App& app, std::span<char*> words, std::string* name) {
    CLI::App* at = &app;
    for (const char* word : words) {
        CLI::App* next = command_in(*at, word);
        if (next == nullptr) break;
        *name += (name->empty() ? "" : " ") + std::string(word);
        at = next;
    }
    return at;
}

// Help of the built-in commands, which have no options.
const char* help_of_own(const std::string& word) {
    if (word == "help") return "help [COMMAND]: the commands, or the options of one\n";
    if (word == "manual") return "manual: the manual page, as roff; `manual | man -l -` shows it\n";
    if (word == "completion") return "completion bash: a completion script for that shell\n";
    return nullptr;
}

}  // namespace

CommandTable::CommandTable(std::string program, const std::string& about, const std::string& version)
    : program_(std::move(program)), app_(about, program_) {
    app_.require_subcommand(1);
    app_.option_defaults()->always_capture_default();
    app_.set_version_flag("-v,-V,--version", version);
}

CLI::App* CommandTable::add_group(const char* name, const char* about) {
    CLI::App* group = app_.add_subcommand(name, about);
    group->require_subcommand(1);
    return group;
}

void CommandTable::add_moved(const std::string& name, const std::string& where) {
    moved_[name] = where;
}

std::vector<std::string> CommandTable::names() const {
    std::vector<std::string> out;
    for (const CLI::App* sub : app_.get_subcommands([](const CLI::App*) { return true; }))
        out.push_back(sub->get_name());
    for (const char* own : {"help", "manual", "completion"})
        out.emplace_back(own);
    return out;
}

bool CommandTable::has(const std::string& name) const {
    const auto all = names();
    return moved_.count(name) > 0 || std::find(all.begin(), all.end(), name) != all.end();
}

int CommandTable::tell_moved(const std::string& name, bool json) const {
    return print_error(
        {ErrorCode::BadUse, "is a command of the laboratory: `" + moved_.at(name) + "`", name}, json);
}

// One line instead of CLI11's page: the error, a suggestion, and the help to read.
Error CommandTable::use_error(std::span<char*> words, const std::string& what) {
    std::string name;
    CLI::App* command = chosen(app_, words, &name);
    std::string said = what.substr(0, what.find('\n'));
    std::vector<std::string> known, letters;
    for (const CLI::Option* option : command->get_options()) {
        for (const std::string& spelling : option->get_lnames())
            known.push_back("--" + spelling);
        for (const std::string& letter : option->get_snames())
            letters.push_back("-" + letter);
    }
    for (const char* word : words) {
        if (std::strcmp(word, "--") == 0) break;
        const std::string option = std::string(word).substr(0, std::string(word).find('='));
        const auto one_of = [&](const std::vector<std::string>& all) {
            return std::find(all.begin(), all.end(), option) != all.end();
        };
        if (!option.starts_with("-") || one_of(known) || one_of(letters)) continue;
        // A missing argument may be a mistyped option, or the name of a file that starts with a dash.
        const bool number = option.size() > 1 && std::isdigit(static_cast<unsigned char>(option[1])) != 0;
        if (said.ends_with(" is required") && option.size() > 1 && !number) {
            std::error_code error;
            if (std::filesystem::exists(word, error)) {
                said = fmt::format("{} is read as an option; to name the file, write ./{}", word, word);
                break;
            }
            said = "The following argument was not expected: " + option;
        }
        if (said.find(option) == std::string::npos) continue;
        // CLI11 lists the option and the arguments after it, in reverse order.
        if (said.starts_with("The following arguments"))
            said = "The following argument was not expected: " + option;
        const std::string meant = nearest(option, known);
        said += hint(meant.empty() ? also_called(option, known) : meant);
        break;
    }
    if (command == &app_ && !words.empty() && words[0][0] != '-')
        said = fmt::format("there is no command '{}'{}", words[0], hint(nearest(words[0], names())));
    const std::vector<CLI::App*> inner = command->get_subcommands({});
    const std::size_t at = static_cast<std::size_t>(std::count(name.begin(), name.end(), ' ')) + 1;
    if (!inner.empty() && !name.empty()) {
        std::vector<std::string> below;
        for (CLI::App* one : inner)
            below.push_back(one->get_name());
        said = at < words.size() && words[at][0] != '-'
                   ? fmt::format("'{}' is not one of {}{}", words[at], fmt::join(below, ", "),
                                 hint(nearest(words[at], below)))
                   : fmt::format("name a subcommand: {}", fmt::join(below, " or "));
    }
    // "--out: 1 required TEXT missing"
    if (said.ends_with(" missing") && said.find(" required ") != std::string::npos)
        said = said.substr(0, said.rfind(": ")) + " needs a value";
    if (programs_.count(name) > 0 && said.find("not expected: ") != std::string::npos &&
        said.find(": -") == std::string::npos)
        said += "; write the program after --";
    return {ErrorCode::BadUse,
            said + (said.back() == '?' ? "" : ";") + " see `" + program_ + " help" +
                (name.empty() ? "" : " ") + name + "`",
            name};
}

int CommandTable::print_help(std::span<char*> words, bool json) {
    CLI::App* command = &app_;
    std::string before;  // the groups before its name
    for (const char* word : words) {
        if (std::strcmp(word, "--json") == 0) continue;
        if (const char* own = command == &app_ ? help_of_own(word) : nullptr) {
            if (json) return print_document({{"help", own}});
            print_text(own);
            return 0;
        }
        CLI::App* next = command_in(*command, word);
        if (next == nullptr && command == &app_ && moved_.count(word) > 0) return tell_moved(word, json);
        if (next == nullptr)
            return print_error(
                {ErrorCode::BadUse,
                 fmt::format("there is no command '{}'{}", word,
                             nearest(word, names()).empty() ? "; `" + program_ + " help` lists them"
                                                            : hint(nearest(word, names()))),
                 "help"},
                json);
        before += (before.empty() ? "" : " ") + command->get_name();
        command = next;
    }
    if (json) return print_document({{"help", command->help(before)}});
    print_text(command->help(before));
    return 0;
}

int CommandTable::print_script(std::span<char*> words, bool json) {
    const bool manual = std::strcmp(words[0], "manual") == 0;
    const std::size_t wanted = manual ? 1 : 2;
    if (words.size() != wanted + (json ? 1U : 0U))
        return print_error(
            {ErrorCode::BadUse,
             manual ? "takes no arguments" : "takes the name of a shell: bash", words[0]},
            json);
    std::string text;
    if (manual) {
        text = manual_page(app_, {program_, version_number(), commit_date(), {}});
    } else {
        auto script = completion_script(app_, program_, words[1]);
        if (!script) return print_error(script.error(), json);
        text = std::move(*script);
    }
    if (json) return print_document({{words[0], text}});
    print_text(text);
    return 0;
}

int CommandTable::run(int argc, char** argv) {
    if (const auto with = argc > 1 ? programs_.find(argv[1]) : programs_.end(); with != programs_.end())
        for (int i = 2; i < argc; ++i)
            if (std::strcmp(argv[i], "--") == 0) {
                with->second->assign(argv + i + 1, argv + argc);
                argc = i;
            }
    const std::span<char*> words(argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0)));
    const bool json = wants_json(argc, argv);
    speak_as(program_);
    for (CLI::App* command : app_.get_subcommands({}))
        forbid_empty(command);
    int code = 2;
    if (!words.empty() && std::strcmp(words[0], "help") == 0) {
        code = print_help(words.subspan(1), json);
    } else if (!words.empty() &&
               (std::strcmp(words[0], "manual") == 0 || std::strcmp(words[0], "completion") == 0)) {
        code = print_script(words, json);
    } else if (!words.empty() && moved_.count(words[0]) > 0) {
        code = tell_moved(words[0], json);
    } else {
        try {
            app_.parse(argc, argv);
            code = run_ ? run_() : 2;
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() != 0) return print_error(use_error(words, error.what()), json);
            code = app_.exit(error);  // --help, --version
        }
    }
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && !output_lost()) return code;
    std::fprintf(stderr, "%s: standard output could not be written\n", program_.c_str());
    return code == 0 ? 2 : code;
}

std::string hint(const std::string& meant) {
    return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace cubinlab::cli
