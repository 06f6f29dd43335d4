// SPDX-License-Identifier: GPL-3.0-or-later
// Output of every command: one JSON document or lines of text; errors have the same form.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/result/evaluator.h"

namespace cubinlab::cli {

using Json = nlohmann::ordered_json;

bool wants_json(int argc, char** argv);  // --json among the arguments
// Prints the document and returns `code`. Always valid JSON: it replaces bytes that are not UTF-8.
int print_document(const Json& document, int code = 0);
// Sets the program name in front of messages on standard error; default "cubinlab".
void speak_as(const std::string& program);
// Prints "PROGRAM: ..." on standard error, or {"error": {...}} on standard output. Returns the exit code.
int print_error(const Error& error, bool json);
// Prints one line. Characters that control a terminal or imitate another line (control characters, escapes,
// bidirectional marks, invalid UTF-8) appear as \n, \x1b, \u202e.
void print_line(const std::string& line);
void print_text(const std::string& text);  // several lines, each like print_line
std::string printable(std::string_view text);
void print_progress(const std::string& line);  // to standard error
// "wrote OUT", and what it replaced.
std::string wrote_text(const std::string& out, const std::string& replaced);
// Standard output or error failed (closed, disk full): a running command should end.
bool output_lost();

// How the gains of a run were found: "measured on NVIDIA H200, cold cache", "in modelled cycles, unmeasured".
std::string gains_of(const EvaluatorInfo& evaluator);
// With significant digits only: "18994.3 modelled cycles", "20.307 us".
std::string cost_text(double cost, std::string_view unit);
Json to_json(const Error& error);
Json to_json(const EvaluatorInfo& info);
Json to_json(const Outcome& outcome, EvaluatorKind by);

}  // namespace cubinlab::cli
