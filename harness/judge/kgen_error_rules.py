"""Which rule passes errors on through each aten operation (docs/ops/pytorch.md has the table and its sources). A rule
takes (mode, func, arguments by name) and gives Values in the order of the results."""
from kgen_rules_elements import OWN, STEPS, rule_break, rule_elementwise, rule_move, rule_remainder
from kgen_rules_norms import (rule_batch_norm, rule_group_norm, rule_layer_norm, rule_logsumexp, rule_loss, rule_norm,
                              rule_picked_loss, rule_softmax, rule_variance)
from kgen_rules_products import rule_convolution, rule_product, rule_sum_of_product
from kgen_rules_sums import (rule_extremum, rule_interpolate, rule_pool_average, rule_pool_max, rule_products_of_all,
                             rule_running_sum, rule_scatter_sum, rule_sum)

RANDOM = set("""bernoulli bernoulli_ dropout native_dropout alpha_dropout rand rand_like randn randn_like randint randint_like
normal normal_ uniform_ random_ randperm multinomial exponential_ poisson rrelu_with_noise cauchy_ log_normal_
geometric_""".split())
FACTORIES = set("""zeros ones full empty empty_like zeros_like ones_like full_like arange eye scalar_tensor linspace new_zeros
new_ones new_full new_empty empty_strided new_empty_strided tril_indices triu_indices lift_fresh lift one_hot""".split())
MOVES = set("""clone contiguous _to_copy cat stack index index_select gather take embedding flip roll repeat constant_pad_nd
reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d replication_pad3d tril triu
index_put scatter slice_scatter select_scatter masked_select copy im2col unfold_copy repeat_interleave pixel_shuffle
pixel_unshuffle channel_shuffle neg abs where masked_fill _reshape_alias expand_copy diag diag_embed
_index_put_impl new_copy index_copy index_fill _unsafe_index
_unsafe_masked_index""".split())
BREAKS = set("eq ne lt le gt ge sign floor ceil round trunc isnan isinf isfinite logical_and logical_or logical_not "
             "bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift __and__ __or__ __xor__ "
             "__lshift__ __rshift__ any all nonzero floor_divide remainder fmod signbit heaviside".split())

RULES = {"convolution": rule_convolution, "cumsum": rule_running_sum, "prod": rule_products_of_all,
         "cumprod": rule_products_of_all, "_softmax": rule_softmax, "_log_softmax": rule_softmax, "_safe_softmax": rule_softmax,
         "logsumexp": rule_logsumexp, "native_layer_norm": rule_layer_norm, "native_group_norm": rule_group_norm,
         "native_batch_norm": rule_batch_norm, "_native_batch_norm_legit": rule_batch_norm,
         "_native_batch_norm_legit_no_training": rule_batch_norm, "cudnn_batch_norm": rule_batch_norm,
         "_batch_norm_no_update": rule_batch_norm,
         "nll_loss_forward": rule_picked_loss, "scatter_add": rule_scatter_sum, "index_add": rule_scatter_sum}
RULES.update({name: rule_product for name in ("mm", "bmm", "mv", "dot", "vdot")})
RULES.update({name: rule_sum_of_product for name in ("addmm", "baddbmm", "addmv")})
RULES.update({name: rule_sum for name in ("sum", "mean")})
RULES.update({name: rule_extremum for name in ("max", "min", "amax", "amin", "argmax", "argmin", "sort", "topk")})
RULES.update({name: rule_pool_max for name in ("max_pool2d_with_indices", "max_pool3d_with_indices",
                                               "adaptive_max_pool2d", "adaptive_max_pool3d")})
RULES.update({name: rule_pool_average for name in ("avg_pool1d", "avg_pool2d", "avg_pool3d", "_adaptive_avg_pool2d",
                                                   "_adaptive_avg_pool3d", "adaptive_avg_pool1d")})
RULES.update({"upsample_" + name: rule_interpolate for name in ("nearest1d", "nearest2d", "nearest3d", "linear1d",
                                                                "bilinear2d", "trilinear3d")})
RULES.update({name: rule_variance for name in ("var", "std", "var_mean", "std_mean")})
RULES.update({name: rule_norm for name in ("norm", "linalg_vector_norm")})
RULES.update({name: rule_loss for name in ("mse_loss", "smooth_l1_loss", "huber_loss")})
RULES.update({name: rule_move for name in MOVES})
RULES.update({name: rule_elementwise for name in {**STEPS, **OWN}})
RULES.update({name: rule_break for name in BREAKS})
RULES["remainder"] = rule_remainder
