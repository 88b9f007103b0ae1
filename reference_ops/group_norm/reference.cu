/*kgen
{ "launches": [ {"kernel": "group_norm_reference", "grid": ["N * groups"], "block": [256],
                 "args": ["x", "w", "b", "y", "y_scale", "groups", "C / groups", "S", "eps"]} ],
  "notes": "Naive fp64 oracle: one block a group. y and y_scale are double here." }
*/
__device__ double block_sum(double value) {
  __shared__ double shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

/// Roundings by which a sum of `count` terms errs beside its growth, for terms that round alike (docs/verification.md, "Sums of
/// equal terms"): what f32's spacing at the sum, 2^-1 of it and so on lose of them. All threads of the block call it, each with
/// the terms that it looks at.
template <class Term>
__device__ double alike_growth(long long count, double sum, long long begin, long long end, long long step, const Term& term) {
  if (!(sum > 0.0 && sum < INFINITY)) return 0.0;
  const double length = static_cast<double>(count), growth = count <= 1 ? 0.0 : fmin(length, 4.0 * sqrt(length));
  double spacing = __longlong_as_double(__double_as_longlong(sum) & 0x7ff0000000000000LL) * 0x1p-23, alike = 0.0;
  const double share = 131072.0 / length * (sum / (spacing * 0x1p23));  // no plain loop adds up more; times the significand
  for (double parts = 1.0;; parts *= 16.0, spacing /= 16.0) {
    const double inverse = 1.0 / spacing;
    double lost[4] = {};
    for (long long i = begin; i < end; i += step) {
      const double value = term(i);
      for (int k = 0; k < 4; ++k) lost[k] += value - spacing / (1 << k) * rint(value * inverse * (1 << k));
    }
    for (int k = 0; k < 4; ++k)
      alike = fmax(alike, fmin(fabs(block_sum(lost[k])) / (sum * 0x1p-24), length - growth) * fmin(1.0, share * parts * (1 << k)));
    if (length <= 131072.0 * parts) return alike;
  }
}

/// What a loop loses because steps round alike: of the mean, as it is, where it is updated, and of the sum of squared deviations, in
/// roundings of it.
struct AlikeLosses {
  double mean, deviations;
};

/// f32's spacing at a finite value other than 0, as if exponents had no end.
__device__ double f32_spacing(double value) {
  return __longlong_as_double(__double_as_longlong(value) & 0x7ff0000000000000LL) * 0x1p-23;
}

/// What f32 loses of a step after which a mean is `mean`: all of it where it is below half the spacing there, which leaves the mean
/// where it is. Larger steps round one way and the other, and are forgotten.
__device__ double lost_of_step(double mean, double step) {
  if (mean == 0.0 || !isfinite(mean)) return 0.0;
  const double spacing = f32_spacing(mean);
  return rint(step / spacing) == 0.0 ? step : 0.0;
}

/// What f32 loses of a term that a loop adds up, after which the sum is `sum`: what lies between its spacings.
__device__ double lost_of_term(double sum, double term) {
  if (!(sum > 0.0 && isfinite(sum))) return 0.0;
  const double spacing = f32_spacing(sum);
  return term - spacing * rint(term / spacing);
}

/// The sum of what the threads before this one give. All threads of the block call it.
__device__ double sum_before(double value) {
  __shared__ double values[256];
  values[threadIdx.x] = value;
  __syncthreads();
  double sum = 0.0;
  for (unsigned t = 0; t < threadIdx.x; ++t) sum += values[t];
  __syncthreads();
  return sum;
}

/// The deviations' about the last mean, or where that is more of what updating (Welford) adds up in their place: (x - m) (x - m') with
/// the running means before and behind x, and what these lose in their order. Of longer rows than one plain loop holds this is not
/// looked at.
template <class Value>
__device__ AlikeLosses alike_losses(long long count, double mean, double deviations, const Value& value) {
  const double about_last = alike_growth(count, deviations, threadIdx.x, count, blockDim.x,
                                         [&](long long i) { return (value(i) - mean) * (value(i) - mean); });
  if (count > 131072) return {0.0, about_last};
  const long long chunk = (count + 255) / 256, begin = chunk * threadIdx.x, end = begin + chunk < count ? begin + chunk : count;
  double sum = 0.0, added = 0.0, lost = 0.0, lost_in_order = 0.0;
  for (long long i = begin; i < end; ++i) sum += value(i);
  sum = sum_before(sum);
  const double sum_at_begin = sum, mean_at_begin = begin == 0 ? 0.0 : sum / static_cast<double>(begin);
  double now = mean_at_begin, step = 0.0;
  const auto next_term = [&](long long i) {
    const double one = value(i), before = now;
    sum += one;
    now = sum / static_cast<double>(i + 1);
    step = now - before;
    return (one - before) * (one - now);
  };
  for (long long i = begin; i < end; ++i) added += next_term(i);
  added = sum_before(added), sum = sum_at_begin, now = mean_at_begin;
  const double updated = alike_growth(count, deviations, begin, end, 1, [&](long long i) {  // one pass, in order
    const double term = next_term(i);
    lost += lost_of_step(now, step);
    added += term;
    lost_in_order += lost_of_term(added, term);
    return term;
  });
  const double all_lost = fabs(block_sum(lost_in_order)), in_order = deviations > 0.0 ? all_lost / (deviations * 0x1p-24) : 0.0;
  return {fabs(block_sum(lost)), fmax(about_last, fmax(updated, in_order))};
}

__global__ void group_norm_reference(const x_t* x, const w_t* w, const b_t* b, double* y, double* y_scale, long long groups,
                                     long long channels, long long S, double eps) {
  const long long elements = channels * S, first = blockIdx.x * elements, first_channel = blockIdx.x % groups * channels;
  const double count = static_cast<double>(elements), growth = elements <= 1 ? 0.0 : fmin(count, 4.0 * sqrt(count));
  double sum = 0.0, magnitude = 0.0, squares = 0.0, deviations = 0.0;
  for (long long i = threadIdx.x; i < elements; i += blockDim.x) {
    const double value = static_cast<float>(x[first + i]);
    sum += value;
    magnitude += fabs(value);
    squares += value * value;
  }
  const double mean = block_sum(sum) / count;
  magnitude = block_sum(magnitude) / count;
  squares = block_sum(squares) / count;
  for (long long i = threadIdx.x; i < elements; i += blockDim.x) {
    const double value = static_cast<float>(x[first + i]);
    deviations += (value - mean) * (value - mean);
  }
  deviations = block_sum(deviations);
  const AlikeLosses alike = alike_losses(elements, mean, deviations, [&](long long i) {
    return static_cast<double>(static_cast<float>(x[first + i]));
  });
  const double mean_error = (growth + 2.0) * magnitude + alike.mean / 0x1p-24;
  const double variance = deviations / count, factor = 1.0 / sqrt(variance + eps);
  const double condition = variance > 0.0 ? sqrt(squares / variance) : 0.0;
  const double variance_error = ((growth + 6.0) * condition + alike.deviations) * variance / (variance + eps);
  for (long long i = threadIdx.x; i < elements; i += blockDim.x) {
    const long long c = first_channel + i / S;
    const double value = static_cast<float>(x[first + i]), weight = static_cast<float>(w[c]), bias = static_cast<float>(b[c]);
    const double normed = (value - mean) * factor, result = normed * weight + bias;
    y[first + i] = result;
    y_scale[first + i] = fabs(weight) * (factor * (mean_error + 2.0 * fabs(value) + 2.0 * fabs(mean)) +
                                         fabs(normed) * (8.0 + 0.5 * variance_error)) +
                         fabs(bias) + fabs(result);
  }
}
