// Measures how soon events appear in a chart: 10,000 of them are sent to the built server at once, and the call
// behind the explore screen is repeated with a signed-in session until its series counts them all. `npm run
// bench:visible -- --events 10000 --rounds 5`; with `--write` into bench/results.md.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { owner, startServer } from './intake/whole-path.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const generator = fileURLToPath(new URL('intake/generator.ts', import.meta.url))
const wanted = 5
const patience = 60_000
/** Stays below the request limit of a session per minute. */
const askEvery = 250

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const server = await startServer(folder, {})
try {
  const cookie = await signIn(server.url)
  const seconds: { first: number; last: number }[] = []
  let expected = 0
  for (let round = 0; round < Number(given.rounds); round++) {
    const child = fork(generator, [server.url, JSON.stringify({ events: Number(given.events) })], {
      execArgv: ['--import', 'tsx'],
    })
    await once(child, 'message', { signal: AbortSignal.timeout(patience) })
    const done = once(child, 'message', { signal: AbortSignal.timeout(patience) })
    const begun = performance.now()
    child.send('begin')
    const [sent] = await done
    const answered = performance.now()
    expected += sent.listed
    await waitUntilShown(cookie, expected)
    seconds.push({
      first: (performance.now() - begun) / 1_000,
      last: (performance.now() - answered) / 1_000,
    })
  }
  const worst = Math.max(...seconds.map(({ first }) => first))
  const text = [
    '| round | from the first request | from the last 202 |',
    '|---|--:|--:|',
    ...seconds.map(
      ({ first, last }, round) => `| ${round + 1} | ${first.toFixed(2)} s | ${last.toFixed(2)} s |`,
    ),
    '',
    `${given.events} events, sent as fast as they are taken. The longest ${worst.toFixed(2)} s, wanted ${wanted} s: ${worst <= wanted ? 'reached' : 'missed'}.`,
  ].join('\n')
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('From sent to seen', text)
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  })
  if (!answer.ok) throw new Error(`signing in was answered ${answer.status}`)
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
}

/** Waits until the chart counts this many events of every kind. */
async function waitUntilShown(cookie: string, expected: number): Promise<void> {
  const address = `${server.url}/api/v1/projects/shop/environments/production/explore?measure=count`
  const deadline = performance.now() + patience
  while (performance.now() < deadline) {
    const to = new Date(Date.now() + 60_000).toISOString()
    const from = new Date(Date.now() - 3_600_000).toISOString()
    const answer = await fetch(`${address}&from=${from}&to=${to}`, { headers: { cookie } })
    if (!answer.ok && answer.status !== 503)
      throw new Error(`explore was answered ${answer.status}: ${await answer.text()}`)
    const shown = answer.ok ? sumOf(await answer.json()) : 0
    if (shown >= expected) return
    await pause(askEvery)
  }
  throw new Error('not all events were shown in time')
}

function sumOf({ groups }: { groups: { points: { events: number }[] }[] }): number {
  return (groups[0]?.points ?? []).reduce((sum, { events }) => sum + events, 0)
}
