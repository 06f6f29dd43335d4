// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/run_catch.h"

int main(int argc, char** argv) {
    return cubinlab::test::run_catch(argc, argv);
}
