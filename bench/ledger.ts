// The ledger of harm: how often its intervals miss known effects of 20 overlapping flags, and how long a month of ten
// million events takes to count. `npm run bench:ledger -- --months 300`; with `--write` into bench/results.md.

import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { estimateHarm } from '@telltale/core/guard/ledger/estimate-harm'
import type { LedgerSplit } from '@telltale/core/guard/ledger/ledger-counts'
import { inventFlags, inventMonth } from '@telltale/core/guard/testing/ledger-world'
import { countLedgerUsers } from '../packages/server/src/guard/ledger/count-users.ts'
import type { Telemetry } from '../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { openStore, startEngine } from './intake/store.ts'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    months: { type: 'string', default: '300' },
    users: { type: 'string', default: '2000' },
    events: { type: 'string', default: '10000000' },
    write: { type: 'boolean', default: false },
  },
})
const lines: string[] = []
const say = (line: string) => {
  lines.push(`- ${line}`)
  process.stdout.write(`${line}\n`)
}

const months = Number(given.months)
for (const isCalm of months > 0 ? [false, true] : []) {
  const missed = new Map<string, number>()
  let [intervals, above] = [0, 0]
  for (let seed = 1; seed <= months; seed += 1) {
    const here = new Set<string>()
    let isAbove = false
    const looks = inventMonth(inventFlags(isCalm), {
      users: Number(given.users),
      seed,
      looks: [0.55, 0.8, 1],
    })
    for (const { splits, counts, truth } of looks)
      for (const entry of estimateHarm(splits, counts)) {
        const harm = 'fault' in entry ? undefined : entry.harm.any
        if (harm === undefined) continue
        const name = `${entry.flag} ${entry.variation}`
        const known = truth.get(name) ?? 0
        intervals += 1
        if (known < harm.lower || known > harm.upper) here.add(name)
        if (harm.confirmed > Math.max(0, known)) isAbove = true
      }
    for (const name of here) missed.set(name, (missed.get(name) ?? 0) + 1)
    above += Number(isAbove)
  }
  const worst = Math.max(0, ...missed.values())
  const all = [...missed.values()].reduce((sum, one) => sum + one, 0)
  const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(2)} %`
  say(
    `${isCalm ? 'without effects' : 'with known effects'}: ${months} months of ${given.users} users and 20 flags, read at 3 moments: an interval of a variation misses at any of them in ${percent(all, months * 21)} of months, of the worst variation in ${percent(worst, months)} (wanted: at most 5); any confirmed figure above the truth in ${percent(above, months)} of months; ${intervals} intervals`,
  )
}

const events = Number(given.events)
const environmentId = '0198a2c4-0000-7000-8000-000000000004'
const begun = Date.UTC(2026, 10, 1)
const span = 30 * 86_400_000
const splitCount = 20
const arms = ['on', 'off'].map((variation) => ({ variation, weight: 50_000 }))
const splits = Array.from({ length: splitCount }, (_, index): LedgerSplit => {
  const split = String(90_000 + index)
  return { split, flag: `flag-${index}`, by: 'targetingKey', control: 'off', epochs: [{ epoch: 1, arms }] }
})

/** One in five is an exposure, one in fifty an error and a third a request; a hundred and twenty thousand users. */
async function fill(telemetry: Telemetry): Promise<void> {
  const step = 100_000
  const armOf = "if(cityHash64(u, s) % 2 = 0, 'on', 'off')"
  for (let from = 0; from < events; from += step)
    await telemetry.command(
      `INSERT INTO events (environment_id, kind, ts, event_id, user_hash, res_endpoint, res_failed, arms)
      SELECT toUUID('${environmentId}'), kind, fromUnixTimestamp64Milli(toInt64(${begun} + (n * 7919) % ${span})), generateUUIDv4(), u,
        if(kind = 'resource', '/api', ''), kind = 'resource' AND cityHash64(n, 3) % 100 = 0,
        multiIf(kind = 'exposure', [(toUInt64(90000 + n % ${splitCount}), 1, replaceAll(${armOf.replace('s)', `n % ${splitCount})`)}, '', ''), u)],
          kind IN ('error', 'resource'), arrayMap(s -> (toUInt64(90000 + s), 1, ${armOf}, u), range(${splitCount})), [])
      FROM (SELECT number + ${from} AS n, cityHash64(intDiv(number + ${from}, 7)) % 120000 + 1 AS u,
        multiIf(n % 50 = 0, 'error', n % 5 = 1, 'exposure', n % 3 = 0, 'resource', 'view') AS kind FROM numbers(${step}))`,
    )
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
  const engine = await startEngine(folder)
  try {
    const store = await openStore(engine, 'telltale_ledger')
    // Roll-ups take most of the time of the insertion, and the ledger reads none.
    for (const view of ['exposures_mv', 'unit_measures_mv', 'unit_buckets_mv', 'unit_vitals_mv'])
      await store.telemetry.command(`DROP VIEW IF EXISTS ${view}`)
    await fill(store.telemetry)
    const times: number[] = []
    let found = 0
    for (let run = 0; run < 3; run += 1) {
      const began = performance.now()
      const period = { environmentId, from: new Date(begun), to: new Date(begun + span) }
      found = estimateHarm(splits, await countLedgerUsers(store.telemetry, period, splits)).length
      times.push(performance.now() - began)
    }
    const seconds = times.map((time) => (time / 1_000).toFixed(1)).join(', ')
    say(
      `a month of ${events.toLocaleString('en')} events, 120,000 users and ${splitCount} splits (${found} columns): counted and estimated in ${seconds} s on one thread, load ${loadavg()[0]?.toFixed(1)}`,
    )
    await store.close()
  } finally {
    await engine.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

if (events > 0) await measure()
if (given.write) await writeSection('Ledger of harm', lines.join('\n'))
