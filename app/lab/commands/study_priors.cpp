// SPDX-License-Identifier: GPL-3.0-or-later
// Priors for a study: a kernel's own edits taught the one that its search goes by nothing.
#include <algorithm>

#include "app/lab/commands/lab_commands.h"
#include "core/base/file.h"

namespace cubinlab::cli {

Result<std::vector<EditPriorPtr>> read_priors(const std::vector<std::string>& files) {
    std::vector<EditPriorPtr> out;
    for (const std::string& file : files) {
        auto text = read_text(file);
        if (!text) return fail(text.error());
        auto prior = EditPrior::parse(*text);
        if (!prior) {
            Error error = prior.error();
            error.where = file;
            return fail(std::move(error));
        }
        out.push_back(std::make_shared<const EditPrior>(std::move(*prior)));
    }
    return out;
}

Result<EditPriorPtr> prior_for(const std::vector<EditPriorPtr>& priors, const Kernel& kernel) {
    if (priors.empty()) return EditPriorPtr();
    const auto found = std::find_if(priors.begin(), priors.end(), [&](const EditPriorPtr& prior) {
        return std::none_of(prior->learned_from.begin(), prior->learned_from.end(),
                            [&](const EditPrior::Source& from) { return from.kernel == kernel.name(); });
    });
    if (found == priors.end())
        return fail(ErrorCode::NotFound, "each of the priors was learned from this kernel, too",
                    kernel.name());
    return *found;
}

}  // namespace cubinlab::cli
