// The history of users in the looks of a rollout, on the real engine.

import { judgeAll } from '@telltale/core/guard/judge-all'
import type { Finding } from '@telltale/core/guard/judge-metric'
import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SentEvent, sendEvents } from '../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import { plainEvent, type SentArm } from '../experiments/testing/plain-event.ts'
import { findEvidenceEpochs, findRunning, judgedOf, type PlacedRollout } from './queries.ts'
import { type Release, startRelease } from './testing/release.ts'

const day = 86_400_000
let release: Release
let environment: string

beforeAll(async () => {
  release = await startRelease({ telemetry: true })
  environment = (await release.ask('GET', '/environments/development')).body.id
  await release.ask('POST', '/metrics', {
    ...{ key: 'paid', name: 'Paid', event: 'paid', aggregation: 'sum', better: 'higher', unit: '€' },
  })
})
afterAll(() => release[Symbol.asyncDispose]())

const services = () => release.telltale.running.services
const now = () => services().clock().getTime()
const send = (events: readonly SentEvent[], token: string) => sendEvents(services().telemetry, events, token)

const metrics = [
  { metric: 'lcp', limit: 0.05, role: 'required', onRegression: 'roll-back' },
  { metric: 'paid', limit: 0.05, role: 'watched', onRegression: 'notify' },
]

/** Users whose pages are as slow, and whose purchases as large, as usual for them. */
function inhabit(first: number, count: number) {
  const random = seededRandom(first)
  const habits = Array.from({ length: count }, () => random.normal())
  const visit = (user: number, at: number, arms: SentArm[]) => {
    const [habit = 0, of] = [habits[user], { user: String(first + user), arms }]
    const size = (spread: number) => Math.exp(habit + spread * random.normal())
    const one = (more: object) => ({ ...plainEvent(environment, at), ...of, ...more })
    return [
      one({}),
      ...[1, 2, 3].map(() => one({ kind: 'vital', name: 'LCP', value: 1_500 * size(0.3) })),
      one({ kind: 'custom', name: 'paid', value: 20 * size(0.3) }),
    ]
  }
  const users = habits.map((_, user) => user)
  return {
    /** Three in four came in each of the two weeks. */
    before: (until: number) =>
      users.flatMap((user) =>
        [10, 3].flatMap((ago) => (random.uniform() < 0.75 ? visit(user, until - ago * day, []) : [])),
      ),
    during: ({ row }: PlacedRollout) =>
      users.flatMap((user) => {
        const arm = user % 2 === 0 ? 'on' : 'off'
        const arms = [{ split: row.split ?? '', epoch: row.firstEpoch ?? 0, arm, unit: String(first + user) }]
        const exposed = { ...plainEvent(environment, now()), user: String(first + user), kind: 'exposure' }
        return [{ ...exposed, arms }, ...visit(user, now(), arms)]
      }),
  }
}

async function startOf(path: string, plan: object = {}): Promise<PlacedRollout> {
  const rollout = await release.start(path, {
    stages: [{ weight: 50_000, minDuration: 60_000, minUnits: 100, needsApproval: false }],
    metrics,
    ...plan,
  })
  return find(rollout.split('/').at(-1) ?? '')
}

async function find(id: string): Promise<PlacedRollout> {
  const found = (await findRunning(services().db)).find(({ row }) => row.id === id)
  if (found === undefined) throw new Error('the rollout is not running')
  return found
}

async function judge({ row }: PlacedRollout, judged = judgedOf(row)): Promise<Finding[]> {
  const epochs = await findEvidenceEpochs(services().db, row)
  const { environmentId, split, treatment, control } = row
  const arms = { environmentId, split: split ?? '', treatment, control, epochs }
  const evidence = await readEvidence(services().telemetry, arms, judged)
  return judgeAll(judged, evidence.metrics, { alpha: 0.05, nextShare: 1 })
}

const widthOf = ({ harm }: Finding) => (harm ? harm.upper - harm.lower : Number.NaN)

test('looks at means and percentiles need fewer users, by what was fixed and kept before the start', async () => {
  const people = inhabit(5_000_000, 1_500)
  await send(people.before(now()), 'habits-before')
  const started = await startOf(await release.flag('habits'))
  await send(people.during(started), 'habits-during')
  const found = await judge(started)
  const plain = await judge(
    started,
    judgedOf(started.row).map(({ history: _, ...metric }) => metric),
  )
  for (const [index, finding] of found.entries()) {
    const without = plain[index]
    if (without === undefined) throw new Error('both have all metrics')
    expect(finding.saved, finding.metric).toBeGreaterThan(0.25)
    expect(widthOf(finding)).toBeLessThan(0.9 * widthOf(without))
    expect(finding.values).toEqual(without.values)
    expect(without.saved).toBeUndefined()
  }

  // Whatever arrives about these weeks after the start, also for users of one arm alone, changes nothing.
  const slow = people
    .during(started)
    .filter(({ arms: [arm] }) => arm?.arm === 'on')
    .map((event) => ({ ...event, arms: [], at: plainEvent(environment, now() - 2 * day).at, value: 50_000 }))
  await send(slow, 'habits-late')
  expect(await judge(await find(started.row.id))).toEqual(found)
  const { id } = started.row
  expect(judgedOf((await find(id)).row)).toEqual(judgedOf(started.row))
})

test('what users did while the flag was split is not their history', async () => {
  const people = inhabit(6_000_000, 500)
  await send(people.before(now()), 'split-before')
  const arms = ['on', 'off'].map((variation) => ({ variation, weight: 50_000 }))
  const path = await release.flag('split-already', { fallthrough: { split: arms } })
  const known = async () => {
    const ended = now()
    const { row } = await startOf(path, { stages: [{ weight: 60_000, ...draftOfStage }] })
    const rules = judgedOf(row).flatMap(({ history }) => (history === undefined ? [] : [history]))
    const id = rules[0]?.id
    await release.act(`/rollouts/${row.id}`, 'cancel')
    const fixed = rules.map(({ id: _, ...rule }) => rule)
    if (id === undefined) return { ended, fixed, rows: [] }
    const rows = await services().telemetry.read<{ unit: string; xs: number[] }>(
      'SELECT unit, xs FROM unit_histories WHERE history = {id:UUID} ORDER BY unit',
      { values: { id } },
    )
    return { ended, fixed, rows }
  }
  const first = await known()
  expect(first.rows.length).toBeGreaterThan(300)
  // Two days later, with events of the users of one arm since: the same history, and the same coefficients.
  const since = inhabit(6_000_000, 500)
    .before(now() + 4 * day)
    .filter((event, index) => index % 2 === 0 && event.at > plainEvent(environment, now()).at)
  expect(since.length).toBeGreaterThan(100)
  release.telltale.passTime(2 * day)
  await send(since, 'split-since')
  const { rows, fixed } = await known()
  expect(rows).toEqual(first.rows)
  expect(fixed).toEqual(first.fixed)
})

const draftOfStage = { minDuration: 60_000, minUnits: 100, needsApproval: false }
