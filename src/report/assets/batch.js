// The index of a batch.

function taskCell(item) {
  if (item.run !== undefined) return el('a', {href: '#run-' + item.run}, item.task);
  return el('span', {}, item.task, item.left_out ? el('span', {class: 'faint'}, ' (too much for one file: `kgen report` of its run shows it)') : null);
}

function outcomeCounts(items) {
  const counts = new Map();
  for (const item of items) counts.set(item.outcome, [(counts.get(item.outcome) || [0])[0] + 1, item.tone]);
  return [...counts].map(([outcome, [count, tone]]) => [badge(count + ' ' + outcome, tone), ' ']).flat();
}

function batchView(batch) {
  const columns = [
    {title: '#', key: (row) => row.number, cell: (row) => row.number, class: 'right'},
    {title: 'task', key: (row) => row.task, cell: taskCell, class: 'text'},
    {title: 'outcome', key: (row) => row.outcome, cell: (row) => el('span', {}, badge(row.outcome, row.tone), row.problem ? el('div', {class: 'faint'}, row.problem) : null)},
    {title: 'time [95%]', key: (row) => row.us, cell: (row) => row.time || '', class: 'time'},
    {title: 'over library', key: (row) => row.speedup, cell: (row) => el('span', {}, row.over, row.library ? el('div', {class: 'faint'}, row.library) : null), class: 'text'},
    {title: 'candidates', key: (row) => row.candidates, cell: (row) => row.candidates, class: 'right'},
    {title: 'cost', key: (row) => row.dollars, cell: (row) => row.cost || '', class: 'right'},
    {title: 'review', key: (row) => row.review, cell: (row) => row.review || '', class: 'text'},
  ];
  return [
    el('header', {}, el('h1', {}, batch.title), el('p', {class: 'faint'}, batch.items.length + ' tasks, begun ' + batch.begun)),
    el('p', {}, outcomeCounts(batch.items)),
    ...filteredTable(columns, batch.items, {
      choice: {title: 'outcome', of: (row) => row.outcome},
      text: (row) => [row.number, row.task, row.outcome, row.library, row.problem, row.review].join(' '),
    }),
  ];
}
