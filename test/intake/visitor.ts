// A browser as the intake sees it: contexts and events as lines, sent once or again.

import { gzipSync } from 'node:zlib'
import { v7 as newId } from 'uuid'

export type Line = Record<string, unknown>

export const context = (more: Line = {}): Line => ({
  kind: 'context',
  index: 0,
  session: newId(),
  tab: newId(),
  view: newId(),
  anonymousId: 'anonymous-1',
  url: 'https://shop.example/cart/17?token=secret',
  ...more,
})

export const event = (kind: string, more: Line = {}): Line => ({
  kind,
  id: newId(),
  at: Date.now(),
  context: 0,
  ...more,
})

export const views = (count: number): Line[] => Array.from({ length: count }, () => event('view'))

export const toLines = (lines: readonly unknown[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

export interface Sending {
  key: string
  batch?: string
  sent?: number | 'never'
  headers?: Record<string, string>
}

export interface Receipt {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they test
  body: any
}

export async function send(url: string, body: string | Uint8Array, sending: Sending): Promise<Receipt> {
  const { key, batch = newId(), sent = Date.now(), headers = {} } = sending
  const query = new URLSearchParams({ key, batch, ...(sent !== 'never' && { sent: String(sent) }) })
  const answer = await fetch(`${url}/intake/v1/events?${query}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers,
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

export const zipped = (lines: readonly unknown[]) => gzipSync(toLines(lines))
