// Charts by Chart.js. Each is a function of the theme, drawn again when that changes and before printing.

const MOST_BARS = 40;
const LEAST_HEIGHT = 280;  // pixels
const SPAN = 8;           // of the roofline's axis, to either side of the task's intensity
const drawings = [];  // {canvas, configure, chart}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

// Draws what is in the page and not drawn yet.
function drawCharts() {
  for (const drawing of drawings)
    if (!drawing.chart && drawing.canvas.isConnected) drawing.chart = new Chart(drawing.canvas, drawing.configure());
}

// Charts of a part that left the page are forgotten.
function redrawCharts() {
  for (let i = drawings.length - 1; i >= 0; --i) {
    const drawing = drawings[i];
    if (drawing.chart) drawing.chart.destroy();
    drawing.chart = null;
    if (!drawing.canvas.isConnected) drawings.splice(i, 1);
  }
  drawCharts();
}

function chartBox(label, height, configure) {
  const canvas = el('canvas', {role: 'img', 'aria-label': label});
  const box = el('div', {class: 'canvas'}, canvas);
  box.style.height = height + 'px';
  drawings.push({canvas, configure, chart: null});
  queueMicrotask(drawCharts);  // it may be for a part that is being opened: it is in the page by then
  return box;
}

function baseOptions() {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.color = colour('faint');
  Chart.defaults.borderColor = colour('line');
  return {animation: false, responsive: true, maintainAspectRatio: false, plugins: {legend: {display: false}}};
}

// A whisker over the 95% interval of each bar.
const intervals = {
  id: 'intervals',
  afterDatasetsDraw(chart) {
    const {ctx, scales: {x}} = chart;
    ctx.save();
    ctx.strokeStyle = colour('ink');
    ctx.lineWidth = 1.5;
    chart.getDatasetMeta(0).data.forEach((bar, i) => {
      const {low, high} = chart.data.datasets[0].source[i];
      const [left, right] = [x.getPixelForValue(low), x.getPixelForValue(high)];
      ctx.beginPath();
      for (const [fromX, fromY, toX, toY] of [[left, 0, right, 0], [left, -4, left, 4], [right, -4, right, 4]]) {
        ctx.moveTo(fromX, bar.y + fromY);
        ctx.lineTo(toX, bar.y + toY);
      }
      ctx.stroke();
    });
    ctx.restore();
  },
};

// Time unit in which `us` is easy to read.
function unitOf(us) {
  return us < 1000 ? ['us', 1] : us < 1e6 ? ['ms', 1e3] : ['s', 1e6];
}

// Those of the kinds in `kept` and the fastest; all where they are few.
function chosenBars(bars, kept) {
  if (bars.length <= MOST_BARS) return bars;
  const order = [...bars].sort((a, b) => a.us - b.us);
  const chosen = new Set([...new Set([...bars.filter((bar) => kept.includes(bar.kind)), ...order])].slice(0, MOST_BARS));
  return bars.filter((bar) => chosen.has(bar));
}

function barsConfig(bars) {
  const [unit, scale] = unitOf(Math.max(...bars.map((bar) => bar.us)));
  const options = baseOptions();
  const shown = bars.map((bar) => ({...bar, low: bar.low / scale, high: bar.high / scale}));
  return {
    type: 'bar',
    data: {
      labels: bars.map((bar) => bar.label),
      datasets: [{
        data: bars.map((bar) => bar.us / scale),
        backgroundColor: bars.map((bar) => colour(bar.kind)),
        barPercentage: 0.9,
        maxBarThickness: 30,
        source: shown,
      }],
    },
    plugins: [intervals],
    options: {
      ...options,
      indexAxis: 'y',
      scales: {x: {beginAtZero: true, title: {display: true, text: 'median time, ' + unit}}, y: {grid: {display: false}, ticks: {autoSkip: false}}},
      plugins: {...options.plugins, tooltip: {callbacks: {label: (item) => bars[item.dataIndex].text}}},
    },
  };
}

const RUN_KINDS = {best: 'best candidate', candidate: 'candidates', library: 'libraries', baseline: 'other baselines'};

function legend(kinds, names) {
  return el('ul', {class: 'legend'}, Object.keys(names).filter((kind) => kinds.has(kind))
    .map((kind) => el('li', {}, el('span', {class: 'dot ' + kind}), names[kind])));
}

