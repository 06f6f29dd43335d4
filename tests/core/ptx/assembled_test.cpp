// SPDX-License-Identifier: GPL-3.0-or-later
// Orders of PTX, assembled by ptxas.
#include "core/base/file.h"
#include "core/base/find_program.h"
#include "core/base/process.h"
#include "core/base/scratch_folder.h"
#include "core/ptx/order.h"
#include "tests/core/ptx/ptx_corpus.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("PTX orders: ptxas assembles random orders and renamed entries") {
    const auto ptxas = find_in_toolkits("ptxas", ToolkitOrder::Newest);
    if (!ptxas) {
        WARN("SKIPPED, no ptxas");
        return;
    }
    const ScratchFolder folder = *required(ScratchFolder::make());
    std::mt19937_64 random(13);
    const auto assemble = [&](const std::string& text, const std::string& target) {
        const auto source = folder.path() / "order.ptx", cubin = folder.path() / "order.cubin";
        REQUIRE(write_text(source, text));
        const ChildOutput out =
            *required(run_child({ptxas->string(), "-arch", target, source.string(), "-o", cubin.string()},
                                {.timeout_ms = 60'000}));
        INFO(out.err << out.out);
        CHECK(out.exit_status == 0);
        return *required(read_text(cubin));
    };
    for (const ptx_corpus::File& file : ptx_corpus::all()) {
        INFO(file.name);
        const ptx::Module module = *required(ptx::parse(file.text));
        const std::string original = assemble(file.text, module.target[0]);
        for (const ptx::Entry& entry : module.entries) {
            const ptx::Order order = *required(ptx::order_of(module, entry.name));
            std::size_t distinct = 0;
            for (int i = 0; i < 4; ++i) {
                const auto keys = ptx_corpus::random_keys(order, random, 30);
                distinct +=
                    assemble(*required(ptx::reorder(module, order, keys)), module.target[0]) != original;
            }
            CHECK(distinct > 0);
            assemble(*required(ptx::rename_entry(file.text, entry.name, "cutlass_" + entry.name)),
                     module.target[0]);
        }
    }
}
