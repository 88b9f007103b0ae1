// open_reports.js CHROMIUM FOLDER: opens the reports of sample_reports.cpp and tries what a reader would do. Says what it
// tried; exit code 1 where something is not as it should be.
'use strict';
const fs = require('fs');
const path = require('path');
const {chromium} = require('playwright-core');

const program = process.argv[2];
const folder = path.resolve(process.argv[3]);
const hostile = fs.readFileSync(path.join(folder, 'hostile.txt'), 'utf8');
let failures = 0;

function expect(what, ok, found) {
  if (ok) return;
  failures += 1;
  console.log('  FAILED: ' + what + (found === undefined ? '' : ': ' + JSON.stringify(found)));
}

// Parts are made when they are opened, by an event that follows the click.
async function expectSoon(what, holds) {
  const end = Date.now() + 10000;
  let ok = await holds();
  while (!ok && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ok = await holds();
  }
  expect(what, ok);
}

// A page that counts everything a report must not do: words on the console, errors, requests for anything but itself.
async function open(browser, name, options) {
  const context = await browser.newContext({viewport: {width: 1280, height: 1000}, ...options});
  const page = await context.newPage();
  const noise = [];
  const file = 'file://' + path.join(folder, name);
  page.on('console', (message) => noise.push(message.type() + ': ' + message.text()));
  page.on('pageerror', (error) => noise.push('error: ' + error));
  page.on('request', (request) => { if (request.url().split('#')[0] !== file && !request.url().startsWith('data:')) noise.push('request: ' + request.url()); });
  page.on('dialog', (dialog) => { noise.push('dialog: ' + dialog.message()); dialog.dismiss(); });
  const begin = Date.now();
  await page.goto(file);
  await page.locator('h1').waitFor();
  return {page, context, noise, ms: Date.now() - begin};
}

async function close(opened, name) {
  await opened.page.waitForTimeout(50);
  expect(name + ' is quiet', opened.noise.length === 0, opened.noise);
  await opened.context.close();
}

// For each named colour of the style sheet: how many pixels of the canvas have it, and from where to where.
function pixelsOf(page, index, names) {
  return page.evaluate(([place, wanted]) => {
    const drawn = document.querySelectorAll('canvas')[place];
    const {width, height} = drawn;
    const copy = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
    copy.drawImage(drawn, 0, 0);
    const {data} = copy.getImageData(0, 0, width, height);
    const style = getComputedStyle(document.documentElement);
    const found = {};
    for (const name of wanted) {
      const hex = style.getPropertyValue('--' + name).trim();
      const rgb = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      const seen = {count: 0, left: width, right: 0, top: height, bottom: 0};
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 250 || rgb.some((value, k) => Math.abs(data[i + k] - value) > 3)) continue;
        const x = (i / 4) % width, y = Math.floor(i / 4 / width);
        seen.count += 1;
        seen.left = Math.min(seen.left, x);
        seen.right = Math.max(seen.right, x);
        seen.top = Math.min(seen.top, y);
        seen.bottom = Math.max(seen.bottom, y);
      }
      found[name] = seen;
    }
    return found;
  }, [index, names]);
}

const column = (page, place) => page.locator('table').first().locator(`tbody tr td:nth-child(${place})`).allTextContents();

async function tryCharts(browser, colorScheme) {
  const opened = await open(browser, 'run.html', {colorScheme});
  const {page} = opened;
  const run = JSON.parse(fs.readFileSync(path.join(folder, 'run.json'), 'utf8'));
  const kinds = ['best', 'candidate', 'library', 'baseline'];
  expect('two charts', await page.locator('canvas').count() === 2);
  const bars = await pixelsOf(page, 0, kinds);
  for (const kind of kinds) expect(colorScheme + ': a bar for ' + kind, bars[kind].count > 500, bars[kind]);
  const length = (kind) => bars[kind].right - bars[kind].left;
  const us = (kind) => run.bars.find((bar) => bar.kind === kind).us;
  for (const kind of ['best', 'candidate', 'baseline']) {
    const expected = length('library') * us(kind) / us('library');
    expect('the bar of ' + kind + ' is as long as its time', Math.abs(length(kind) - expected) < 6, [length(kind), expected]);
  }
  expect('whiskers', (await pixelsOf(page, 0, ['ink'])).ink.count > 20);
  const points = await pixelsOf(page, 1, [...kinds, 'roof']);
  for (const kind of kinds) expect(colorScheme + ': a point for ' + kind, points[kind].count > 30, points[kind]);
  expect('the fastest is the highest under the roof', points.best.bottom < points.library.top, points);
  expect('a roof', points.roof.count > 200 && points.roof.right - points.roof.left > 200, points.roof);
  await page.emulateMedia({media: 'print'});
  await page.waitForTimeout(100);
  const printed = await pixelsOf(page, 0, kinds);
  for (const kind of kinds) expect('printed: a bar for ' + kind, printed[kind].count > 200, printed[kind]);
  await close(opened, 'run.html, ' + colorScheme);
}

