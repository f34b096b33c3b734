// A site of plain pages, without a build: every page is made when it is asked for.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createApi } from '../shared/api.js'
import { buttons, orders, products } from '../shared/routes.js'

const { SNIPPET: given = '' } = process.env
const options = ',version:"1.0.0",attributes:{visit:/visit=([^;]+)/.exec(document.cookie)?.[1]}'
/**
 * With more options. A page that is left before the library arrives is not counted: nothing could report it. So it is recorded in
 * the task in which the library starts.
 */
const snippet = given.replace(/(telltale\.init\(\{[^}]*)\}\)/, `$1${options}});record('load')`)
const vitals = await readFile(new URL('web-vitals.iife.js', import.meta.resolve('web-vitals')))
const links = ['/', '/products', '/account', ...products.map((id) => `/products/${id}`)]
links.push(...orders.map((id) => `/orders/${id}`))

const page = (path) => `<!doctype html>
<html><head><title>${path}</title>
<script src="/spy.js"></script>
${snippet}
<style>body { font: 18px sans-serif } button, a { display: inline-block; margin: 4px; padding: 6px }</style>
</head><body>
<nav>${links.map((href) => `<a href="${href}">${href}</a>`).join(' ')}<a href="/account" target="_blank">new tab</a></nav>
<h1>${path}</h1><p id="flags"></p>
${buttons.map((name) => `<button data-do="${name}">${name}</button>`).join('\n')}
<script src="/web-vitals.js"></script>
<script type="module">
import { recordRead, startActions, startVitals } from '/actions.js'
startVitals(webVitals)
telltale.onReady(async () => {
  startActions(app)
  const show = () => {
    const read = ['checkout', 'banner'].map((flag) => {
      const details = app.getDetails(flag, flag === 'banner' ? 'none' : false)
      recordRead(flag, details)
      return \`\${flag}=\${details.variant}\`
    })
    document.getElementById('flags').textContent = read.join(' ')
  }
  const isProduct = location.pathname.startsWith('/products/')
  await Promise.all([app.whenReady(), isProduct && fetch('/api' + location.pathname)])
  show()
  app.onChange(show)
  document.documentElement.dataset.ready = 'yes'
})
</script>
</body></html>`

const api = createApi()
const server = createServer(async (request, response) => {
  if (await api(request, response)) return
  const path = request.url.split('?', 1)[0]
  if (path === '/web-vitals.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(vitals)
    return
  }
  const status = links.includes(path) ? 200 : 404
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page(path))
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ port: server.address().port }))
