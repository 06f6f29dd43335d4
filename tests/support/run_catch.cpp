// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/run_catch.h"

#include <cstdlib>

#ifdef CATCH2_V2
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#else
#include <catch2/catch_session.hpp>
#endif

namespace cubinlab::test {

int run_catch(int argc, char** argv) {
    ::setenv("CUBINLAB_WORKER_LOG", "off", 0);  // workers of tests are no news for the user's own log
    return Catch::Session().run(argc, argv);
}

}  // namespace cubinlab::test
