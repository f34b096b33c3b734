// Segments, profiles and assets as a browser sends them.

import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { context, type Line, type Receipt } from './visitor.ts'

export interface Sent {
  kind: 'replay' | 'profile' | 'asset'
  body: Uint8Array
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
}

export async function sendAttachment(
  url: string,
  { kind, body, key, query, headers = {} }: Sent,
): Promise<Receipt> {
  const requested = new URLSearchParams({ key, ...query })
  const answer = await fetch(`${url}/intake/v1/${kind}?${requested}`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers,
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

export const framed = (header: unknown, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${typeof header === 'string' ? header : JSON.stringify(header)}\n`), bytes])

export interface SomeSegment {
  session?: string
  tab?: string
  index?: number
  startedAt?: number
  records?: readonly unknown[]
  /** In place of the records of `rrweb-2`, unpacked. */
  bytes?: Uint8Array
  full?: boolean
  assets?: readonly string[]
  about?: Line
  context?: Line
}

/** As it travels. */
export function segment({ session = newId(), tab = newId(), index = 0, ...more }: SomeSegment = {}): Buffer {
  const { startedAt = Date.now() - 6_000, records = [{ type: 4, data: {}, timestamp: startedAt }] } = more
  const header = {
    context: context({ session, tab, ...more.context }),
    segment: {
      index,
      startedAt,
      endedAt: startedAt + 5_000,
      records: records.length,
      full: more.full ?? index === 0,
      format: more.bytes ? 'telltale-replay-1' : 'rrweb-2',
      reason: 'sampled',
      assets: more.assets ?? [],
      ...more.about,
    },
  }
  return framed(
    header,
    gzipSync(more.bytes ?? records.map((record) => `${JSON.stringify(record)}\n`).join('')),
  )
}

/** 0: main, 1: load, 2: hot (called by load), 3: the browser's own (called by main). */
export const someTables = {
  texts: ['main', 'https://shop.example/app.js', 'load', 'hot', 'JSON.parse'],
  frames: [0, 1, 1, 1, 2, 1, 10, 3, 3, 1, 20, 5, 4, -1, 0, 0],
  stacks: [0, -1, 1, 0, 2, 1, 3, 0],
  samples: [10, 2, 10, 2, 10, 3, 10, -1, 200, 1],
}

export function profile(
  about: Line = {},
  { tables = someTables, ...more }: { tables?: unknown; context?: Line } = {},
): Buffer {
  const startedAt = Date.now() - 10_000
  const header = {
    context: context({ page: '/cart', ...more.context }),
    profile: { startedAt, duration: 5_000, interval: 10, format: 'telltale-profile-1', ...about },
  }
  return framed(header, gzipSync(JSON.stringify(tables)))
}

export function hashOf(bytes: Uint8Array): string {
  const hex = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
