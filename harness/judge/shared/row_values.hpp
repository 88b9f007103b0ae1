#pragma once

#include "harness/judge/shared/fill_params.hpp"

// What follows from an element's place in its row.
namespace kgen::judge {

/// Row and place in it of an element.
struct RowPlace {
  U64 row, column;
};
KGEN_SHARED RowPlace row_place(const FillParams& p, I64 index) {
  const I64 line = index / p.row_stride;
  return {static_cast<U64>(line / p.row_length * p.row_stride + index % p.row_stride),
          static_cast<U64>(line % p.row_length)};
}

/// Whether the element is among its row's `per_row` non-zeros (their places may coincide).
KGEN_SHARED bool is_chosen(const FillParams& p, I64 index) {
  if (p.per_row >= p.row_length) return true;
  const RowPlace at = row_place(p, index);
  if (p.per_row > 16) {
    const double share = static_cast<double>(p.per_row) / static_cast<double>(p.row_length);
    return unit_real(random_bits(p.key, static_cast<U64>(index), kDrawDensity)) < share;
  }
  for (int i = 0; i < static_cast<int>(p.per_row); ++i) {
    if (below(random_bits(p.key ^ kRowStream, at.row, i), static_cast<U64>(p.row_length)) == at.column)
      return true;
  }
  return false;
}

/// One of `count` patterns of rows: rows in a line have one after the other, beginning where the key says.
KGEN_SHARED U64 row_pattern(const FillParams& p, U64 row, U64 count) {
  return (row + below(random_bits(p.key ^ kRowStream, 0, kDrawPattern), count)) % count;
}

/// Where a row's one hot value stands: rows in a line have it in the last place, anywhere, in the first and
/// anywhere. The ends are what kernels leave out.
KGEN_SHARED U64 hot_column(const FillParams& p, U64 row) {
  const U64 length = static_cast<U64>(p.row_length);
  switch (row_pattern(p, row, 4)) {
    case 0:
      return length - 1;
    case 2:
      return 0;
    default:
      return below(random_bits(p.key ^ kRowStream, row, 0), length);
  }
}

KGEN_SHARED bool is_hot(const FillParams& p, I64 index) {
  const RowPlace at = row_place(p, index);
  return hot_column(p, at.row) == at.column;
}

/// A value on a way up, down or up in eight teeth; which, and how far it leads, follows from the row.
KGEN_SHARED double ramp_value(const FillParams& p, I64 index) {
  const RowPlace at = row_place(p, index);
  const double share = unit_real(random_bits(p.key ^ kRowStream, at.row, kDrawValue));
  const double rise = plus(p.low, times(plus(p.high, -p.low), share));
  U64 column = at.column, length = static_cast<U64>(p.row_length);
  switch (row_pattern(p, at.row, 3)) {
    case 0:
      break;
    case 1:
      column = length - 1 - column;
      break;
    default:
      length = (length + 7) / 8;
      column %= length;
  }
  const U64 way = (column << 24) / length;  // whole numbers: no division that compilers may round otherwise
  return plus(p.mean, times(rise, times(static_cast<double>(way), power_of_two(-24))));
}

/// Where the element's group ends, of the groups that divide [0, last] along a row. In a third of the rows
/// they are as equal as can be; in the others places are halved, and a draw divides what lies between two
/// ends: both sides get a quarter of it at least, or any part, or nothing.
KGEN_SHARED U64 group_end(const FillParams& p, I64 index, U64 last) {
  const RowPlace at = row_place(p, index);
  const U64 key = p.key ^ kRowStream, length = static_cast<U64>(p.row_length);
  const U64 pattern = row_pattern(p, at.row, 3);
  if (pattern == 2) return last * (at.column + 1) / length;
  const bool is_even = pattern == 0;
  U64 first_place = 0, behind = length;  // the ends at first_place - 1 and behind - 1 are known
  U64 low = 0, high = last;
  while (at.column + 1 != behind) {
    const U64 middle = first_place + (behind - first_place) / 2;  // groups before it go to the left
    const U64 node = at.row * length + middle, room = high - low;
    const U64 aside = is_even ? room / 4 : 0;
    U64 end = low + aside + below(random_bits(key, node, kDrawValue), room - 2 * aside + 1);
    const U64 side = below(random_bits(key, node, kDrawMore), 6);
    if (!is_even && side < 2) end = side == 0 ? low : high;
    if (at.column < middle) {
      behind = middle, high = end;
    } else {
      first_place = middle, low = end;
    }
  }
  return high;
}

/// Whether the element lies in its row's masked places: all but a window, a suffix, a prefix or a window, in
/// this order: of two rows in a line one begins with such places, of three one ends with them (a long shape
/// has few). One place at least is left; how many are follows from the row, evenly or up to an 8th or 64th of
/// them.
KGEN_SHARED bool is_masked(const FillParams& p, I64 index) {
  const RowPlace at = row_place(p, index);
  const U64 key = p.key ^ kRowStream, length = static_cast<U64>(p.row_length);
  const U64 most = length >> (3 * below(random_bits(key, at.row, kDrawMore), 3));
  const U64 kept = 1 + below(random_bits(key, at.row, kDrawValue), most > 0 ? most : 1);
  const U64 masked = length - kept;
  const U64 start_draw = random_bits(key, at.row, kDrawDensity);
  switch (row_pattern(p, at.row, 4)) {
    case 0:
      return at.column - below(start_draw, masked + 1) >= kept;  // below the window's start it wraps
    case 1:
      return at.column >= kept;
    case 2:
      return at.column < masked;
    default:
      return at.column - below(start_draw, kept + 1) < masked;
  }
}

/// Whether the element lies on its row's stripes: every 32nd, 64th, 128th, 256th or 1024th place (rows in
/// turn) from one that the row draws.
KGEN_SHARED bool is_on_stripe(const FillParams& p, I64 index) {
  const RowPlace at = row_place(p, index);
  const U64 pattern = row_pattern(p, at.row, 5);
  const U64 pitch = pattern == 4 ? 1024 : 32ull << pattern;
  const U64 length = static_cast<U64>(p.row_length);
  const U64 first =
      below(random_bits(p.key ^ kRowStream, at.row, kDrawValue), pitch < length ? pitch : length);
  return at.column % pitch == first;
}

/// The number of the run in which the element lies. The first 64 elements are a line. Stretches of 1024
/// elements have, in turn, a run for each element, runs of 32, of 64, of up to 200, and one run in which
/// every 16th element or so stands alone; in every other stretch runs are numbered in a line, in the others
/// they are drawn.
KGEN_SHARED U64 run_number(const FillParams& p, U64 index) {
  if (index < 64) return index;
  const U64 key = p.key ^ kRowStream, stretch = index >> 10;
  const U64 pattern = row_pattern(p, stretch, 5), draw = random_bits(key, stretch, kDrawMore);
  U64 run = index;
  if (pattern == 1 || pattern == 2)
    run = index >> (pattern + 4);
  else if (pattern == 3)
    run = index / (1 + below(draw, 200));
  else if (pattern == 4)
    run = below(random_bits(p.key, index, kDrawDensity), 16) == 0 ? index : stretch << 10;
  return (stretch & 1) == 0 ? run : random_bits(key, run, kDrawValue) >> 1;
}

}  // namespace kgen::judge
