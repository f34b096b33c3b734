// The benchmark page with one of several SDKs, and a server that receives and counts what they send.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { largePage } from './large-page.ts'
import { listPage } from './list-page.ts'
import { tablePage } from './table-page.ts'

const pageWriters = { list: listPage, table: tablePage, large: largePage }
export type PageName = keyof typeof pageWriters

export interface OverheadSite<Candidate extends string> extends AsyncDisposable {
  addressOf(candidate: Candidate, page?: PageName): string
  /** The requests since the last call. */
  take(): ReceivedRequest[]
}

export interface ReceivedRequest {
  /** With its query. */
  path: string
  body: Buffer
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
  let received: ReceivedRequest[] = []
  const pages = new Map(
    Object.entries<string>(heads).flatMap(([candidate, head]) =>
      Object.entries(pageWriters).map(([name, write]) => [`/${candidate}/${name}`, write(head)]),
    ),
  )
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const entry: ReceivedRequest = { path: `${path}?${query}`, body: Buffer.alloc(0) }
    received.push(entry)
    request.on('data', (chunk: Buffer) => {
      entry.body = Buffer.concat([entry.body, chunk])
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
    addressOf: (candidate, page = 'list') => `${origin}/${candidate}/${page}`,
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

/** Runs the activity of the page `list` and clicks through it. */
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
