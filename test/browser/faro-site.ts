// A shop of another company that uses Grafana Faro's web client as it is.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { bundleForPage } from './bundle.ts'

export interface FaroSite extends AsyncDisposable {
  url: string
}

const client = `
  import { getWebInstrumentations, initializeFaro, LogLevel } from '@grafana/faro-web-sdk'
  import { TracingInstrumentation } from '@grafana/faro-web-tracing'
  const given = new URL(location.href).searchParams.get('options') ?? sessionStorage.options
  sessionStorage.options = given
  const { url, apiKey, isTraced, gzip } = JSON.parse(given)
  // The client itself makes faro a global.
  initializeFaro({
    url, apiKey, requestCompression: gzip,
    app: { name: 'shop', version: '7.1.0', environment: 'live' },
    user: { id: 'user-7', email: 'grace@example.com', attributes: { plan: 'pro' } },
    instrumentations: [...getWebInstrumentations(), ...(isTraced ? [new TracingInstrumentation()] : [])],
  })
  Object.assign(globalThis, { LogLevel })
`

const page = `<!doctype html><title>Harbour</title><main><h1>Harbour shop</h1>
<button id="add" data-faro-user-action-name="add to basket">Add to basket</button>
<button id="throw">Break</button> <button id="reject">Reject</button> <button id="go">Orders</button>
<p id="out"></p></main><script src="/app.js"></script><script>
const on = (id, work) => document.querySelector(id).addEventListener('click', work)
on('#add', () => {
  document.querySelector('#out').textContent += '+'
  fetch('/api/add', { method: 'POST' })
})
on('#go', () => {
  history.pushState(null, '', '/orders/8121/items')
  document.querySelector('h1').textContent = 'Orders'
})
on('#throw', function pay() { throw new RangeError('basket is empty', { cause: new Error('no items') }) })
on('#reject', () => { Promise.reject('coupon is wrong') })
</script>`

export async function startFaroSite(): Promise<FaroSite> {
  const script = await bundleForPage(client)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    if (pathname === '/app.js') response.setHeader('content-type', 'text/javascript').end(script)
    else if (pathname.startsWith('/api/')) response.writeHead(pathname === '/api/fail' ? 503 : 200).end('{}')
    else response.setHeader('content-type', 'text/html').end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
