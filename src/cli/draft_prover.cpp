#include "cli/draft_prover.hpp"

#include <memory>
#include <utility>

#include "cli/op_folder.hpp"

namespace kgen::cli {
namespace {

/// `text` with the folder in front of file names left out.
std::string without_folder(std::string text, const std::filesystem::path& folder) {
  const std::string prefix = (folder / "").string();
  for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

/// The draft that a check could not begin with.
Result<agent::DraftProof> unreadable_draft(const Error& error, const std::filesystem::path& folder) {
  if (error.kind != ErrorKind::bad_input) return tl::unexpected(error);
  return agent::DraftProof{
      false, "", "", {{"read", core::Finding::State::failed, "", without_folder(error.message, folder)}}};
}

}  // namespace

Result<agent::DraftProof> prove_draft(const std::filesystem::path& folder, const ProofOptions& options,
                                      RunningWorker& worker, const judge::EvaluationCallbacks& callbacks) {
  auto op = read_op_folder(folder);
  if (!op) return unreadable_draft(op.error(), folder);
  const CatalogueEntry entry{std::make_shared<const core::Op>(std::move(*op)), (folder / "op.toml").string()};
  auto proof = prove_op(entry, options, worker, callbacks);
  if (!proof) return unreadable_draft(proof.error(), folder);
  agent::DraftProof found{proof->proven(), entry.op->name, entry.op->hash, std::move(proof->findings)};
  for (core::Finding& finding : found.findings) finding.detail = without_folder(finding.detail, folder);
  return found;
}

}  // namespace kgen::cli
