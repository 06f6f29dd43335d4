// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/result/cache.h"
#include "core/search/engine/searcher.h"

namespace cubinlab::cli {
namespace {

std::vector<const CLI::App*> inner(const CLI::App& app) {
    std::vector<const CLI::App*> out;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!one->get_group().empty()) out.push_back(one);
    return out;
}

// "workload init" below "workload": what the user types, in the order of the table.
struct Command {
    std::string words;
    const CLI::App* app;
};

void gather(const CLI::App& app, const std::string& before, std::vector<Command>& out) {
    for (const CLI::App* one : inner(app)) {
        const std::string words = before.empty() ? one->get_name() : before + " " + one->get_name();
        if (inner(*one).empty()) out.push_back({words, one});
        gather(*one, words, out);
    }
}

std::vector<Command> commands_of(const CLI::App& app) {
    std::vector<Command> out;
    gather(app, {}, out);
    return out;
}

bool positional(const CLI::Option& option) {
    return option.get_lnames().empty() && option.get_snames().empty();
}

bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
}

std::vector<std::string> spellings(const CLI::Option& option) {
    std::vector<std::string> out;
    for (const std::string& name : option.get_snames())
        out.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        out.push_back("--" + name);
    return out;
}

// The placeholder of the option's value: its long name in capitals.
std::string value_word(const CLI::Option& option) {
    const std::string name =
        option.get_lnames().empty() ? option.get_name(true) : option.get_lnames().front();
    std::string out;
    for (const char c : name)
        out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
}

// roff reads a dot or an apostrophe at the start of a line as a request, and a plain - as a hyphen.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
    return out;
}

// The formatter fills lines itself; short lines keep the source readable.
std::string wrapped(const std::string& text) {
    constexpr std::size_t kWidth = 78;
    std::string out;
    std::size_t column = 0, at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (column != 0 && column + 1 + word.size() > kWidth) {
            out += "\n";
            column = 0;
        }
        const std::string shown = column == 0 ? roff(word) : " " + roff(word);
        out += shown;
        column += shown.size();
        at = end + 1;
    }
    return out;
}

std::string usage(const Command& command) {
    std::string out = command.words;
    for (const CLI::Option* option : command.app->get_options()) {
        if (!positional(*option)) continue;
        const std::string word = option->get_name(true) + (option->get_items_expected_max() > 1 ? "..." : "");
        out += option->get_required() ? " " + word : " [" + word + "]";
    }
    return out + " [options]";
}

