// A shop of another company that uses Sentry's client for browsers as it is.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { bundleForPage } from './bundle.ts'

export interface SentrySite extends AsyncDisposable {
  url: string
}

const client = `
  import * as Sentry from '@sentry/react'
  import { createElement, Component } from 'react'
  import { createRoot } from 'react-dom/client'
  Object.assign(globalThis, { Sentry })
  const { dsn, tunnel, isQuiet } = JSON.parse(new URL(location.href).searchParams.get('options') ?? sessionStorage.options)
  sessionStorage.options = JSON.stringify({ dsn, tunnel, isQuiet })
  const busy = [
    Sentry.browserTracingIntegration({ idleTimeout: 500, finalTimeout: 2000 }),
    Sentry.replayIntegration({ maskAllText: false, flushMinDelay: 500, flushMaxDelay: 800 }),
    Sentry.featureFlagsIntegration(),
    Sentry.captureConsoleIntegration({ levels: ['error'] }),
  ]
  Sentry.init({
    dsn, tunnel, release: 'shop@7.1.0', environment: 'live', enableLogs: true,
    integrations: isQuiet ? [] : busy,
    tracesSampleRate: isQuiet ? 0 : 1, replaysSessionSampleRate: isQuiet ? 0 : 1,
    transport: Sentry.makeBrowserOfflineTransport(Sentry.makeFetchTransport),
    transportOptions: { minReplayDuration: 0 },
    beforeSend: (event) => (event.message === 'left out' ? null : event),
  })
  Sentry.setUser({ id: 'user-7', email: 'grace@example.com' })
  Sentry.setTag('plan', 'pro')
  Sentry.getClient().getIntegrationByName('FeatureFlags')?.addFeatureFlag('new-cart', true)
  class Broken extends Component { render() { throw new TypeError('cannot render the cart') } }
  Object.assign(globalThis, {
    breakCart: () => createRoot(document.querySelector('#cart')).render(
      createElement(Sentry.ErrorBoundary, { fallback: createElement('p', null, 'gone') }, createElement(Broken))),
  })
`

const page = `<!doctype html><title>Harbour</title><main><h1>Harbour shop</h1>
<button id="add">Add to basket</button> <button id="throw">Break</button> <button id="reject">Reject</button>
<button id="go">Orders</button>
<p id="out"></p><div id="cart"></div></main><script src="/app.js"></script><script>
const on = (id, work) => document.querySelector(id).addEventListener('click', work)
on('#add', () => {
  // Slow, so that it is an interaction and a long frame.
  for (const end = performance.now() + 120; performance.now() < end; );
  document.querySelector('#out').textContent += '+'
})
on('#go', () => history.pushState(null, '', '/orders/8121/items'))
on('#throw', function pay() { throw new RangeError('basket is empty', { cause: new Error('no items') }) })
on('#reject', () => { Promise.reject(new SyntaxError('coupon is wrong')) })
</script>`

export async function startSentrySite(): Promise<SentrySite> {
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
