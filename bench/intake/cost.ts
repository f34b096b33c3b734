// The server's processor time for batches as browsers send them, one view of a page each, at a pace that leaves the
// server time to rest: at full speed the faster of two would wait for the disk more often, at additional cost.

import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { v7 as newBatchId } from 'uuid'
import type { Measured } from '../delivery/measured.ts'
import { type Store, waitForRows } from './store.ts'
import { type Line, userAgents, visit } from './traffic.ts'

export const key = 'bench-client-key'
const connections = 64
/** Milliseconds for what the server does after the last row is in the tables. */
const settling = 1_000

export interface Body {
  path: string
  body: Uint8Array<ArrayBuffer>
  /** Lines in the client's own format. */
  lines: number
  unpackedBytes: number
}

export type Pack = (batch: readonly Line[]) => Body

/** As our own client sends it. */
export const ours: Pack = (batch) => {
  const text = batch.map((line) => `${JSON.stringify(line)}\n`).join('')
  return {
    path: `/intake/v1/events?key=${key}&batch=${newBatchId()}&sent=${Date.now()}`,
    body: new Uint8Array(gzipSync(text, { level: 1 })),
    lines: batch.length,
    unpackedBytes: text.length,
  }
}

export interface Cost {
  /** Microseconds of the server's processor time. */
  perRow: number
  perView: number
  bytesPerRow: number
  linesPerView: number
  unpackedPerView: number
  /** Views per second, as acknowledged. */
  pace: number
}

interface Wanted {
  pack: Pack
  rows: number
  /** Page views per second. */
  pace: number
}

/** From the first request until everything is in the tables, and what the server does right after it. */
export async function measureCost(
  server: Measured,
  store: Store,
  { pack, rows: wanted, pace: wantedPace }: Wanted,
): Promise<Cost> {
  const bodies: Body[] = []
  let expected = 0
  for (const batch of visit({ users: 20_000, clock: () => Date.now(), random: Math.random })) {
    bodies.push(pack(batch))
    expected += batch.length - 1
    if (expected >= wanted) break
  }
  // One body per view: a client would neither split it nor wait for the next.
  const views = bodies.length
  const sum = (of: (body: Body) => number) => bodies.reduce((total, body) => total + of(body), 0)
  const said = {
    bytesPerRow: sum(({ body }) => body.length) / expected,
    linesPerView: sum(({ lines }) => lines) / views,
    unpackedPerView: sum(({ unpackedBytes }) => unpackedBytes) / views,
  }
  const before = await store.countRows()
  const { cpu } = await server.measure()
  const pace = await sendAtPace(server, bodies, wantedPace)
  const rows = (await waitForRows(store, before + expected)) - before
  if (rows !== expected) throw new Error(`${rows} rows of ${expected}: the two do not say the same`)
  await pause(settling)
  const used = (await server.measure()).cpu - cpu
  return { perRow: used / rows, perView: used / views, ...said, pace }
}

/** Returns the views per second. */
async function sendAtPace({ url }: Measured, bodies: readonly Body[], wanted: number): Promise<number> {
  const began = performance.now()
  let sent = 0
  const sendInTime = async () => {
    for (let next = bodies[sent++]; next !== undefined; next = bodies[sent++]) {
      const due = began + ((sent - 1) / wanted) * 1_000
      if (due > performance.now()) await pause(due - performance.now())
      await send(url, next)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTime))
  return (bodies.length / (performance.now() - began)) * 1_000
}

async function send(url: string, { path, body }: Body): Promise<void> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'user-agent': userAgents[0] ?? '' },
    body,
  })
  await answer.arrayBuffer()
  if (answer.status !== 202) throw new Error(`${path}: ${answer.status}`)
}