std::string option_entry(const CLI::Option& option) {
    std::string head;
    for (const std::string& name : spellings(option))
        head += (head.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (positional(option))
        head = "\\fI" + roff(option.get_name(true)) + "\\fR";
    else if (takes_value(option))
        head += " \\fI" + roff(value_word(option)) + "\\fR";
    std::string what = option.get_description();
    const std::string standard = option.get_default_str();
    if (takes_value(option) && !standard.empty() && standard != "[]" && standard != "\"\"")
        what += fmt::format(" (default: {})", standard);
    return ".TP\n" + head + "\n" + wrapped(what.empty() ? "see the program's help" : what) + "\n";
}

std::string command_section(const Command& command) {
    std::string out =
        fmt::format(".SS {}\n{}.\n", roff(usage(command)), wrapped(command.app->get_description()));
    for (const CLI::Option* option : command.app->get_options())
        if (option->get_lnames() != std::vector<std::string>{"help"}) out += option_entry(*option);
    return out;
}

// ---- completion ----

// The long options of a command.
std::vector<std::string> words_of(const CLI::App& app) {
    std::vector<std::string> out;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            out.push_back("--" + name);
    return out;
}

std::vector<std::string> names_of(const CLI::App& app) {
    std::vector<std::string> out;
    for (const CLI::App* one : inner(app))
        out.push_back(one->get_name());
    return out;
}

std::string bash_script(const CLI::App& app, const std::string& program) {
    std::string function = "_";
    for (const char c : program)
        function += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    std::vector<std::string> agents;
    for (const SearcherDescription& agent : searcher_descriptions())
        agents.push_back(agent.name);
    std::string cases;
    for (const CLI::App* one : inner(app)) {
        const auto below = names_of(*one);
        cases += fmt::format("    {}) words=\"{}{}{}\" ;;\n", one->get_name(), fmt::join(below, " "),
                             below.empty() ? "" : " ", fmt::join(words_of(*one), " "));
        for (const CLI::App* deeper : inner(*one))
            cases += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", one->get_name(), deeper->get_name(),
                                 fmt::join(words_of(*deeper), " "));
    }
    return fmt::format(
        "# bash completion of {0}\n"
        "{1}() {{\n"
        "  local at=${{COMP_WORDS[COMP_CWORD]}} words=\"{2} help completion manual\" values=\n"
        "  local chosen=${{COMP_WORDS[1]}}\n"
        "  COMPREPLY=()\n"
        "  case ${{COMP_WORDS[COMP_CWORD-1]}} in\n"
        "    --agent) values=\"{5}\" ;;\n"
        "    --evaluator) values=\"auto gpu model\" ;;\n"
        "    --cache) values=\"{6}\" ;;\n"
        "    --schedule) values=best ;;\n"
        "    help) values=\"{2}\" ;;\n"
        "    completion) values=bash ;;\n"
        "  esac\n"
        "  if [[ -n $values ]]; then\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$at\")\n"
        "    return\n"
        "  fi\n"
        "  if ((COMP_CWORD > 1)); then\n"
        "    words=\n"
        "    case $chosen in\n"
        "{3}"
        "    esac\n"
        "    case \"$chosen ${{COMP_WORDS[2]}}\" in\n"
        "{4}"
        "    esac\n"
        "  fi\n"
        "  if [[ $at == -* || $COMP_CWORD -eq 1 || -n $words && $COMP_CWORD -eq 2 ]]; then\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$at\")\n"
        "  fi\n"
        "  if [[ $at != -* ]]; then\n"
        "    local file\n"
        "    while IFS= read -r file; do COMPREPLY+=(\"$file\"); done < <(compgen -f -- \"$at\")\n"
        "  fi\n"
        "}}\n"
        "complete -o filenames -F {1} {0}\n",
        program, function, fmt::join(names_of(app), " "), cases, cases, fmt::join(agents, " "),
        fmt::join(cache_names(), " "));
}

}  // namespace

std::string manual_page(const CLI::App& app, const Program& program) {
    std::string title;
    for (const char c : program.name)
        title += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::string about = app.get_description();
    std::string out = fmt::format(".TH {} 1 \"{}\" \"{} {}\" \"User Commands\"\n", roff(title), program.date,
                                  roff(program.name), roff(program.version));
    out += fmt::format(".SH NAME\n{} \\- {}\n", roff(program.name),
                       roff(about.substr(0, about.find(". "))
                                .substr(about.find(": ") == std::string::npos ? 0 : about.find(": ") + 2)));
    out += fmt::format(".SH SYNOPSIS\n.B {}\n[\\fIFILE\\fR]\n.br\n.B {}\n\\fICOMMAND\\fR [\\fIoptions\\fR]\n",
                       roff(program.name), roff(program.name));
    out += ".SH DESCRIPTION\n" + wrapped(about) + "\n";
    for (const std::string& paragraph : program.more)
        out += ".PP\n" + wrapped(paragraph) + "\n";
    out += ".SH COMMANDS\n";
    for (const Command& command : commands_of(app))
        out += command_section(command);
    out +=
        ".SH EXIT STATUS\n.TP\n0\nok\n.TP\n1\nproblems were found: in a schedule, a session, a bundle\n"
        ".TP\n2\nbad use or bad input\n.TP\n3\nno usable GPU where one was asked for, or no display\n";
    return out;
}

Result<std::string> completion_script(const CLI::App& app, const std::string& program,
                                      const std::string& shell) {
    if (shell == "bash") return bash_script(app, program);
    return fail(ErrorCode::BadUse, fmt::format("there is no completion for '{}', only for bash", shell));
}

}  // namespace cubinlab::cli
