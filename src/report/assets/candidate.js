// One candidate: what it was asked for, what it answered, and what the judge found.

function diagnosticsOf(evaluation) {
  return evaluation.diagnostics.map((diagnostic) => el('div', {class: 'message ' + (diagnostic.severity === 'error' ? 'bad' : 'neutral')},
    diagnostic.severity + (diagnostic.line > 0 ? ' at line ' + diagnostic.line : '') + ': ' + diagnostic.message,
    diagnostic.source ? el('pre', {}, diagnostic.source) : null));
}

function wrongElements(mismatch) {
  const columns = ['element', 'expected', 'got', 'tolerance'];
  return [el('span', {}, mismatch.summary), el('table', {}, el('thead', {}, el('tr', {}, columns.map((name) => el('th', {scope: 'col'}, name)))),
    el('tbody', {}, mismatch.worst.map((row) => el('tr', {}, row.map((text) => el('td', {class: 'mono'}, text))))))];
}

// Checks as they travel: [name, state, shape, distribution, ratio, seed, detail, mismatch], texts by place in strings.
function checkRows(evaluation, strings) {
  return evaluation.checks.map(([name, state, shape, distribution, ratio, seed, detail, mismatch]) => ({
    name: strings[name], state: strings[state], shape: strings[shape], distribution: strings[distribution], ratio: strings[ratio],
    seed, detail: strings[detail], mismatch,
  }));
}

const CHECK_TONES = {passed: 'good', failed: 'bad', 'not run': 'neutral'};

function checksTable(evaluation, strings) {
  const columns = [
    {title: 'check', key: (row) => row.name, cell: (row) => row.name},
    {title: 'result', key: (row) => row.state, cell: (row) => badge(row.state, CHECK_TONES[row.state])},
    {title: 'shape', key: (row) => row.shape, cell: (row) => row.shape, class: 'mono'},
    {title: 'distribution', key: (row) => row.distribution, cell: (row) => row.distribution},
    {title: 'worst error / tolerance', key: (row) => row.ratio === 'differs' ? Infinity : Number.parseFloat(row.ratio), cell: (row) => row.ratio, class: 'right'},
    {title: 'seed', cell: (row) => row.seed, class: 'mono'},
    {title: 'detail', cell: (row) => el('div', {}, row.detail, row.mismatch ? wrongElements(row.mismatch) : null), class: 'text'},
  ];
  const rows = checkRows(evaluation, strings);
  return filteredTable(columns, rows, {choice: {title: 'result', of: (row) => row.state}, text: (row) => Object.values(row).join(' ')});
}

function evaluationPart(evaluation, strings, open) {
  const title = [evaluation.tier === 'promotion' ? 'Promotion' : 'Screen', badge(evaluation.verdict, evaluation.tone), evaluation.message];
  return folded(el('span', {}, ...title), () => [
    evaluation.kind ? el('p', {class: 'faint'}, 'kind: ' + evaluation.kind) : null,
    factList(evaluation.facts),
    diagnosticsOf(evaluation),
    evaluation.output ? [el('h3', {}, 'The kernel printed (its own words, not kgen\'s)'), textBlock(evaluation.output)] : null,
    evaluation.checks.length ? [el('h3', {}, 'Checks'), checksTable(evaluation, strings)] : null,
  ].flat(2), open);
}

// The reply travels in two parts where the source, which is between them, is in the page already.
function replyText(candidate) {
  return candidate.reply.join(candidate.source);
}

function candidateBody(candidate, strings) {
  return [
    factList([['asked for', candidate.purpose + (candidate.parent ? ' of ' + candidate.parent : '') + (candidate.hint ? ' (' + candidate.hint + ')' : '')],
      ...(candidate.notes ? [['notes', candidate.notes]] : []), ...candidate.call]),
    candidate.evaluations.map((evaluation, i) => evaluationPart(evaluation, strings, i === 0)),
    candidate.sweep ? sweepPart(candidate.sweep, strings) : null,
    candidate.source ? folded('Source', () => sourceBlock(candidate.source)) : null,
    candidate.diff ? folded('What changed against candidate ' + candidate.parent, () => diffBlock(candidate.diff)) : null,
    candidate.prompt.user ? folded('Prompt', () => [
      strings[candidate.prompt.system] ? [el('h3', {}, 'System'), textBlock(strings[candidate.prompt.system])] : null,
      el('h3', {}, 'User'), textBlock(candidate.prompt.user)].flat()) : null,
    candidate.reply.join('') || candidate.source ? folded('Reply', () => textBlock(replyText(candidate))) : null,
  ].flat();
}

function candidatePart(candidate, run) {
  const title = el('span', {}, 'Candidate ' + candidate.number, badge(candidate.verdict, candidate.tone),
    candidate.time ? candidate.time + ' ' : '', el('span', {class: 'faint'}, candidate.notes));
  const part = folded(title, () => candidateBody(candidate, run.strings));
  part.id = 'candidate-' + candidate.number;
  return part;
}
