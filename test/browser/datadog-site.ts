// A shop of somebody else that uses the Datadog client as it is, and sends by a path of its own: what comes there is written
// down and passed on, refused for a while, or passed on twice.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { inflateSync } from 'node:zlib'
import { bundleForPage } from './bundle.ts'

export interface DatadogSite extends AsyncDisposable {
  url: string
  /** What the client was told is kept, decoded. */
  accepted: SentEvent[]
  /** How many of the next requests for events are refused. */
  refused: number
  /** Every request is passed on twice. */
  isDoubled: boolean
}

export interface SentEvent {
  type: string
  session: { id: string }
  view: { id: string; url: string }
  _dd: { document_version?: number }
  // biome-ignore lint/suspicious/noExplicitAny: what a foreign client sends
  [member: string]: any
}

const client = `
  import { datadogRum } from '@datadog/browser-rum'
  Object.assign(globalThis, { datadogRum })
  const options = JSON.parse(new URL(location.href).searchParams.get('options') ?? sessionStorage.options)
  sessionStorage.options = JSON.stringify(options)
  const { form, key, ...rest } = options
  const proxy = form === 'text' ? '/dd' : ({ path, parameters }) => '/dd' + path + '?' + parameters
  datadogRum.init({
    applicationId: 'harbour', clientToken: key, proxy, service: 'web', env: 'live', version: '7.1.0',
    sessionSampleRate: 100, trackUserInteractions: true, trackResources: true, trackLongTasks: true,
    telemetrySampleRate: 0, ...rest,
  })
  datadogRum.setUser({ id: 'user-7', name: 'Grace', plan: 'pro' })
  datadogRum.setAccount({ id: 'acct-1', name: 'Acme' })
  datadogRum.setGlobalContextProperty('tenant', 'acme')
`

const page = `<!doctype html><title>Harbour</title><main><h1>Harbour shop</h1>
<button id="add">Add to basket</button> <button id="dead">Dead</button> <button id="rage">Stubborn</button>
<button id="throw">Break</button> <button id="reject">Reject</button> <button id="burn">Crunch</button><p id="out"></p></main>
<script src="/app.js"></script><script>
const out = document.querySelector('#out')
class CheckoutError extends Error { constructor(...given) { super(...given); this.name = 'CheckoutError' } }
const on = (id, work) => document.querySelector(id).addEventListener('click', work)
on('#add', () => { out.textContent += '+' })
on('#rage', () => { out.textContent += '!' })
on('#throw', function pay() {
  throw new CheckoutError('checkout exploded', { cause: new TypeError('card is undefined') })
})
on('#reject', () => { Promise.reject(new RangeError('promise went wrong')) })
on('#burn', () => { const end = performance.now() + 200; while (performance.now() < end); out.textContent += '.' })
</script>`

export async function startDatadogSite(telltale: string): Promise<DatadogSite> {
  const script = await bundleForPage(client)
  const files: Record<string, [type: string, text: string]> = {
    '/': ['text/html', page],
    '/second': ['text/html', page],
    '/bye': ['text/html', '<!doctype html><p>Bye</p>'],
    '/app.js': ['text/javascript', script],
    '/favicon.ico': ['image/x-icon', ''],
    '/api/stock': ['application/json', '{"left":3}'],
  }
  const site: Omit<DatadogSite, 'url' | typeof Symbol.asyncDispose> = {
    accepted: [],
    refused: 0,
    isDoubled: false,
  }

  const passOn = async (request: IncomingMessage): Promise<{ status: number; text: string }> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const isRum = decodeURIComponent(request.url ?? '').includes('/api/v2/rum')
    if (isRum && site.refused > 0) {
      site.refused -= 1
      return { status: 503, text: '' }
    }
    const send = () =>
      fetch(`${telltale}/intake/datadog${request.url?.slice('/dd'.length)}`, {
        method: request.method ?? 'POST',
        headers: headersOf(request),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      })
    const answer = await send()
    if (site.isDoubled) await send()
    if (isRum && answer.ok) site.accepted.push(...decode(body))
    return { status: answer.status, text: await answer.text() }
  }

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    if (path.startsWith('/dd')) {
      void passOn(request).then(
        ({ status, text }) => response.writeHead(status).end(text),
        () => response.writeHead(502).end(),
      )
      return
    }
    if (path === '/api/fail') {
      response.writeHead(500).end('no')
      return
    }
    const [type, text] = files[path] ?? files['/'] ?? ['text/html', page]
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return Object.assign(site, {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  })
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = ['content-type', 'user-agent', 'origin', 'dd-client-token', 'sec-fetch-mode']
  return Object.fromEntries(passed.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])))
}

function decode(body: Buffer): SentEvent[] {
  const text = (body[0] === 0x78 ? inflateSync(body) : body).toString('utf8')
  return text.split('\n').map((line) => JSON.parse(line))
}
