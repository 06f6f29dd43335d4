// SPDX-License-Identifier: GPL-3.0-or-later
// A bundle in a folder of its own, the request that it is made of, and a forger's hands.
#pragma once
#include <unistd.h>

#include "core/base/file.h"
#include "core/evidence/evidence_bundle.h"
#include "tests/core/evidence/claims_fixture.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

struct BundleScene {
    std::filesystem::path folder;
    KernelPtr kernel;
    BundleRequest request;

    BundleScene() {
        std::string name = (std::filesystem::temp_directory_path() / "cubinlab-bundle-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        const std::filesystem::path samples = CUBINLAB_SAMPLES;
        kernel = Kernel::load(Cubin::open(samples / "bmm_mma.cubin").value()).value();
        request.workload = read_text(samples / "bmm_mma.workload.json").value();
        request.session = "some.db";
        request.version = "test";
        request.run.id = 1;
        request.record.step = 7;
        request.record.outcome.kind = OutcomeKind::Ok;
        request.record.outcome.samples = {0.01f, 0.02f};
    }
    ~BundleScene() { std::filesystem::remove_all(folder); }
    BundleScene(const BundleScene&) = delete;
    BundleScene& operator=(const BundleScene&) = delete;

    std::filesystem::path bundle() const { return folder / "bundle"; }
    Schedule edited() const { return one_stall_more(kernel); }
    void write() {
        request.claim =
            claim_of_outcome(*edited().kernel(), edited(), request.run, request.record, request.session.string()).value();
        REQUIRE(write_bundle(edited(), bundle(), request));
    }
    nlohmann::json evidence() const {
        return nlohmann::json::parse(read_text(bundle() / "evidence.json").value());
    }
    // With all hashes made right again, as a forger would.
    void forge(nlohmann::json document) const {
        for (const char* name :
             {"original.cubin", "candidate.cubin", "workload.json", "candidate.cubin.provenance.json"})
            document["files"][name] = hash_bytes(read_file(bundle() / name).value()).hex();
        document.erase("document_hash");
        const std::string text = document.dump(1);
        document["document_hash"] = hash_bytes(text.data(), text.size()).hex();
        REQUIRE(write_text(bundle() / "evidence.json", document.dump(1)));
    }
    std::string problems() const {
        auto check = check_bundle(bundle());
        if (!check) return check.error().message();
        std::string out;
        for (const std::string& problem : check->problems)
            out += problem + "\n";
        return out;
    }
};

}  // namespace cubinlab::test
