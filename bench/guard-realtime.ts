// Measures the duration of harm in real time: the built server with its own engine, a thousand users a minute through
// delivery and the intake, a treatment at 10% that triples the share of users with an error, and a client with an
// open stream. From the first harmed user to the old value in that client. `npm run bench:guard-realtime -- --base
// 0.05`; needs a build.

import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { v7 as newId } from 'uuid'
import { clientKey, startFlagServer } from '../test/browser/flag-server.ts'
import { chrome } from '../test/browser/seed-events.ts'
import { context, event, send, toLines } from '../test/intake/visitor.ts'
import { openListeners } from './delivery/listen.ts'

const { values: given } = parseArgs({
  options: { base: { type: 'string', default: '0.05' }, minutes: { type: 'string', default: '6' } },
})
const base = Number(given.base)
const tripled = 3
const peopleInMinute = 1_000
/** Milliseconds that a browser batches before it sends an error. */
const collected = 2_000
const minute = 60_000
const flag = 'checkout'
const project = '/api/v1/projects/shop'

interface Served {
  variant: string
  metadata: { split?: string; epoch?: number; unit?: string }
}

await using server = await startFlagServer({ telemetry: true })
await server.create(flag, 'boolean', { off: false, on: true })
const drafted = (await server.post(`${project}/environments/production/flags/${flag}/rollouts`, {
  treatment: 'on',
  control: 'off',
  stages: [10_000, 100_000].map((weight) => ({
    weight,
    minDuration: 30 * minute,
    minUnits: 100,
    needsApproval: false,
  })),
  metrics: ['users-with-an-error', 'lcp', 'inp', 'errors-per-session', 'rage-clicks'].map((metric) => ({
    metric,
    limit: metric === 'lcp' || metric === 'inp' ? 0.05 : 0.25,
    role: 'required',
    onRegression: 'roll-back',
  })),
})) as { id: string; turn: number }
await server.post(`${project}/rollouts/${drafted.id}/start`, { turn: drafted.turn })

let firstHarm: number | undefined
let harmed = 0
let people = 0
const end = performance.now() + Number(given.minutes) * minute
const open = await findTreated()
const listeners = await openListeners(server.url, `/sdk/v1/stream?key=${clientKey}`, { count: 1 })
let old: number | undefined

const everybody = (async () => {
  const began = performance.now()
  const visits: Promise<void>[] = []
  while (old === undefined && performance.now() < end) {
    const due = Math.floor(((performance.now() - began) / minute) * peopleInMinute)
    for (; people < due; people += 1) visits.push(visit())
    await pause(20)
  }
  await Promise.all(visits)
})()
while (old === undefined && performance.now() < end) {
  // Evaluate after any message, and after the timeout if none arrived.
  await listeners.hear('').catch(() => undefined)
  if ((await serve(open)).variant === 'off') old = performance.now()
}
await everybody
listeners.close()
process.stdout.write(
  old === undefined || firstHarm === undefined
    ? `not rolled back in ${given.minutes} min: ${harmed} harmed of ${people}\n`
    : `People with an error before: ${100 * base} %; ${peopleInMinute} people a minute, a tenth of them in the treatment: ${((old - firstHarm) / 1_000).toFixed(1)} s from the first person harmed to the old value in an open client, ${harmed} harmed of ${people} people.\n`,
)

async function serve(person: string): Promise<Served> {
  const answer = await fetch(`${server.url}/ofrep/v1/evaluate/flags/${flag}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${clientKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: person } }),
  })
  return answer.json()
}

async function findTreated(): Promise<string> {
  for (;;) {
    const person = newId()
    if ((await serve(person)).variant === 'on') return person
  }
}

async function visit(): Promise<void> {
  const person = newId()
  const { variant, metadata } = await serve(person)
  const { split, epoch, unit } = metadata
  const reads = [{ flag, variation: variant, ...(split && { split, epoch, by: unit, unit: person }) }]
  const fails = Math.random() < base * (variant === 'on' ? tripled : 1)
  if (fails && variant === 'on') {
    harmed += 1
    firstHarm ??= performance.now()
  }
  const error = { message: 'no total', source: 'uncaught', handled: false }
  const lines = [
    context({ anonymousId: person, reads, url: 'https://shop.example/' }),
    ...[
      event('exposure', { flag }),
      event('view'),
      event('vital', { name: 'LCP', value: 900 + 900 * Math.random() }),
    ],
    ...(fails ? [event('error', error)] : []),
  ]
  await pause(collected)
  await send(server.url, toLines(lines), { key: clientKey, headers: { 'user-agent': chrome } })
}
