// screenshots.js CHROMIUM REPORT FOLDER: pictures of a run's report: its head, and its best candidate.
'use strict';
const path = require('path');
const {chromium} = require('playwright-core');

const [program, report, folder] = process.argv.slice(2);
const MOST_BYTES = 150000;

async function picture(page, name) {
  await page.waitForTimeout(300);
  const file = path.join(folder, name + '.png');
  const bytes = (await page.screenshot({path: file})).length;
  console.log(file + ': ' + bytes + ' bytes');
  if (bytes > MOST_BYTES) throw new Error(file + ' is larger than ' + MOST_BYTES + ' bytes');
}

// The source and what changed of the best candidate, else of the last one.
async function openCandidate(page) {
  const link = page.locator('tr.is-best a, table tbody tr:last-child a').first();
  if (await link.count() === 0) return;
  await link.click();
  const part = page.locator('[id^="candidate-"][open]');
  for (const title of ['Screen', 'Promotion'])
    await part.evaluate((element, word) => [...element.querySelectorAll('details')].filter((d) => d.firstChild.textContent.startsWith(word)).forEach((d) => { d.open = false; }), title);
  await part.getByText('Source', {exact: true}).click();
  await part.evaluate((element) => element.scrollIntoView());
}

async function main() {
  const browser = await chromium.launch({executablePath: program, args: ['--no-sandbox', '--disable-gpu']});
  const page = await browser.newPage({viewport: {width: 1180, height: 860}, colorScheme: 'light'});
  await page.goto('file://' + path.resolve(report));
  await page.locator('h1').waitFor();
  await picture(page, 'report');
  await openCandidate(page);
  await page.setViewportSize({width: 1180, height: 600});
  await picture(page, 'report-candidate');
  await browser.close();
}

main().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
