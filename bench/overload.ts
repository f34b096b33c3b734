// Measures flag latency while far more telemetry arrives than the server can process: p99 under load as a multiple of
// the idle p99. `npm run bench:overload -- --seconds 60`; with `--write` into bench/results.md. The load is generated
// on the same machine, so processor time is scarce as well.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { clientKey, startTelltale } from './delivery/start-telltale.ts'
import type { Flood } from './overload/flood.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '300' },
    write: { type: 'boolean', default: false },
  },
})
const wantedRatio = 10
/** Enough to saturate the intake, but too few to be refused. */
const capacityClients = 16
const readInterval = 10
const program = fileURLToPath(new URL('./overload/flood.ts', import.meta.url))

const telltale = await startTelltale({ flags: 50 })
try {
  const seconds = Number(given.seconds)
  const url = `${telltale.url}/ofrep/v1/evaluate/flags`
  await readFlags(url, 3)
  const quiet = await readFlags(url, Math.min(seconds, 20))
  const { flood: capacity } = await during(capacityClients, 15)
  await pause(3_000)
  const { flood: flooded, read: under } = await during(Number(given.clients), seconds)
  const ratio = under.p99 / quiet.p99
  const offered = flooded.accepted + flooded.refused
  const text = [
    `${ratio.toFixed(1)} times the quiet p99; wanted: at most ${wantedRatio}. ${ratio <= wantedRatio ? 'Reached' : 'Missed'}.`,
    [
      '| all 50 flags of one user | answers | p50 | p99 | longest | not 200 |',
      '|---|--:|--:|--:|--:|--:|',
      rowOf('quiet', quiet),
      rowOf(`${given.clients} clients without a pause`, under),
    ].join('\n'),
    [
      `The intake takes ${capacity.accepted.toFixed(0)} batches of 50 events a second from ${capacityClients} clients.`,
      `${given.clients} clients send ${offered.toFixed(0)} a second (${(offered / capacity.accepted).toFixed(1)} times as many):`,
      `${flooded.accepted.toFixed(0)} are accepted, ${flooded.refused.toFixed(0)} get 503 with \`Retry-After\`, ${flooded.others.toFixed(1)} something else.`,
      'Clients, server and engine share the machine.',
    ].join(' '),
  ].join('\n\n')
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('Flags under overload', text)

  async function during(clients: number, span: number) {
    const child = fork(program, [telltale.url, clientKey, String(clients), String(span)], {
      execArgv: ['--import', 'tsx'],
    })
    const [begun] = await once(child, 'message')
    if (begun !== 'begun') throw new Error('The flood did not begin.')
    const finished = once(child, 'message')
    const read = await readFlags(url, span)
    const [flood]: Flood[] = await finished
    if (flood === undefined) throw new Error('The flood did not say what it did.')
    return { flood, read }
  }
} finally {
  await telltale.stop()
}

interface Read {
  count: number
  failed: number
  p50: number
  p99: number
  longest: number
}

/** Sequential requests, like those of a single user. */
async function readFlags(url: string, seconds: number): Promise<Read> {
  const end = performance.now() + seconds * 1_000
  const times: number[] = []
  let failed = 0
  for (let number = 0; performance.now() < end; number++) {
    const begunAt = performance.now()
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${clientKey}` },
      body: JSON.stringify({ context: { targetingKey: `user-${number % 1_000}` } }),
    })
    await answer.arrayBuffer()
    times.push(performance.now() - begunAt)
    if (answer.status !== 200) failed += 1
    await pause(readInterval)
  }
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { count: times.length, failed, p50: at(0.5), p99: at(0.99), longest: times.at(-1) ?? Number.NaN }
}

function rowOf(name: string, { count, failed, p50, p99, longest }: Read): string {
  const [middle, late, worst] = [p50, p99, longest].map((time) => `${time.toFixed(1)} ms`)
  return `| ${name} | ${count} | ${middle} | ${late} | ${worst} | ${failed} |`
}
