#pragma once

#include <string>

/// Plans that several tests read, resolve and bind.
namespace kgen::core::examples {

/// A candidate file with `json` as its plan.
inline std::string candidate(const std::string& json) {
  return "/*kgen\n" + json + "\n*/\n__global__ void k() {}\n";
}

/// A split-K GEMM that writes partial sums to a workspace and adds them up in a second kernel.
inline const std::string kSplitKGemm = R"json(
{ "requires":    ["K % 8 == 0"],
  "tunables":    {"BM": [64, 128], "BN": [64, 128, 256], "SPLITS": [1, 2, 4, 8], "STAGES": [2, 3, 4]},
  "defaults":    {"BM": 128, "BN": 128, "SPLITS": 1, "STAGES": 3},
  "constraints": ["STAGES * (BM + BN) * 64 * 2 <= max_dynamic_shared"],
  "let":         {"tiles": "ceil_div(M, BM) * ceil_div(N, BN)"
}
, "defines" : {"K_ALIGNED" : "K % 64 == 0"},
              "workspace" : {"acc" : {"bytes" : "SPLITS > 1 ? SPLITS * M * N * 4 : 0"}},
                            "launches" : [
                              {
                                "kernel" : "gemm<true>",
                                "grid" : [ "min(tiles, num_sms)", 1, "SPLITS" ],
                                "block" : [256],
                                "dynamic_shared_bytes" : "STAGES * (BM + BN) * 64 * 2",
                                "args" : [ "a", "b", "c", "acc", "M", "N", "K" ]
                              },
                              {
                                "kernel" : "fixup",
                                "when" : "SPLITS > 1",
                                "grid" : ["ceil_div(M * N, 1024)"],
                                "block" : [256],
                                "args" : [ "acc", "c", "M * N" ]
                              }
                            ]
}
)json";

/// Attention with one tensor map a tensor, each a reshaped and permuted view.
inline const std::string kTmaAttention = R"json(
{ "requires": ["D == 64 || D == 128"],
  "tensor_maps": {
    "tmQ": {"tensor": "q", "global_dim": ["64", "S", "D / 64", "B * H"],
            "global_strides": ["D * 2", "128", "S * D * 2"], "box_dim": [64, 64, "D / 64", 1],
            "swizzle": "128B", "l2_promotion": "256B"},
    "tmK": {"like": "tmQ", "tensor": "k", "box_dim": [64, 128, "D / 64", 1]},
    "tmV": {"like": "tmK", "tensor": "v"}},
  "launches": [
    {"kernel": "attention", "grid": ["ceil_div(S, 64)", "B * H"], "block": [384],
     "dynamic_shared_bytes": 131072, "cluster": [1, 1, 1], "args": ["tmQ", "tmK", "tmV", "o", "S", {"f32": "scale"}]
} ],
  "compile": {"fast_math": true, "max_registers": 168, "std": "c++20"},
  "notes": "One warp group loads, two compute."
}
)json";

}  // namespace kgen::core::examples
