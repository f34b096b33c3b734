// Recorded sessions that a test knows beforehand: one in pieces, and two people on the same way.

import { expect } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, event, send, toLines } from '../intake/visitor.ts'
import { clientKey, type FlagServer, startFlagServer } from './flag-server.ts'
import {
  mutation,
  pageOf,
  type Recorded,
  sendSegment,
  sendSession,
  text,
  wholePage,
  word,
} from './recordings.ts'
import { chrome } from './seed-events.ts'

/** Two tabs, a part that never arrived, and a recorder that stopped. */
export async function sendPieces(
  url: string,
  { session, at }: { session: string; at: number },
): Promise<void> {
  const [first, second] = [newId(), newId()]
  const piece = (tab: string, { index = 0, after = 0, words = [] as Recorded[] }) =>
    sendSegment(url, {
      session,
      tab,
      index,
      startedAt: at + after,
      full: true,
      events: [
        ...wholePage(at + after, pageOf([text(`The ${tab === first ? 'first' : 'second'} tab`)])),
        ...words,
      ],
    })
  await sendSession(url, session, at)
  const words = [
    word(at + 10, { kind: 'recording', level: 'mask-all', reason: 'error' }),
    mutation(at + 1_000, {}),
    word(at + 4_000, { kind: 'stopped', why: 'over-budget' }),
  ]
  await piece(first, { words })
  await piece(first, { index: 2, after: 20_000 })
  await piece(second, { after: 30_000 })
}

export interface Walked {
  variation: string
  startedAt: number
  /** When it adds to the cart, and when it comes there. */
  seconds: [added: number, there: number]
}

/** From the first page to the cart. */
export async function sendWalk(
  url: string,
  session: string,
  { variation, startedAt, seconds: [added, there] }: Walked,
): Promise<void> {
  const tab = newId()
  const who = { session, tab, hasReplay: true, reads: [{ flag: 'checkout', variation }] }
  const at = (seconds: number) => startedAt + seconds * 1_000
  const lines = [
    context({ ...who, page: '/', url: 'https://shop.example/' }),
    context({ ...who, index: 1, view: newId(), page: '/cart', url: 'https://shop.example/cart' }),
    event('view', { name: 'load', at: at(0) }),
    event('action', { name: 'Add to cart', at: at(added) }),
    event('view', { name: 'route', at: at(there), context: 1 }),
  ]
  const headers = { 'user-agent': chrome }
  const { status } = await send(url, toLines(lines), { key: clientKey, headers })
  if (status !== 202) throw new Error(`the session was refused with ${status}`)
  const cart = { parentId: 5, nextId: null, node: text(`The cart of ${variation}`) }
  await sendSegment(url, {
    session,
    tab,
    index: 0,
    startedAt,
    endedAt: at(there + 2),
    full: true,
    events: [
      ...wholePage(startedAt, pageOf([text('Bicycles that arrive')])),
      mutation(at(there), { adds: [cart] }),
      mutation(at(there + 2), {}),
    ],
  })
}

/** A server with walks recorded as these sessions, a minute apart, newest first; each can be read with its replay. */
export async function startWithWalks(sessions: readonly string[]): Promise<FlagServer> {
  const sampling = { session: 100, replay: 100, profile: 0 }
  const server = await startFlagServer({ telemetry: true, environment: { sampling } })
  const environment = '/api/v1/projects/shop/environments/production'
  const answers = (path: string) =>
    server.get(path).then(
      () => true,
      () => false,
    )
  await expect.poll(() => answers(`${environment}/events`), { timeout: 40_000 }).toBe(true)
  for (const [index, session] of sessions.entries()) {
    const startedAt = Date.now() - (index + 2) * 60_000
    await sendWalk(server.url, session, { variation: 'one-page', startedAt, seconds: [2, 9] })
    const path = `${environment}/sessions/${session}`
    const isThere = async () => (await answers(path)) && (await answers(`${path}/replay`))
    await expect.poll(isThere, { timeout: 30_000 }).toBe(true)
  }
  return server
}
