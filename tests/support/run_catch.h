// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cubinlab::test {

// Catch2's session over the words of the command line; the number of failures. Its implementation is compiled once,
// for the plain tests and for those with a main of their own alike.
int run_catch(int argc, char** argv);

}  // namespace cubinlab::test
