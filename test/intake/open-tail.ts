// A reader of a live tail: collects what it is told.

import type { LiveEvent, LiveMessage } from '@telltale/core/contract/live'
import { expect } from 'vitest'
import type { Credential } from '../start.ts'

export interface OpenedTail extends AsyncDisposable {
  status: number
  /** Of a refusal. */
  text(): Promise<string>
  messages: LiveMessage[]
  /** Of both kinds, as they came. */
  events(): LiveEvent[]
  /** All that were left out until now. */
  dropped(): number
  until(found: () => boolean): Promise<void>
  /** Resolves when the server ended it. */
  ended: Promise<void>
}

const patience = 20_000

export async function openTail(
  url: string,
  as: Credential,
  { env = 'development', filter }: { env?: string; filter?: string } = {},
): Promise<OpenedTail> {
  const closing = new AbortController()
  const query = filter === undefined ? '' : `?${new URLSearchParams({ filter })}`
  const response = await fetch(`${url}/api/v1/projects/shop/environments/${env}/live${query}`, {
    headers: as.headers,
    signal: closing.signal,
  })
  const messages: LiveMessage[] = []
  const ended = response.status === 200 ? collect(response, messages) : Promise.resolve()
  const tail: OpenedTail = {
    status: response.status,
    text: () => response.text(),
    messages,
    events: () => messages.flatMap((message) => (message.type === 'events' ? message.events : [])),
    dropped: () =>
      messages.reduce((sum, message) => sum + (message.type === 'pace' ? message.dropped : 0), 0),
    until: async (found) => {
      await expect.poll(found, { timeout: patience, interval: 20 }).toBe(true)
    },
    ended: ended.catch(() => undefined),
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await tail.ended
    },
  }
  // Whoever is told of the pace is being watched for.
  if (response.status === 200) await tail.until(() => messages.some(({ type }) => type === 'pace'))
  return tail
}

async function collect(response: Response, messages: LiveMessage[]): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const line = block.split('\n').find((one) => one.startsWith('data: '))
      if (line !== undefined) messages.push(JSON.parse(line.slice('data: '.length)))
    }
  }
}
