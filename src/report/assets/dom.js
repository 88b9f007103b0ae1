// Elements. Texts are put in as text alone: nothing in a report's data is ever read as HTML.

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// Nodes of a text; characters that cannot be seen, or that turn the direction of writing, are named.
function textNodes(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(CONTROLS)) {
    if (match[0] === '\r') continue;
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    const name = document.createElement('span');
    name.className = 'control';
    name.textContent = 'U+' + match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    nodes.push(name);
    end = match.index + 1;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

const ATTRIBUTES = new Set(['id', 'role', 'tabindex', 'scope', 'type', 'placeholder', 'value', 'for', 'aria-label',
  'aria-sort', 'aria-live', 'data-candidate']);

// An element with children: elements, or texts. `attributes`: class, href (a place in this page) and those above.
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === 'class') element.className = value;
    else if (name === 'href' && value.startsWith('#')) element.setAttribute('href', value);
    else if (ATTRIBUTES.has(name)) element.setAttribute(name, value);
    else throw new Error('attribute ' + name);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === '') continue;
    if (child instanceof Node) element.append(child);
    else element.append(...textNodes(String(child)));
  }
  return element;
}

function badge(text, tone) {
  return el('span', {class: 'badge ' + tone}, text);
}

// [[label, text], ...]; a line without a label goes on with the one before.
function factList(facts) {
  return el('dl', {class: 'facts'}, facts.map(([label, text]) => [el('dt', {}, label), el('dd', {}, text)]).flat());
}

// A part that is filled when it is opened first.
function folded(title, fill, open) {
  const body = el('div', {class: 'body'});
  const details = el('details', {}, el('summary', {}, title), body);
  const filled = () => {
    if (details.open && !body.firstChild) body.append(...[fill()].flat().filter(Boolean));
  };
  details.addEventListener('toggle', filled);
  if (open) {
    details.open = true;
    filled();
  }
  return details;
}
