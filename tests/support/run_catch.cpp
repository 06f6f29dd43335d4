// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/run_catch.h"

#ifdef CATCH2_V2
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#else
#include <catch2/catch_session.hpp>
#endif

namespace cubinlab::test {

int run_catch(int argc, char** argv) {
    return Catch::Session().run(argc, argv);
}

}  // namespace cubinlab::test
