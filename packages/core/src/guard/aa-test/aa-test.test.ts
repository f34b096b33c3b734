import { expect, test } from 'vitest'
import type { StageEvents } from '../../statistics/event-share.ts'
import type { ArmName } from '../../statistics/sums.ts'
import { seededRandom } from '../../statistics/testing/seeded-random.ts'
import { wilsonInterval } from '../../statistics/wilson.ts'
import { runMetric } from '../back-test/metric-run.ts'
import { positionOf, type UnitRows } from '../back-test/site-units.ts'
import type { JudgedMetric } from '../metric-method.ts'
import { splitFaultOf } from '../split-fault.ts'
import { type AaTestAlarm, aaTestAlpha, alarmsAfter, judgeRound, type RoundEvidence } from './judge-round.ts'
import { type RoundOutcome, summarizeRounds } from './summarize-rounds.ts'

const looks = 8
const people = 500
const measured: readonly Pick<JudgedMetric, 'metric' | 'method'>[] = [
  { metric: 'lcp', method: { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1 } },
  { metric: 'errors', method: { kind: 'count', measure: 'error', per: 'session', cap: 20 } },
  { metric: 'users-with-an-error', method: { kind: 'rare-share', measure: 'error', of: 'session' } },
]
const metrics = measured.map(
  (one): JudgedMetric => ({ ...one, better: 'lower', limit: 0.05, alphaWeight: 1 }),
)

type Harm = (unit: number) => { slower: number; errors: number }
const none: Harm = () => ({ slower: 0, errors: 0 })

/** People who come back, slower or faster ones, and errors of a few. */
function inventRows(seed: number, harm: Harm): UnitRows[] {
  const random = seededRandom(seed)
  const rows: { unit: number; slot: number; bucket: number; error: number }[] = []
  for (let unit = 0; unit < people; unit += 1) {
    const slow = 0.4 * random.normal()
    const isProne = random.uniform() < 0.15
    const visits = 1 + Math.floor(random.uniform() * 3)
    const more = harm(unit)
    for (let visit = 0; visit < visits; visit += 1) {
      const log = Math.log(2_000) + slow + 0.5 * random.normal() + more.slower
      const slot = Math.floor(random.uniform() * looks)
      const error = random.uniform() < (isProne ? 0.5 : 0) + more.errors ? 1 : 0
      rows.push({ unit, slot, bucket: Math.max(1, Math.round(log / Math.log(1.02))), error })
    }
  }
  rows.sort((one, other) => one.slot - other.slot)
  const columns = (of: (row: (typeof rows)[number]) => number): UnitRows => ({
    unit: Uint32Array.from(rows, ({ unit }) => unit),
    slot: Uint8Array.from(rows, ({ slot }) => slot),
    by: Float64Array.from(rows, () => 1),
    of: Float64Array.from(rows, of),
  })
  const errors = columns(({ error }) => error)
  return [columns(({ bucket }) => bucket), errors, errors]
}

/** One round from its first look to its last. */
function watchRound(round: number, harmOf: (arm: (unit: number) => ArmName) => Harm): RoundOutcome {
  const armOf = (unit: number): ArmName => (positionOf(unit, round) < 0.5 ? 'treatment' : 'control')
  const rows = inventRows(1_000 + round, harmOf(armOf))
  const drawn = { units: people, stages: 1, from: 0, armOf, shareOf: () => 0.5 }
  const runs = metrics.map(({ method }, index) => {
    const own = rows[index]
    if (own === undefined) throw new Error('each metric has rows')
    return runMetric(method, own, drawn)
  })
  let alarms: AaTestAlarm[] = []
  let judged = 0
  for (let look = 0; look < looks; look += 1) {
    for (const run of runs) run.take(look, 0)
    const evidence = halves(
      people / 2,
      people / 2,
      runs.map((run) => run.evidence()),
    )
    const seen = judgeRound(metrics, evidence, `look ${look}`)
    alarms = alarmsAfter(alarms, seen)
    judged = seen.findings.filter(({ state }) => state === 'holds' || state === 'left').length
  }
  return { judged, alarms, isSplitWrong: false, isOver: true }
}

