// The variants of one candidate that were tried: a chart of their times, and a table.

// Colours of the charts, and what they stand for here.
const VARIANT_KINDS = {best: 'goes on', library: 'judged first', candidate: 'other variants', baseline: 'stopped early'};
const KIND_OF_ROLE = {chosen: 'best', 'as before': 'best', before: 'library', 'stopped early': 'baseline'};

// Variants as they travel: [values, verdict, tone, role, time, registers, spilled, message, us, low, high].
function variantRows(sweep, strings) {
  return sweep.rows.map(([values, verdict, tone, role, time, registers, spilled, message, us, low, high]) => ({
    values, verdict: strings[verdict], tone: strings[tone], role: strings[role], time, registers, spilled, message: strings[message], us, low, high,
  }));
}

// Named by the tunables that tell the variants apart.
function variantName(row, sweep) {
  const places = sweep.varied.length ? sweep.varied : sweep.tunables.map((_, i) => i);
  return places.map((i) => sweep.tunables[i] + '=' + row.values[i]).join(' ');
}

function sweepFigure(rows, sweep) {
  const bars = rows.filter((row) => row.us !== undefined).map((row) => ({
    label: variantName(row, sweep), kind: KIND_OF_ROLE[row.role] || 'candidate', us: row.us, low: row.low, high: row.high, text: row.time,
  }));
  if (bars.length === 0) return null;
  return barsFigure(bars, {
    title: 'Time of its variants', what: 'variants', names: VARIANT_KINDS, kept: ['best', 'library'],
    label: 'time of each variant; the table below holds the figures',
  });
}

function variantsTable(rows, sweep) {
  const count = (value) => value === null ? '' : String(value);
  const columns = [
    ...sweep.tunables.map((name, i) => ({title: name, key: (row) => row.values[i], cell: (row) => count(row.values[i]), class: 'right'})),
    {title: 'verdict', key: (row) => row.verdict, cell: (row) => badge(row.verdict, row.tone)},
    {title: 'time [95%]', key: (row) => row.us, cell: (row) => row.time, class: 'time'},
    {title: 'registers', key: (row) => row.registers, cell: (row) => count(row.registers), class: 'right'},
    {title: 'spilled bytes', key: (row) => row.spilled, cell: (row) => count(row.spilled), class: 'right'},
    {title: '', cell: (row) => el('div', {}, row.role, row.message ? el('div', {class: 'faint'}, row.message) : null), class: 'text'},
  ];
  return filteredTable(columns, rows, {
    choice: {title: 'verdict', of: (row) => row.verdict},
    text: (row) => [variantName(row, sweep), row.verdict, row.role, row.message].join(' '),
    rowClass: (row) => KIND_OF_ROLE[row.role] === 'best' ? 'is-best' : '',
  });
}

function sweepPart(sweep, strings) {
  return folded(el('span', {}, 'Variants: ', el('span', {class: 'faint'}, sweep.sentence)), () => {
    const rows = variantRows(sweep, strings);
    return [sweepFigure(rows, sweep), variantsTable(rows, sweep)].flat();
  });
}
