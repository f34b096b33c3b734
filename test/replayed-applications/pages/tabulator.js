// A data grid with groups, which builds its rows as it scrolls.
import { TabulatorFull } from 'tabulator-tables'
import 'tabulator-tables/dist/css/tabulator.min.css'

const host = document.body.appendChild(document.createElement('div'))
const data = Array.from({ length: 1_000 }, (_, id) => ({
  id,
  name: `Article ${(id * 7919) % 1_000}`,
  stock: (id * 37) % 100,
  shelf: `Shelf ${id % 5}`,
}))
const table = new TabulatorFull(host, {
  data,
  height: 550,
  layout: 'fitColumns',
  columns: [
    { title: 'Name', field: 'name' },
    { title: 'Stock', field: 'stock', formatter: 'progress' },
    { title: 'Shelf', field: 'shelf' },
  ],
})
const built = new Promise((resolve) => table.on('tableBuilt', resolve))

window.steps = {
  'as it was loaded': () => built,
  sorted: () => table.setSort('name', 'asc'),
  'grouped by shelf': () => table.setGroupBy('shelf'),
  'a row was changed and scrolled to': async () => {
    await table.updateData([{ id: 500, name: 'The changed article', stock: 99 }])
    await table.scrollToRow(500, 'top', false)
  },
}