async function tryRun(browser) {
  const opened = await open(browser, 'run.html');
  const {page} = opened;
  expect('the outcome in a sentence', (await page.locator('.sentence').textContent()).startsWith('The target is met: candidate 3 takes 69.28 us [69.03, 69.53]'));
  const time = page.getByRole('button', {name: 'time [95%]'}).first();
  await time.focus();
  await page.keyboard.press('Enter');
  expect('the keyboard sorts', (await column(page, 1)).join() === '3,2,1', await column(page, 1));
  await page.keyboard.press('Enter');
  expect('descending, rows without a time last', (await column(page, 1)).join() === '2,3,1', await column(page, 1));
  expect('aria-sort', await page.locator('th[aria-sort="descending"]').count() === 1);
  await page.getByRole('searchbox').first().fill('repair');
  expect('filtering', (await column(page, 1)).join() === '2', await column(page, 1));
  await page.getByRole('searchbox').first().fill('');
  await page.getByRole('combobox').first().selectOption('compile_error');
  expect('choosing a verdict', (await column(page, 1)).join() === '1');
  await page.getByRole('combobox').first().selectOption('');
  await page.locator('table').first().getByRole('link', {name: '3', exact: true}).click();
  const candidate = page.locator('#candidate-3');
  expect('a link opens its candidate', await candidate.evaluate((part) => part.open));
  await candidate.getByText('Source', {exact: true}).click();
  const run = JSON.parse(fs.readFileSync(path.join(folder, 'run.json'), 'utf8'));
  const source = candidate.locator('pre.source');
  await expectSoon('the source, whole', async () => await source.textContent() === run.candidates[2].source);
  expect('the source is highlighted', await source.locator('.hljs-comment').count() >= 2 && await source.locator('.hljs-keyword', {hasText: '__global__'}).count() === 1);
  await candidate.getByText('What changed against candidate 2').click();
  await expectSoon('the diff', async () => (await candidate.locator('.diff .line-plus').allTextContents()).includes('+// version 3'));
  await candidate.getByText('Reply', {exact: true}).click();
  const reply = run.candidates[2].reply.join(run.candidates[2].source);
  await expectSoon('the reply, whole', async () => (await candidate.locator('pre.wrap').last().textContent()) === reply);
  await candidate.getByText('Prompt', {exact: true}).click();
  await expectSoon('the prompt', async () => (await candidate.textContent()).includes('Write a softmax, attempt 3.'));
  expect('every check has its seed', (await candidate.textContent()).includes('18446744073709551557'));
  await close(opened, 'run.html');
}

async function tryVariants(browser) {
  const opened = await open(browser, 'run.html');
  const {page} = opened;
  const run = JSON.parse(fs.readFileSync(path.join(folder, 'run.json'), 'utf8'));
  const rows = run.candidates[2].sweep.rows;
  await page.locator('table').first().getByRole('link', {name: '3', exact: true}).click();
  const part = page.locator('#candidate-3 details', {hasText: 'Variants:'}).last();
  await part.locator('summary').click();
  await expectSoon('a chart of the variants', async () => await page.locator('canvas').count() === 3);
  const kinds = ['best', 'library', 'candidate', 'baseline'];  // goes on, judged first, another one, stopped early
  await expectSoon('it is drawn', async () => (await pixelsOf(page, 2, ['best'])).best.count > 500);
  const bars = await pixelsOf(page, 2, kinds);
  const length = (kind) => bars[kind].right - bars[kind].left;
  for (const [kind, place] of [['candidate', 1], ['library', 2], ['baseline', 3]]) {
    const expected = length('best') * rows[place][8] / rows[0][8];
    expect('the bar of a variant is as long as its time, ' + kind, Math.abs(length(kind) - expected) < 6, [length(kind), expected]);
  }
  const cells = (place) => part.locator(`tbody tr td:nth-child(${place})`).allTextContents();
  expect('every variant has a row', (await cells(2)).join() === '256,512,128,512,64,1024', await cells(2));
  expect('its time', (await cells(5))[0] === rows[0][4], await cells(5));
  expect('what it is', (await cells(8)).join('|') === 'chosen||before|stopped early|y[0, 3] is 1, 0.5 was expected|too many resources', await cells(8));
  await part.getByRole('button', {name: 'THREADS'}).click();
  expect('tunables sort as numbers', (await cells(2)).join() === '64,128,256,512,512,1024', await cells(2));
  await part.getByRole('combobox').selectOption('launch_error (registers)');
  expect('choosing a verdict of variants', (await cells(2)).join() === '1024', await cells(2));
  await page.emulateMedia({colorScheme: 'dark'});
  await expectSoon('drawn again in dark', async () => (await pixelsOf(page, 2, ['best'])).best.count > 500);
  await close(opened, 'run.html, variants');
}

