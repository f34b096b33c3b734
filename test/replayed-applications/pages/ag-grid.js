// A data grid of 5,000 rows that keeps only the visible ones in the document.
import { AllCommunityModule, createGrid, ModuleRegistry, themeQuartz } from 'ag-grid-community'

ModuleRegistry.registerModules([AllCommunityModule])
const host = document.body.appendChild(document.createElement('div'))
host.style.cssText = 'height: 600px; width: 900px'
const rowData = Array.from({ length: 5_000 }, (_, index) => ({
  article: `Article ${(index * 7919) % 5_000}`,
  price: ((index * 37) % 1_000) / 10,
  seller: ['Elm & Sons', 'Old Town Books'][index % 2],
}))
const grid = createGrid(host, {
  theme: themeQuartz,
  rowData,
  animateRows: false,
  columnDefs: [
    { field: 'article', filter: true },
    { field: 'price', sortable: true },
    { field: 'seller', editable: true },
  ],
})

window.steps = {
  'as it was loaded': () => undefined,
  'scrolled to row 2,000': () => grid.ensureIndexVisible(2_000, 'top'),
  'sorted by price': () => grid.applyColumnState({ state: [{ colId: 'price', sort: 'desc' }] }),
  filtered: () => grid.setFilterModel({ article: { filterType: 'text', type: 'contains', filter: '99' } }),
}
