// A table of 2,000 rows that sorts, filters, scrolls, animates and changes prices all the time: what a trading or an
// admin application does to its document. `run` uses it without input; its buttons are for clicks that are measured.

export function tablePage(head: string): string {
  return `<!doctype html><html><head><title>Table</title>${head}<style>
  body { margin: 0; font: 14px sans-serif } #view { height: 500px; overflow: auto } td { padding: 2px 8px; border-bottom: 1px solid #ddd }
  .up { color: green } .down { color: red } .bar { display: inline-block; height: 8px; background: #48c }
</style></head><body>
<p><button id="price">Sort by price</button><button id="name">Sort by name</button><button id="filter">Filter</button>
<button id="mark">Mark</button><button id="page">Next page</button><input id="text"></p>
<div id="view"><table><thead><tr><th>Name<th>Price<th>Stock<th>Change<th>Seller<th>Note</tr></thead><tbody id="body"></tbody></table></div>
<script>
  const sellers = ['North Harbour Trading', 'Elm & Sons', 'Pedal & Post', 'Old Town Books', 'Green Valley']
  let seed = 7
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  const product = (index) => ({
    name: 'Article ' + ((index * 7919) % 2000), price: Math.round(random() * 100000) / 100, stock: (random() * 900) | 0,
    change: random() * 10 - 5, seller: sellers[index % sellers.length], note: 'Batch ' + index + ', checked ' + (index % 28 + 1) + ' March',
  })
  const rows = Array.from({ length: 2000 }, (_, index) => {
    const row = document.createElement('tr')
    const of = product(index)
    row.className = index % 2 ? 'odd' : 'even'
    row.dataset.index = index
    row.innerHTML = '<td></td><td></td><td></td><td><span class="bar"></span></td><td></td><td></td>'
    const cells = row.children
    cells[0].textContent = of.name
    cells[1].textContent = of.price.toFixed(2)
    cells[2].textContent = of.stock
    cells[4].textContent = of.seller
    cells[5].textContent = of.note
    return Object.assign(row, { of })
  })
  const body = document.getElementById('body')
  body.append(...rows)
  let shown = rows
  let isFiltered = false
  const sortBy = (compare) => { shown = [...shown].sort(compare); body.append(...shown) }
  const on = (id, run) => document.getElementById(id).addEventListener('click', run)
  on('price', () => sortBy((one, other) => one.of.price - other.of.price))
  on('name', () => sortBy((one, other) => one.of.name.localeCompare(other.of.name)))
  on('filter', () => {
    isFiltered = !isFiltered
    shown = isFiltered ? rows.filter(({ of }) => of.seller === sellers[1]) : rows
    body.replaceChildren(...shown)
  })
  on('mark', () => { for (const row of shown) row.classList.toggle('marked') })
  let turn = 0
  on('page', () => {
    turn++
    body.innerHTML = rows.slice(0, 500).map(({ of }, index) => '<tr class="page"><td>' + of.name + ' (' + turn + ')</td><td>' + of.price.toFixed(2)
      + '</td><td>' + of.stock + '</td><td><span class="bar" style="width:' + (index % 90) + 'px"></span></td><td>' + of.seller + '</td><td>' + of.note + '</td></tr>').join('')
    setTimeout(() => { body.replaceChildren(...shown) }, 300)
  })
  const interactions = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  window.interactions = () => [...interactions.values()]
  window.run = () => new Promise((resolve) => {
    let frames = 0
    const view = document.getElementById('view')
    const step = () => {
      for (let each = 0; each < 40; each++) {
        const row = rows[(random() * 2000) | 0]
        const isUp = random() > 0.5
        row.of.price = Math.max(0, row.of.price + (isUp ? 1 : -1))
        row.children[1].textContent = row.of.price.toFixed(2)
        row.children[1].className = isUp ? 'up' : 'down'
      }
      for (let each = 0; each < 30; each++) rows[each * 60].querySelector('.bar').style.width = ((frames * 3 + each * 7) % 90) + 'px'
      if (frames % 5 === 0) view.scrollTop = (frames * 37) % 30000
      if (++frames < 300) requestAnimationFrame(step)
      else resolve()
    }
    requestAnimationFrame(step)
  })
</script></body></html>`
}
