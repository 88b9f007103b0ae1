#include <algorithm>

#include "core/diagnosis_evidence.hpp"

namespace kgen::core::rules {
namespace {

constexpr double kSectorBytes = 32;

double of_prefix(const Metrics& all, std::string_view prefix) {
  double sum = 0;
  for (const auto& [name, value] : all) {
    if (name.starts_with(prefix) && name.ends_with(".sum")) sum += value;
  }
  return sum;
}

/// Sectors that global accesses took, and how many their bytes would have filled.
struct Sectors {
  double taken = 0, ideal = 0;
  double waste() const { return taken > 0 ? std::clamp(1 - ideal / taken, 0.0, 1.0) : 0; }
};

Sectors sectors_of(const Metrics& all) {
  Sectors out;
  for (const std::string_view way : {"ld", "st"}) {
    const double taken = metric(all, metric_name(metrics::kGlobalSectors, way, ".sum"));
    const double bytes = metric(all, metric_name(metrics::kGlobalBytes, way, ".sum"));
    out.taken += taken;
    // Lanes that read one address together need more bytes than their sectors hold.
    out.ideal += std::min(taken, bytes / kSectorBytes);
  }
  // The emulator counts the sectors that each access would need at least.
  const double ideal = metric(all, metrics::kIdealGlobalSectors);
  if (ideal > 0) out = {of_prefix(all, metrics::kGlobalSectors), ideal};
  return out;
}

double count_atomics(const Metrics& all) {
  return metric(all, metric_name(metrics::kGlobalRequests, "atom", ".sum")) +
         metric(all, metric_name(metrics::kGlobalRequests, "red", ".sum")) +
         metric(all, metrics::kSharedAtomics);
}

/// Requests to memory, and those that are atomic operations.
struct Atomics {
  double atomics = 0, requests = 0;
  double share() const { return requests > 0 ? std::min(atomics / requests, 1.0) : 0; }
  /// An atomic operation is a read and a write that nothing else may come between: taken as three requests.
  double cost_share() const { return 3 * share() / (1 + 2 * share()); }
};

Atomics atomics_of(const Evidence& e) {
  const Metrics& all = e.kernel().metrics;
  return {count_atomics(all), of_prefix(all, metrics::kGlobalRequests) +
                                  e.sum({metrics::kSharedAtomics, "smsp__inst_executed_op_shared_ld.sum",
                                         "smsp__inst_executed_op_shared_st.sum"})};
}

/// Of the sectors that L1 is asked for, those of local memory.
double local_share(const Evidence& e) {
  const double local = e.sum(
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"});
  const double global = of_prefix(e.kernel().metrics, metrics::kGlobalSectors);
  return local > 0 ? local / (local + global) : 0;
}

}  // namespace

std::optional<Diagnosis> uncoalesced(const Evidence& e) {
  const Sectors all = sectors_of(e.kernel().metrics);
  if (all.taken <= 0 || all.ideal <= 0 || all.waste() < 0.3) return std::nullopt;
  const double requests = e.sum(
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"});
  const double bound = std::max(e.memory_use(), e.stalled({"long_scoreboard", "lg_throttle", "drain"}));
  std::string what = "global accesses take " + figure(all.taken) + " sectors of 32 bytes where " +
                     figure(all.ideal) + " would hold what is used (" + percent(all.waste()) + " wasted";
  if (requests > 0) what += "; " + figure(all.taken / requests) + " sectors a request";
  return e.say(
      "uncoalesced", all.waste() * bound, what + ")",
      e.lines({"long_scoreboard", "lg_throttle", "drain"},
              [](const Metrics& line) {
                const Sectors s = sectors_of(line);
                return s.taken - s.ideal;
              }),
      "let neighbouring lanes use neighbouring addresses: transpose through shared memory, change which "
      "index runs along threadIdx.x, or load 16 bytes a lane");
}

std::optional<Diagnosis> bank_conflicts(const Evidence& e) {
  const auto conflicts = [](const Metrics& all) {
    return metric(all, metric_name(metrics::kBankConflicts, "ld", ".sum")) +
           metric(all, metric_name(metrics::kBankConflicts, "st", ".sum"));
  };
  const double wavefronts = e.sum({"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                   "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"});
  const double extra = conflicts(e.kernel().metrics);
  if (wavefronts <= 0 || extra < 0.2 * wavefronts) return std::nullopt;
  const double share = std::min(extra / wavefronts, 1.0);
  const double bound =
      e.timed()
          ? std::max(e.share("l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active").value_or(0),
                     e.stalled({"short_scoreboard", "mio_throttle"}))
          : 1;
  return e.say(
      "bank_conflicts", share * bound,
      percent(share) + " of the wavefronts of shared memory are bank conflicts (" + figure(extra) + " of " +
          figure(wavefronts) + ")",
      e.lines({"short_scoreboard", "mio_throttle"}, conflicts),
      "pad rows by one element (tile[32][33]), swizzle the column with the row, or let a warp read along "
      "the row");
}

std::optional<Diagnosis> local_memory(const Evidence& e) {
  const double local = local_share(e);
  const double accesses = e.sum({metrics::kLocalLoads, metrics::kLocalStores});
  if (accesses <= 0) return std::nullopt;
  const auto count = [](const Metrics& all) {
    return metric(all, metrics::kLocalLoads) + metric(all, metrics::kLocalStores);
  };
  const double instructions = e.get(metrics::kWarpInstructions).value_or(0);
  const double share = local > 0 ? local : instructions > 0 ? std::min(1.0, 4 * accesses / instructions) : 0;
  const double bound =
      e.timed() ? std::max(e.memory_use(), e.stalled({"long_scoreboard", "lg_throttle"})) : 1;
  return e.say(
      "local_memory", share * bound,
      figure(accesses) + " warp instructions read or write local memory" +
          (local > 0 ? ", " + percent(share) + " of the sectors of L1" : "") +
          ": spilled registers, or an array indexed at run time",
      e.lines({"long_scoreboard", "lg_throttle"}, count),
      "unroll so that every index of a local array is a constant, keep less alive, or allow more registers "
      "(fewer threads a block, __launch_bounds__)");
}

std::optional<Diagnosis> atomics(const Evidence& e) {
  const Atomics found = atomics_of(e);
  if (found.share() < 0.1) return std::nullopt;
  const double bound =
      e.timed() ? std::max({e.memory_use(), e.stalled({"long_scoreboard", "lg_throttle", "membar", "drain",
                                                       "short_scoreboard", "mio_throttle"})})
                : 1;
  return e.say(
      "atomics", found.cost_share() * bound,
      figure(found.atomics) + " warps make atomic operations, " + percent(found.share()) +
          " of the memory requests",
      e.lines({"lg_throttle", "long_scoreboard", "membar", "drain"}, count_atomics),
      "reduce within the warp (__shfl_xor_sync, __reduce_add_sync) and the block first, then one atomic a "
      "block; or write partial results and reduce them in a second launch");
}

std::optional<Diagnosis> bytes_in_flight(const Evidence& e) {
  if (!e.timed()) return std::nullopt;
  const double waiting = e.stalled({"long_scoreboard"});
  if (waiting < 0.4 || e.dram_use() > kHighUse) return std::nullopt;
  const double fits = e.share("sm__maximum_warps_per_active_cycle_pct").value_or(1);
  const double bytes = e.sum({"dram__bytes_read.sum", "dram__bytes_write.sum"});
  std::string what = "warps wait for memory " + percent(waiting) + " of the time while DRAM moves only " +
                     percent(e.dram_use()) + " of its peak";
  if (bytes > 0 && e.duration_us() > 0) what += " (" + figure(bytes / e.duration_us() / 1e3) + " GB/s)";
  what += ": by Little's law too few bytes are in flight";
  const Sectors sectors = sectors_of(e.kernel().metrics);
  // Waits for sectors that nobody uses, for atomic operations and for local memory are those rules' share.
  const double left = (1 - sectors.waste()) * (1 - atomics_of(e).cost_share()) * (1 - local_share(e));
  return e.say(
      "bytes_in_flight", waiting * (1 - e.use()) * fits * left * e.balance(), what,
      e.lines({"long_scoreboard"}),
      "issue several independent loads before the first use (unroll by 4 or 8), load 16 bytes a lane, use "
      "cp.async or TMA with several stages; a load whose address comes from another load cannot overlap it");
}

std::optional<Diagnosis> dram_bound(const Evidence& e) {
  const double used = e.dram_use();
  if (!e.timed() || used < kHighUse) return std::nullopt;
  const double bytes = e.sum({"dram__bytes_read.sum", "dram__bytes_write.sum"});
  const double needed = e.task().op_bytes > 0 && bytes > 0 ? std::min(1.0, e.task().op_bytes / bytes) : 1;
  return e.say("dram_bound", used * needed * (1 - sectors_of(e.kernel().metrics).waste()),
               "DRAM is busy at " + percent(used) + " of its peak (" + figure(bytes / 1e6) + " MB)",
               e.lines({"long_scoreboard", "lg_throttle", "drain"}),
               "move fewer bytes: fuse what reads the same data, keep intermediates on chip, use a smaller "
               "dtype; near "
               "the peak the kernel is done");
}

std::optional<Diagnosis> extra_traffic(const Evidence& e) {
  const double bytes = e.sum({"dram__bytes_read.sum", "dram__bytes_write.sum"});
  const double needed = e.task().op_bytes;
  if (!e.timed() || needed <= 0 || bytes < 1.3 * needed) return std::nullopt;
  return e.say(
      "extra_traffic", (1 - needed / bytes) * e.dram_use(),
      "DRAM moves " + figure(bytes / 1e6) + " MB where the op needs " + figure(needed / 1e6) + " MB",
      e.lines({"long_scoreboard", "lg_throttle"}),
      "read each element once: keep a row in registers or shared memory between passes, tile so that "
      "neighbouring blocks share what L2 holds, or fuse launches");
}

std::optional<Diagnosis> l2_bound(const Evidence& e) {
  const auto used = e.share("lts__throughput.avg.pct_of_peak_sustained_elapsed");
  if (!e.timed() || !used || *used < kHighUse || *used < e.dram_use()) return std::nullopt;
  // What L2 only passes on to a busy DRAM is DRAM's share.
  const double bytes = e.sum({"lts__t_bytes.sum"});
  const double dram_bytes = e.sum({"dram__bytes_read.sum", "dram__bytes_write.sum"});
  const double passed_on = bytes > 0 ? std::min(1.0, dram_bytes / bytes) * e.dram_use() : 0;
  return e.say(
      "l2_bound", *used * (1 - sectors_of(e.kernel().metrics).waste()) * (1 - passed_on) * 0.9,
      "L2 is busy at " + percent(*used) + " of its peak while DRAM is at " + percent(e.dram_use()),
      e.lines({"long_scoreboard", "lg_throttle"}),
      "reuse more in shared memory and registers (larger tiles), or share loads between blocks of a cluster");
}

}  // namespace kgen::core::rules
