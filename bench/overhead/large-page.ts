// A page of 20,000 nodes that does nothing. `begin` loads the SDK after the page has settled, and then the longest
// time counts that the main thread was not free; `layout` is how long one layout of the whole page takes.

export function largePage(head: string): string {
  return `<!doctype html><html><head><title>Large</title><style>
  body { margin: 0; font: 14px sans-serif } article { border: 1px solid #ccc; margin: 4px; padding: 4px } .price { color: #060 }
</style></head><body><main id="main"></main><template id="sdk">${head}</template><script>
  const main = document.getElementById('main')
  // Ten nodes each.
  main.innerHTML = Array.from({ length: 2000 }, (_, index) => '<article id="article-' + index + '" class="card kind-' + (index % 7)
    + '" data-index="' + index + '"><h2>Article ' + index + '</h2><p class="text">Arrives in ' + (index % 9 + 1)
    + ' days, <b>with a bell</b> and a lock.</p><span class="price">' + (index * 1.25).toFixed(2) + '</span></article>').join('')
  window.layout = () => {
    const began = performance.now()
    main.style.width = '70%'
    main.offsetHeight
    main.style.width = ''
    main.offsetHeight
    return (performance.now() - began) / 2
  }
  const { port1, port2 } = new MessageChannel()
  let last = 0
  let longest = 0
  port1.onmessage = () => {
    const now = performance.now()
    if (last > 0) longest = Math.max(longest, now - last)
    last = now
    setTimeout(() => port2.postMessage(0))
  }
  window.longest = () => longest
  window.begin = async () => {
    port2.postMessage(0)
    for (const { src, textContent } of document.getElementById('sdk').content.querySelectorAll('script')) {
      const script = document.createElement('script')
      const loaded = new Promise((resolve) => { script.onload = resolve })
      if (src) script.src = src
      else script.textContent = textContent
      document.head.append(script)
      if (src) await loaded
    }
  }
</script></body></html>`
}
