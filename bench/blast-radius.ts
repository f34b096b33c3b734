// Measures the blast radius of a targeting change before it is saved: one week of identities and their sessions,
// fifty flags with rules, segments and splits, requested part by part over HTTP like the console does; and how long
// the server delays other requests meanwhile. `npm run bench:blast-radius`; with `--write` into bench/results.md.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { addParts } from '@telltale/core/changes/blast-radius'
import type { FlagChanges } from '@telltale/core/contract/blast-radius'
import { sql } from 'drizzle-orm'
import { type Running, serve } from '../packages/server/src/app/serve.ts'
import { connectTelemetry } from '../packages/server/src/platform/engines/clickhouse/connect.ts'
import { connectPostgres } from '../packages/server/src/platform/engines/connect-postgres/connect.ts'
import { readConfig } from '../packages/server/src/platform/process/config.ts'
import { createLog } from '../packages/server/src/platform/process/log.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    identities: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const identities = Number(given.identities)
/** Users known only by their sessions. */
const anonymous = Math.round(identities / 10)
const flags = 50
const identitiesPerInsert = 10_000
/** Milliseconds for all users. */
const wanted = 3_000
const owner = { email: 'bench@example.com', name: 'Bench', password: 'a password for benchmarks' }
const here = '/api/v1/projects/shop/environments/production'

type Call = (method: string, path: string, body: object) => Promise<unknown>
type Draft = ReturnType<typeof draftOf>

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const running = await start()
try {
  const call = await signIn(running.url)
  await makeFlags(call)
  await fill(running)
  const inBeta = { match: 'any', of: [{ attribute: 'beta', operator: 'equals', value: true }, olderThan(60)] }
  const changes = {
    'rules of a flag that three others require': { flag: 'flag-0', draft: draftOf(0, 90_000) },
    [`a segment that ${flags} flags name`]: { segment: 'beta', when: inBeta },
  }
  const lines: string[] = []
  for (const [name, change] of Object.entries(changes)) lines.push(await measure(call, name, change))
  const text = [
    `${identities} identities of a week and ${anonymous} people without a name, ${flags} flags; ${given.rounds} rounds, in milliseconds; wanted for everybody: ${wanted}.`,
    '',
    '| change | people reached | flags | parts | first part, median | everybody, median | longest | of the wanted time | processor time of the server | others waited, longest |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n')
  process.stdout.write(`${text}\n`)
  if (given.write) await writeSection('Blast radius', text)
} finally {
  await running.stop()
  await rm(folder, { recursive: true, force: true })
}

async function start(): Promise<Running> {
  const setup = join(folder, 'setup.json')
  const environments = [{ key: 'production', keys: [{ kind: 'client', value: 'bench-client-key' }] }]
  await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
  const args = ['--port', '0', '--data', join(folder, 'data'), '--setup', setup, '--log-level', 'error']
  const config = readConfig(args, { TELLTALE_OWN_PROJECT: 'off', TELLTALE_MANAGEMENT_RATE: '100000' })
  const log = createLog(config.logLevel)
  const server = await serve({ config, log, connect: connectPostgres, connectTelemetry })
  await server.services.telemetry.untilUsable()
  return server
}

async function signIn(url: string): Promise<Call> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (answer.ok) return answer
    throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  }
  const { email, password } = owner
  const signedIn = await send('POST', '/api/v1/sign-in', { email, password })
  headers.cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  return async (method, path, body) => (await send(method, path, body)).json()
}

function olderThan(value: number) {
  return { attribute: 'age', operator: 'greater', value }
}

/** Two rules with a segment or traits, then a split; every 16th flag requires the first one. */
function draftOf(index: number, on: number) {
  const named = { operator: 'in-segment', segment: index % 2 === 0 ? 'paying' : 'beta' }
  const living = { attribute: 'country', operator: 'in', values: ['DE', 'AT', 'CH'] }
  return {
    enabled: true,
    offVariation: 'off',
    prerequisites: index > 0 && index % 16 === 0 ? [{ flag: 'flag-0', variation: 'on' }] : [],
    rules: [
      { when: { match: 'all', of: [named, living] }, serve: { variation: 'on' } },
      {
        when: { match: 'any', of: [{ operator: 'in-segment', segment: 'beta' }, olderThan(70)] },
        ...half(50_000),
      },
    ],
    fallthrough: half(on).serve,
  }
}

function half(on: number) {
  const split = [
    { variation: 'on', weight: on },
    { variation: 'off', weight: 100_000 - on },
  ]
  return { serve: { split } }
}

async function makeFlags(call: Call): Promise<void> {
  const segments = {
    paying: { match: 'all', of: [{ attribute: 'plan', operator: 'in', values: ['team', 'company'] }] },
    beta: { match: 'all', of: [{ attribute: 'beta', operator: 'equals', value: true }] },
  }
  for (const [key, when] of Object.entries(segments))
    await call('POST', '/api/v1/projects/shop/segments', { key, name: key, when })
  for (let index = 0; index < flags; index += 1) {
    const key = `flag-${index}`
    await call('POST', '/api/v1/projects/shop/flags', { key, name: key, valueType: 'boolean' })
    const draft: Draft = draftOf(index, 20_000)
    await call('PUT', `${here}/flags/${key}/config`, { ...draft, version: 1 })
  }
}

