// Users of the guarded flag: each requests its variation, and sends what it experienced.

import { setTimeout as pause } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { userAgents } from '../intake/traffic.ts'
import { guarded } from './console.ts'

const key = 'bench-client-key'
/** One user in so many has an error, whatever the variation. */
const usersPerError = 20

export interface Visitors {
  /** Events so far. */
  accepted: number
  latest: Visit
}

interface Visit {
  anonymousId: string
  accepted: number
}

/** So many a second, until it is over. */
export function sendVisitors(url: string, { until, perSecond }: { until: number; perSecond: number }) {
  const visitors: Visitors = { accepted: 0, latest: { anonymousId: '', accepted: 0 } }
  const send = async () => {
    for (let number = 0; performance.now() < until; number++) {
      visitors.latest = await visit(url, number)
      visitors.accepted += visitors.latest.accepted
      await pause(1_000 / perSecond)
    }
  }
  return { visitors, over: send() }
}

async function visit(url: string, number: number): Promise<Visit> {
  const anonymousId = newId()
  const evaluated = await fetch(`${url}/ofrep/v1/evaluate/flags/${guarded}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: anonymousId } }),
  })
  const { variant, metadata } = await evaluated.json()
  const { split, epoch, unit } = metadata
  const reads = [{ flag: guarded, variation: variant, split, epoch, by: unit, unit: anonymousId }]
  const ids = { session: newId(), tab: newId(), view: newId(), anonymousId }
  const event = (kind: string, more: object = {}) => ({
    kind,
    id: newId(),
    at: Date.now(),
    context: 0,
    ...more,
  })
  const error = { message: 'no stock', type: 'Error', source: 'uncaught', handled: false }
  const lines = [
    { kind: 'context', index: 0, ...ids, url: 'https://shop.example/search', page: '/search', reads },
    event('exposure', { flag: guarded }),
    event('view', { name: 'load' }),
    ...(number % usersPerError === 0 ? [event('error', error)] : []),
  ]
  const answer = await fetch(`${url}/intake/v1/events?key=${key}&batch=${newId()}&sent=${Date.now()}`, {
    method: 'POST',
    headers: { 'user-agent': userAgents[number % userAgents.length] ?? '' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  return { anonymousId, accepted: (await answer.json()).accepted }
}