// `about`: title, what the bars are of, names of their kinds, kinds that are always drawn, label for who cannot see it.
function barsFigure(bars, about) {
  const chosen = chosenBars(bars, about.kept);
  const left = bars.length - chosen.length;
  return el('figure', {}, el('figcaption', {}, about.title + ' ', el('span', {}, 'median with its 95% interval; shorter is better')),
    chartBox(about.label, Math.max(LEAST_HEIGHT, 60 + 26 * chosen.length), () => barsConfig(chosen)),
    legend(new Set(chosen.map((bar) => bar.kind)), about.names),
    left > 0 ? el('p', {class: 'faint'}, left + ' slower ' + about.what + ' are in the table alone') : null);
}

// Whether operations are the limit at the task's intensity, not bytes.
function isLevel(roofline) {
  return roofline.roof_gflops > 0 && roofline.roof_gflops < 0.98 * roofline.bandwidth_gbs * roofline.intensity;
}

// Bandwidth times intensity up to the roof, which is level where operations are the limit.
function roofLine(roofline) {
  const {intensity, bandwidth_gbs: bandwidth, roof_gflops: roof} = roofline;
  const level = isLevel(roofline);
  const bend = level && roof / bandwidth > intensity / SPAN ? [roof / bandwidth] : [];
  return [intensity / SPAN, ...bend, intensity * SPAN].map((x) => ({x, y: level ? Math.min(bandwidth * x, roof) : bandwidth * x}));
}

// The label of a logarithmic axis at 1, 2 and 5 of each power of ten.
function decadeText(value) {
  const digit = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
  return [1, 2, 5].some((kept) => Math.abs(digit - kept) < 1e-6) ? Number(value.toPrecision(1)).toLocaleString('en') : '';
}

// Unit in which rates up to `gflops` are easy to read.
function rateUnit(gflops) {
  return gflops < 10000 ? ['GFLOP/s', 1] : ['TFLOP/s', 1000];
}

function rooflineConfig(roofline) {
  const options = baseOptions();
  const [unit, scale] = rateUnit(Math.max(...roofline.points.map((point) => point.gflops)));
  const kinds = ['baseline', 'library', 'candidate', 'best'];
  const points = kinds.map((kind) => ({
    label: kind,
    data: roofline.points.filter((point) => point.kind === kind).map((point) => ({x: roofline.intensity, y: point.gflops / scale, name: point.label})),
    backgroundColor: colour(kind), borderColor: colour('paper'), borderWidth: 1,
    pointRadius: kind === 'best' ? 7 : 5, pointHoverRadius: 8, pointStyle: kind === 'best' ? 'rectRot' : 'circle',
  }));
  const line = roofLine(roofline).map(({x, y}) => ({x, y: y / scale}));
  const rates = [...roofline.points.map((point) => point.gflops / scale), ...line.map((point) => point.y)];
  const axis = (text, min, max) => ({type: 'logarithmic', min, max, title: {display: true, text}, ticks: {callback: decadeText, maxRotation: 0}});
  return {
    type: 'scatter',
    data: {datasets: [...points.reverse(), {type: 'line', label: 'roof', data: line, borderColor: colour('roof'), borderWidth: 2, pointRadius: 0, tension: 0}]},
    options: {
      ...options,
      scales: {
        x: axis('operations a byte', roofline.intensity / SPAN, roofline.intensity * SPAN),
        y: axis(unit, Math.min(...rates) / 2, Math.max(...rates) * 2),
      },
      plugins: {...options.plugins, tooltip: {filter: (item) => Boolean(item.raw.name), callbacks: {
        label: (item) => item.raw.name + ': ' + item.raw.y.toPrecision(4) + ' ' + unit}}},
    },
  };
}

function rooflineFigure(roofline) {
  const whole = (value) => Math.round(value).toLocaleString('en');
  const source = (roofline.measured ? 'bandwidth measured on this device: ' : 'bandwidth of the datasheet: ') + whole(roofline.bandwidth_gbs) + ' GB/s' +
    (isLevel(roofline) ? '; at most ' + whole(roofline.roof_gflops / rateUnit(roofline.roof_gflops)[1]) + ' ' + rateUnit(roofline.roof_gflops)[0] : '');
  return el('figure', {}, el('figcaption', {}, 'Roofline ', el('span', {}, source)),
    chartBox('rate of candidates and baselines under the roofline', LEAST_HEIGHT, () => rooflineConfig(roofline)),
    legend(new Set(roofline.points.map((point) => point.kind)), RUN_KINDS));
}

function chartsOf(run) {
  if (run.bars.length === 0) return el('p', {class: 'faint'}, 'No time was measured, so there is nothing to draw.');
  const about = {
    title: 'Time', what: 'candidates', names: RUN_KINDS, kept: ['library', 'baseline'],
    label: 'time of candidates and baselines; the tables below hold the figures',
  };
  return el('div', {class: 'charts'}, barsFigure(run.bars, about), run.roofline ? rooflineFigure(run.roofline) : null);
}
