// Recordings as a browser would send them, written by hand: pages, changes, and sessions that they belong to.

import { gzipSync } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { context, event, send, toLines } from '../intake/visitor.ts'
import { clientKey } from './flag-server.ts'

export type Recorded = Readonly<Record<string, unknown>>

export interface Node extends Recorded {
  readonly id: number
}

export interface RecordedSegment {
  readonly session: string
  readonly tab: string
  readonly index: number
  readonly startedAt: number
  readonly endedAt?: number
  readonly full: boolean
  readonly events: readonly unknown[]
  readonly assets?: readonly string[]
}

/** A session of the store, so that there is a page to look at. */
export async function sendSession(url: string, session: string, at: number): Promise<void> {
  const lines = toLines([context({ session, page: '/cart' }), event('view', { at, name: 'load' })])
  const { status } = await send(url, lines, { key: clientKey })
  if (status !== 202) throw new Error(`the session was refused with ${status}`)
}

export async function sendSegment(url: string, segment: RecordedSegment, key = clientKey): Promise<void> {
  const { session, tab, index, startedAt, endedAt = startedAt + 5_000, full, events, assets = [] } = segment
  const header = {
    context: context({ session, tab }),
    segment: {
      index,
      startedAt,
      endedAt,
      full,
      assets,
      records: events.length,
      format: 'rrweb-2',
      reason: 'sampled',
    },
  }
  const lines = events.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('')
  const answer = await fetch(`${url}/intake/v1/replay?key=${key}`, {
    method: 'POST',
    body: Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), gzipSync(lines)]),
  })
  const receipt = await answer.text()
  if (answer.status !== 202 || !receipt.includes('"accepted":1')) throw new Error(receipt)
}

let ids = 10
export const nextId = () => ids++

export const element = (
  tagName: string,
  attributes: Recorded = {},
  childNodes: readonly Node[] = [],
): Node => ({ type: 2, id: nextId(), tagName, attributes, childNodes })
export const text = (textContent: string, id = nextId()): Node => ({ type: 3, id, textContent })

/** With ids that a test names: 1 to 5. */
export const pageOf = (body: readonly Node[], head: readonly Node[] = []): Node => ({
  type: 0,
  id: 1,
  childNodes: [
    { type: 1, id: 2, name: 'html', publicId: '', systemId: '' },
    {
      type: 2,
      id: 3,
      tagName: 'html',
      attributes: {},
      childNodes: [
        { type: 2, id: 4, tagName: 'head', attributes: {}, childNodes: head },
        { type: 2, id: 5, tagName: 'body', attributes: {}, childNodes: body },
      ],
    },
  ],
})

export const wholePage = (at: number, node: unknown, size = { width: 800, height: 500 }): Recorded[] => [
  { type: 4, data: { href: 'https://shop.example', ...size }, timestamp: at },
  { type: 2, data: { node, initialOffset: { left: 0, top: 0 } }, timestamp: at + 5 },
]
export const word = (at: number, payload: Recorded): Recorded => ({
  type: 5,
  data: { tag: 'telltale', payload },
  timestamp: at,
})
export const change = (at: number, data: Recorded): Recorded => ({ type: 3, data, timestamp: at })
export const mutation = (at: number, parts: Recorded): Recorded =>
  change(at, { source: 0, adds: [], removes: [], texts: [], attributes: [], ...parts })

/** A session of one page; gives its id. */
export async function sendRecording(
  url: string,
  events: (at: number) => readonly unknown[],
  { startedAt = Date.now() - 60_000, length = 10_000 }: { startedAt?: number; length?: number } = {},
): Promise<string> {
  const [session, tab] = [newId(), newId()]
  await sendSession(url, session, startedAt)
  await sendSegment(url, {
    session,
    tab,
    index: 0,
    startedAt,
    endedAt: startedAt + length,
    full: true,
    events: events(startedAt),
  })
  return session
}
