// The benchmark page with one of several SDKs, and a server that receives and counts what they send.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'

export interface OverheadSite<Candidate extends string> extends AsyncDisposable {
  addressOf(candidate: Candidate): string
  /** The requests since the last call: path and body size. */
  take(): { path: string; sizeBytes: number }[]
}

export interface SiteOptions<Candidate extends string> {
  files: ReadonlyMap<string, string | Uint8Array>
  /** The content of the page's head. */
  heads: Record<Candidate, string>
  /** The environment settings for Telltale's SDK. */
  settings: object
}

export async function startOverheadSite<Candidate extends string>({
  files,
  heads,
  settings,
}: SiteOptions<Candidate>): Promise<OverheadSite<Candidate>> {
  let received: { path: string; sizeBytes: number }[] = []
  const pages = new Map(Object.entries<string>(heads).map(([name, head]) => [`/${name}`, pageOf(head)]))
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const told = { path: `${path}?${query}`, sizeBytes: 0 }
    received.push(told)
    request.on('data', (chunk: Buffer) => {
      told.sizeBytes += chunk.length
    })
    const file = files.get(path)
    if (file) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(file)
    if (path === '/sdk/v1/config') return response.end(JSON.stringify(settings))
    if (path === '/ofrep/v1/evaluate/flags') return response.end('{"flags":[]}')
    if (path.startsWith('/intake')) return response.writeHead(202).end('{}')
    if (path === '/api') return response.end('ok')
    const page = pages.get(path)
    return response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    addressOf: (candidate) => `${origin}/${candidate}`,
    take() {
      const taken = received
      received = []
      return taken
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Runs the page's activity and clicks through it. */
export async function usePage(page: Page): Promise<void> {
  const finished = page.evaluate(() => Reflect.get(globalThis, 'run')())
  for (let click = 0; click < 8; click++) await page.click('#more')
  await finished
}

export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/** A page that changes its document constantly, requests data, fails occasionally, and changes routes on click. */
function pageOf(head: string): string {
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
