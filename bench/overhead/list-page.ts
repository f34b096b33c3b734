// A page that changes its document constantly, requests data, fails occasionally, and changes routes on click.

export function listPage(head: string): string {
  return `<!doctype html><html><head><title>Bench</title>${head}</head><body><button id="more">More</button><input id="text"><ul id="list"></ul>
<script>
  const list = document.getElementById('list')
  const change = (count) => {
    for (let index = 0; index < count; index++) {
      const item = document.createElement('li')
      item.className = 'item'
      item.textContent = 'Article ' + index
      item.setAttribute('data-index', index)
      list.append(item)
    }
    while (list.childNodes.length > 300) list.firstChild.remove()
    for (const item of list.children) item.setAttribute('data-seen', performance.now() | 0)
  }
  document.getElementById('more').addEventListener('click', () => {
    change(20)
    fetch('/api?article=1').then((answer) => answer.text())
    history.pushState({}, '', '/route-' + Math.random())
  })
  window.run = () => new Promise((resolve) => {
    let frames = 0
    const step = () => {
      change(30)
      if (frames % 10 === 0) fetch('/api').then((answer) => answer.text())
      if (frames % 60 === 0) setTimeout(() => { throw new Error('bench') })
      if (++frames < 240) requestAnimationFrame(step)
      else resolve()
    }
    requestAnimationFrame(step)
  })
</script></body></html>`
}
