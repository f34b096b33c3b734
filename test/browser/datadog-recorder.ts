// The recorder of Datadog's own client on a page without a server of ours: what leaves the page is kept here, and read as the
// server reads it.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { eventOf, readParts, unpackPart } from '@telltale/server/intake/datadog/read-parts'
import { createPlayerForm } from '@telltale/server/monitoring/replays/player-form'
import { createMemoryBudget } from '@telltale/server/platform/memory/memory-budget'
import { bundleForPage } from './bundle.ts'
import type { Sent } from './recorder.ts'

export interface ReplaySite extends AsyncDisposable {
  url: string
  /** Everything that left it. */
  segments: DatadogSegment[]
}

export interface DatadogSegment {
  view: string
  index: number
  start: number
  end: number
  records: number
  full: boolean
  text: Buffer
}

const client = `
  import { datadogRum } from '@datadog/browser-rum'
  datadogRum.init({
    applicationId: 'harbour', clientToken: 'public', proxy: '/dd', service: 'web',
    sessionSampleRate: 100, sessionReplaySampleRate: 100, telemetrySampleRate: 0, defaultPrivacyLevel: 'allow',
    ...globalThis.datadogOptions,
  })
`

/** Pages load `/client.js`. */
export async function startReplaySite(files: Record<string, string>): Promise<ReplaySite> {
  const all: Record<string, string> = { ...files, '/client.js': await bundleForPage(client) }
  const segments: DatadogSegment[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url?.split('?', 1)[0] ?? '/'
      const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html'
      if (path === '/dd') {
        response.writeHead(202).end()
        if (request.url?.includes('replay') !== true) return
        void readSegment(Buffer.concat(chunks), request.headers['content-type'] ?? '').then((segment) =>
          segments.push(segment),
        )
        return
      }
      const text = all[path]
      response
        .writeHead(text === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` })
        .end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    segments,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function readSegment(form: Buffer, contentType: string): Promise<DatadogSegment> {
  const claim = createMemoryBudget(2 ** 30).open('telemetry')
  const parts = await readParts({ contentType, body: Readable.from([form]), claim })
  const { view, index_in_view, start, end, records_count, has_full_snapshot } = await eventOf(parts, claim)
  const text = await unpackPart(parts.get('segment') ?? Buffer.alloc(0), 2 ** 26, claim)
  return {
    view: String(Reflect.get(Object(view), 'id')),
    index: Number(index_in_view),
    start: Number(start),
    end: Number(end),
    records: Number(records_count),
    full: has_full_snapshot === true,
    text,
  }
}

export interface PlayedView {
  view: string
  from: number
  sent: Sent[]
}

/** As the player gets it: each view by itself, in the order in which they began. */
export async function playedViews(segments: readonly DatadogSegment[]): Promise<PlayedView[]> {
  const views = new Map<string, DatadogSegment[]>()
  for (const segment of segments) views.set(segment.view, [...(views.get(segment.view) ?? []), segment])
  const played: PlayedView[] = []
  for (const [view, own] of views) {
    own.sort((one, other) => one.index - other.index)
    const form = createPlayerForm()
    const sent: Sent[] = []
    for (const { index, start, end, records, full, text } of own) {
      const read = await form.read({ seq: index, full, format: 'datadog-7', text })
      if (read === undefined || read.isBroken) throw new Error(`segment ${index} of ${view} cannot be played`)
      const header = { index, full, records, reason: 'sampled', startedAt: start, endedAt: end, assets: [] }
      const asset = { hash: '', mime: '', bytes: [] }
      sent.push({ path: '/', header, ...asset, text: read.lines.toString(), keepalive: false })
    }
    played.push({ view, from: own[0]?.start ?? 0, sent })
  }
  return played.sort((one, other) => one.from - other.from)
}