async function openEverything(page) {
  for (let i = 0; i < 4; ++i)
    await page.evaluate(() => document.querySelectorAll('details').forEach((part) => { part.open = true; }));
  await page.waitForTimeout(200);
}

async function expectInert(page, name) {
  expect(name + ': the title is a text', !(await page.title()).startsWith('owned'), await page.title());
  const found = await page.evaluate(() => ({
    images: document.images.length, frames: document.querySelectorAll('iframe,object,embed,form').length,
    handlers: [...document.querySelectorAll('*')].filter((element) => [...element.attributes].some((a) => a.name.startsWith('on') || a.name === 'style' && !element.matches('canvas, .canvas'))).length,
    links: [...document.links].filter((link) => !link.getAttribute('href').startsWith('#')).length,
  }));
  expect(name + ': no element of theirs', Object.values(found).every((count) => count === 0), found);
}

async function tryHostile(browser) {
  const opened = await open(browser, 'hostile.html');
  const {page} = opened;
  await openEverything(page);
  await expectInert(page, 'hostile.html');
  const text = await page.locator('main').textContent();
  const shown = hostile.replace('\u202e', 'U+202E');
  expect('hostile texts are shown as they are, everywhere', text.split(shown).length > 25, text.split(shown).length);
  expect('marks that turn the direction of writing are named', !text.includes('\u202e') && text.includes('U+202E'));
  await close(opened, 'hostile.html');
}

async function tryPolicy(browser) {
  const opened = await open(browser, 'run.html');
  const blocked = await opened.page.evaluate(() => new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'document.title = "owned"';
    document.body.append(script);
    setTimeout(() => resolve('nothing'), 1000);
  }));
  expect('the policy stops scripts that are not the page\'s own', blocked.startsWith('script-src') && await opened.page.title() !== 'owned', blocked);
  await opened.context.close();
}

async function tryLarge(browser) {
  const opened = await open(browser, 'large.html');
  console.log('  100 candidates: ' + fs.statSync(path.join(folder, 'large.html')).size + ' bytes, shown in ' + opened.ms + ' ms');
  expect('100 candidates are there soon', opened.ms < 20000, opened.ms);  // 1.4 s on two busy cores
  expect('100 rows', (await column(opened.page, 1)).length === 100);
  await close(opened, 'large.html');
}

async function tryBatch(browser) {
  const opened = await open(browser, 'batch.html');
  const {page} = opened;
  const heading = await page.locator('h1').textContent();
  expect('30 tasks', (await column(page, 1)).length === 30);
  await page.getByRole('button', {name: 'time [95%]'}).click();
  await page.getByRole('button', {name: 'task'}).click();
  const tasks = (await column(page, 2)).filter((task) => task.startsWith('task'));
  const numbers = tasks.map((task) => Number(task.slice(5)));
  expect('names sort with their numbers', numbers.every((number, i) => i === 0 || numbers[i - 1] < number), numbers);
  await page.getByRole('combobox').selectOption('not started');
  expect('choosing an outcome', (await column(page, 1)).join() === '3');
  await page.getByRole('combobox').selectOption('');
  await page.getByRole('searchbox').fill('OWNED everyone');
  expect('filtering', (await column(page, 1)).join() === '2', await column(page, 1));
  await page.getByRole('searchbox').fill('');
  await page.getByRole('link', {name: 'task 7', exact: true}).click();
  await page.locator('.result').waitFor();
  expect('a run of the batch', await page.locator('canvas').count() === 2);
  expect('its chart is drawn', (await pixelsOf(page, 0, ['best'])).best.count > 500);
  await page.locator('.crumbs a').click();
  await page.getByRole('searchbox').waitFor();
  expect('back at the index', await page.locator('h1').textContent() === heading);
  await page.locator('tbody tr').nth(1).getByRole('link').click();
  await page.locator('.result').waitFor();
  await openEverything(page);
  await expectInert(page, 'batch.html');
  await close(opened, 'batch.html');
}

async function main() {
  // No sandbox: tests run as root in containers, where Chromium refuses to start with it.
  const browser = await chromium.launch({executablePath: program, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']});
  try {
    for (const [name, attempt] of Object.entries({
      'charts, light': () => tryCharts(browser, 'light'), 'charts, dark': () => tryCharts(browser, 'dark'), 'a run': () => tryRun(browser), 'variants': () => tryVariants(browser),
      'hostile texts': () => tryHostile(browser), 'the policy': () => tryPolicy(browser), '100 candidates': () => tryLarge(browser), 'a batch': () => tryBatch(browser),
    })) {
      console.log(name);
      await attempt().catch((error) => expect(name, false, String(error)));
    }
  } finally {
    await browser.close();
  }
  console.log(failures ? failures + ' failures' : 'all as it should be');
  process.exit(failures ? 1 : 0);
}

main();