function halves(treatment: number, control: number, found: RoundEvidence['metrics'] = []): RoundEvidence {
  const stages: StageEvents[] = [{ treatment, control, share: 0.5 }]
  return { units: { treatment, control }, crossed: 0, exposures: stages, heard: stages, metrics: found }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

test('without differences no more metrics alarm than promised, however often they are checked', () => {
  const rounds = range(200).map((round) => watchRound(round, () => none))
  const summary = summarizeRounds(rounds)
  const alarming = rounds.filter(({ alarms }) => alarms.length > 0).length
  // biome-ignore lint/suspicious/noConsole: what was counted is to be seen
  console.info(
    `aaTest: ${summary.alarmed} of ${summary.judged} metrics of 200 rounds alarmed, in ${alarming} rounds; promised: no more than ${aaTestAlpha * summary.judged}`,
  )
  expect(summary.judged).toBe(600)
  expect(summary.alarmed).toBeLessThanOrEqual(aaTestAlpha * summary.judged)
  expect(summary.verdict).toBe('kept')
  expect(summary.rate).toEqual(wilsonInterval(summary.alarmed, 600))
})

test.each([
  { name: 'the treatment is slower', side: 'treatment', metric: 'lcp', harm: { slower: 0.35, errors: 0 } },
  { name: 'the control is slower', side: 'control', metric: 'lcp', harm: { slower: 0.35, errors: 0 } },
  {
    name: 'one half has more errors',
    side: 'treatment',
    metric: 'users-with-an-error',
    harm: { slower: 0, errors: 0.25 },
  },
])('what follows the round alarms: $name', ({ side, metric, harm }) => {
  const rounds = range(20).map((round) =>
    watchRound(round, (armOf) => (unit) => (armOf(unit) === side ? harm : { slower: 0, errors: 0 })),
  )
  const found = rounds.filter(({ alarms }) => alarms.some((alarm) => alarm.metric === metric)).length
  expect(found).toBeGreaterThanOrEqual(18)
  expect(summarizeRounds(rounds).verdict).toBe('exceeded')
})

test('a faulty split is reported before any number', () => {
  expect(splitFaultOf(halves(5_000, 5_000))).toBeUndefined()
  expect(splitFaultOf(halves(4_700, 5_300))).toBe('split-wrong')
  const missing = { exposures: halves(5_000, 5_000).exposures, heard: halves(4_700, 5_300).heard }
  expect(splitFaultOf(missing)).toBe('people-missing')
  const alarm = { metric: 'lcp', chance: 0.000001 }
  expect(summarizeRounds([{ judged: 3, alarms: [alarm], isSplitWrong: true, isOver: false }]).verdict).toBe(
    'split-wrong',
  )
})

test('little data gives no result, and the alarms of one round may be one alarm', () => {
  const round = (more: Partial<RoundOutcome>): RoundOutcome => ({
    judged: 10,
    alarms: [],
    isSplitWrong: false,
    isOver: true,
    ...more,
  })
  const alarm = { metric: 'lcp', chance: 0.02 }
  const alarms = range(6).map(() => alarm)
  expect(summarizeRounds([]).verdict).toBe('nothing-yet')
  expect(summarizeRounds([round({ isOver: false })])).toMatchObject({
    verdict: 'too-early',
    rounds: 0,
    rate: null,
  })
  expect(summarizeRounds(range(3).map(() => round({ alarms: [alarm] }))).verdict).toBe('too-early')
  expect(summarizeRounds([round({ alarms }), ...range(4).map(() => round({}))]).verdict).toBe('kept')
  expect(summarizeRounds(range(5).map(() => round({ alarms: [alarm, alarm] }))).verdict).toBe('exceeded')
  expect(summarizeRounds([round({ isOver: false, alarms: [{ metric: 'lcp', chance: 1e-6 }] })]).verdict).toBe(
    'exceeded',
  )
})
