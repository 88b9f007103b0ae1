// What the page shows: a run, or the index of a batch with its runs at #run-N.

function dataOf(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
}

const batch = dataOf('batch');

function show(nodes) {
  document.getElementById('page').replaceChildren(...nodes.filter(Boolean));
  redrawCharts();
}

function showPlace() {
  const place = /^#run-(\d+)$/.exec(location.hash);
  const run = batch ? place && dataOf('run-' + place[1]) : dataOf('run-0');
  if (!run) {
    show(batchView(batch));
    return;
  }
  const crumbs = batch ? el('nav', {class: 'crumbs'}, el('a', {href: '#'}, '← ' + batch.title)) : null;
  show([crumbs, ...runView(run)]);
  if (batch) scrollTo(0, 0);
}

if (batch) addEventListener('hashchange', showPlace);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawCharts);
matchMedia('print').addEventListener('change', redrawCharts);
showPlace();
