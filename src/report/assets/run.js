// The report of one run.

function resultPart(run) {
  const {outcome} = run;
  const review = outcome.review;
  return el('section', {class: 'result is-' + outcome.tone},
    badge(outcome.name, outcome.tone),
    el('p', {class: 'sentence text'}, outcome.sentence),
    el('p', {class: 'review text'}, review
      ? [badge(review.accepted ? 'accepted' : 'rejected', review.accepted ? 'good' : 'bad'), ' by ' + review.by + ', ' + review.at + ': ' + review.note]
      : el('span', {class: 'faint'}, 'Not reviewed yet.')));
}

function candidatesTable(run, open) {
  const link = (row) => {
    const anchor = el('a', {href: '#candidate-' + row.number}, String(row.number));
    anchor.addEventListener('click', (event) => {
      event.preventDefault();
      open(row.number);
    });
    return anchor;
  };
  const columns = [
    {title: '#', key: (row) => row.number, cell: link, class: 'right'},
    {title: 'asked for', key: (row) => row.purpose, cell: (row) => row.purpose + (row.parent ? ' of ' + row.parent : '')},
    {title: 'verdict', key: (row) => row.verdict, cell: (row) => badge(row.verdict, row.tone)},
    {title: 'time [95%]', key: (row) => row.us, cell: (row) => row.time || '', class: 'time'},
    {title: 'over library', key: (row) => row.speedup, cell: (row) => row.over || '', class: 'time'},
    {title: 'flags', key: (row) => row.flags || null, cell: (row) => row.flags},
    {title: 'notes', cell: (row) => row.notes, class: 'text'},
  ];
  return filteredTable(columns, run.candidates, {
    choice: {title: 'verdict', of: (row) => row.verdict},
    text: (row) => [row.number, row.purpose, row.hint, row.verdict, row.flags, row.notes].join(' '),
    rowClass: (row) => row.number === run.best ? 'is-best' : '',
  });
}

function bestEvidence(run) {
  const best = run.candidates.find((candidate) => candidate.number === run.best);
  if (!best || best.evaluations.length === 0) return [];
  const evaluation = best.evaluations[0];
  return [el('h2', {}, 'Evidence for candidate ' + best.number), factList(evaluation.facts),
    folded('All ' + evaluation.checks.length + ' checks of ' + (evaluation.tier === 'promotion' ? 'its promotion' : 'its screen'),
      () => checksTable(evaluation, run.strings)),
    best.sweep ? sweepPart(best.sweep, run.strings) : null];
}

function commandLine([purpose, line]) {
  const copy = el('button', {type: 'button'}, 'copy');
  copy.addEventListener('click', () => navigator.clipboard.writeText(line).then(() => { copy.textContent = 'copied'; }, () => { copy.textContent = 'select it by hand'; }));
  return el('div', {class: 'command'}, el('p', {}, purpose, copy), el('pre', {class: 'wrap', tabindex: '0'}, line));
}

function runView(run) {
  const parts = run.candidates.map((candidate) => candidatePart(candidate, run));
  const open = (number) => {
    const part = parts[number - 1];
    part.open = true;
    part.scrollIntoView();
    part.querySelector('summary').focus({preventScroll: true});
  };
  return [
    el('header', {}, el('h1', {}, run.title), el('p', {class: 'faint text'}, run.subtitle + ', on ' + run.device)),
    resultPart(run),
    el('h2', {}, 'Candidates against baselines'), chartsOf(run),
    el('h2', {}, 'Candidates'), candidatesTable(run, open),
    bestEvidence(run),
    run.candidates.length ? [el('h2', {}, 'Every candidate'), el('p', {class: 'faint'}, 'Prompt, reply, source, what changed, and what the judge found.')] : null, parts,
    el('h2', {}, 'Provenance'), factList(run.provenance),
    el('h2', {}, 'How to reproduce'), el('p', {class: 'faint'}, 'In the folder that holds the run:'), run.reproduce.map(commandLine),
  ].flat(2);
}