/** Two thirds of the identities have sessions, of three events each. */
async function fill({ services: { db, telemetry } }: Running): Promise<void> {
  const [environment] = (
    await db.execute<{ id: string }>(sql`SELECT id FROM environments WHERE key = 'production'`)
  ).rows
  if (environment === undefined) throw new Error('the setup file made no environment')
  // In batches, to stay within the statement timeout on a busy machine.
  for (let first = 1; first <= identities; first += identitiesPerInsert)
    await db.execute(sql`
      INSERT INTO identities (environment_id, targeting_key, traits, first_seen_at, last_seen_at)
      SELECT ${environment.id}::uuid, 'person-' || n, jsonb_build_object(
          'plan', (ARRAY['free', 'team', 'company'])[1 + n % 3], 'age', 18 + n % 70, 'beta', n % 11 = 0,
          'country', (ARRAY['DE', 'FR', 'AT', 'US', 'JP'])[1 + n % 5], 'email', 'person-' || n || '@example.com'),
        now() - interval '30 days', now() - (n % 160) * interval '1 hour'
      FROM generate_series(${first}::int, ${Math.min(identities, first + identitiesPerInsert - 1)}::int) AS n`)
  await db.execute(sql`ANALYZE identities`)
  const known = Math.round((identities * 2) / 3)
  const read = "arrayMap(i -> concat('flag-', toString(i), '=off'), range(10))"
  await telemetry.command(`INSERT INTO events (environment_id, kind, ts, event_id, session_id, user_key, anonymous_id, user_hash,
      device, browser, country, page, flags)
    SELECT '${environment.id}', ['view', 'vital', 'error'][1 + nth + (nth = 1 AND session % 20 = 0)], now() - toIntervalMinute(session % 9000), generateUUIDv4(),
      reinterpretAsUUID(reverse(unhex(concat('0190b3a4000070008000', leftPad(hex(session), 12, '0'))))),
      if(person < ${known}, concat('person-', toString(person + 1)), ''), concat('browser-', toString(person)), cityHash64(person),
      ['desktop', 'phone', 'tablet'][1 + person % 3], 'Chrome', 'DE', '/cart', ${read}
    FROM (SELECT number AS session, number % ${known + anonymous} AS person, arrayJoin([0, 1]) AS nth FROM numbers(${2 * (known + anonymous)}))`)
}

interface Part {
  next: string | null
  people: number
  flags: FlagChanges[]
}

interface Counted {
  parts: number
  people: number
  reached: number
  flags: number
  /** Milliseconds. */
  first: number
  all: number
}

/** Adds up the parts, as the console does. */
async function countAll(call: Call, change: object): Promise<Counted> {
  const began = performance.now()
  let first = 0
  let [parts, people] = [0, 0]
  let sum: FlagChanges[] | undefined
  for (let cursor: string | null | undefined; cursor !== null; parts += 1) {
    // The server validates the reply against the contract before sending it.
    const part = (await call('POST', `${here}/blast-radius`, { change, ...(cursor && { cursor }) })) as Part
    sum = sum === undefined ? part.flags : addParts(sum, part.flags)
    people += part.people
    cursor = part.next
    if (parts === 0) first = performance.now() - began
  }
  const reached = Math.max(0, ...(sum ?? []).map((one) => one.people))
  return { parts, people, reached, flags: sum?.length ?? 0, first, all: performance.now() - began }
}

async function measure(call: Call, name: string, change: object): Promise<string> {
  const rounds: Counted[] = []
  const delays: number[] = []
  let processor = 0
  for (let round = 0; round <= Number(given.rounds); round += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const before = process.cpuUsage()
    const counted = await countAll(call, change)
    const { user, system } = process.cpuUsage(before)
    delay.disable()
    if (counted.people !== identities + anonymous)
      throw new Error(`${counted.people} people of ${identities + anonymous}`)
    // The first round is a warm-up.
    if (round === 0) continue
    rounds.push(counted)
    delays.push(delay.max / 1e6)
    processor += (user + system) / 1_000
    process.stderr.write(`${name}: ${Math.round(counted.first)}, then ${Math.round(counted.all)} ms\n`)
  }
  const at = (of: (one: Counted) => number, share: number) =>
    rounds.map(of).toSorted((a, b) => a - b)[Math.floor((rounds.length - 1) * share)] ?? Number.NaN
  const middle = at(({ all }) => all, 0.5)
  const [one] = rounds
  const cells = [
    ...[name, one?.reached, one?.flags, one?.parts],
    ...[at(({ first }) => first, 0.5), middle, at(({ all }) => all, 1)].map(Math.round),
    (middle / wanted).toFixed(2),
    Math.round(processor / rounds.length),
    delays.toSorted((a, b) => a - b)[delays.length >> 1]?.toFixed(0),
  ]
  return `| ${cells.join(' | ')} |`
}
