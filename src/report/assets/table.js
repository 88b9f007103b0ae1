// Tables whose columns sort. A column: {title, cell(row) -> text or element, key(row) -> number or text, class}.
// Rows without a key are last in either order.

function compareKeys(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', {numeric: true});
}

function sortedRows(rows, key, descending) {
  const missing = (row) => key(row) === undefined || key(row) === null || Number.isNaN(key(row));
  const keyed = rows.filter((row) => !missing(row));
  keyed.sort((a, b) => (descending ? -1 : 1) * compareKeys(key(a), key(b)));
  return keyed.concat(rows.filter(missing));
}

function headCell(column, onSort) {
  const head = el('th', {scope: 'col', class: column.class === 'right' ? 'right' : ''});
  if (!column.key) {
    head.append(column.title);
    return head;
  }
  const button = el('button', {type: 'button'}, column.title);
  button.addEventListener('click', () => onSort(head));
  head.append(button);
  return head;
}

// {element, show(rows)}: show puts other rows in, in the order that was chosen.
function sortableTable(columns, rows, rowClass) {
  const body = el('tbody');
  const order = {column: null, descending: false};
  let shown = rows;
  const draw = () => {
    const sorted = order.column ? sortedRows(shown, order.column.key, order.descending) : shown;
    body.replaceChildren(...sorted.map((row) => el('tr', {class: rowClass ? rowClass(row) : ''},
      columns.map((column) => el('td', {class: column.class || ''}, column.cell(row))))));
  };
  const heads = columns.map((column) => headCell(column, (head) => {
    order.descending = order.column === column && !order.descending;
    order.column = column;
    for (const other of heads) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', order.descending ? 'descending' : 'ascending');
    draw();
  }));
  draw();
  return {
    element: el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, heads)), body)),
    show(others) {
      shown = others;
      draw();
    },
  };
}

// A table with a field that looks for a text in every row, and a choice of one column's values.
function filteredTable(columns, rows, options) {
  const table = sortableTable(columns, rows, options.rowClass);
  const search = el('input', {type: 'search', placeholder: 'filter', 'aria-label': 'filter the rows'});
  const choice = el('select', {'aria-label': options.choice.title}, el('option', {value: ''}, options.choice.title + ': all'),
    [...new Set(rows.map(options.choice.of))].sort().map((value) => el('option', {value}, value)));
  const count = el('span', {class: 'faint', 'aria-live': 'polite'});
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter((row) => (!choice.value || options.choice.of(row) === choice.value) &&
      words.every((word) => options.text(row).toLowerCase().includes(word)));
    table.show(shown);
    count.textContent = shown.length + ' of ' + rows.length;
  };
  search.addEventListener('input', draw);
  choice.addEventListener('change', draw);
  draw();
  return [el('div', {class: 'filters'}, search, choice, count), table.element];
}
