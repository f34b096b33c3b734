// Measures how often the guard's statistics roll back a harmless rollout, how soon they detect harm, and whether a
// healthy verdict is correct: simulated rollouts with fixed seeds, so that the tables are reproducible. `npm run
// bench:guard`; `-- --runs 2000` for more of them, `-- --design Pareto` for the rows with that name, `-- --only
// false` (or `shortcuts`, `detection`, `safe`, `uneven`, `silent`, `denominators`, `late`, `split`, `brake`) for one
// table, `-- --write` into bench/results.md.

import { parseArgs } from 'node:util'
import { isEnough } from '@telltale/core/statistics/boundary'
import { isSplitWrong, logShareEvidence } from '@telltale/core/statistics/event-share'
import {
  type Judging,
  type Reached,
  type RolloutRun,
  runRollout,
  type SimulatedMetric,
  simulatedMetrics,
  strictest,
} from '@telltale/core/statistics/testing/run-rollout'
import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { calm, type Design } from '@telltale/core/statistics/testing/simulated-world'
import { type Asked, denominators, late, silent, uneven } from './guard-uneven.ts'
import { writeSection } from './results.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    only: { type: 'string' },
    design: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})
const runs = Number(options.runs)
const requested: Asked = { runs, design: options.design }

const ramp: Design = {
  ...calm,
  name: 'ramp 1, 10, 50 %, a daily cycle and a trend of e^0.5 in values and 2 in errors',
  people: 12_000,
  stages: [
    { share: 0.01, looks: 14 },
    { share: 0.1, looks: 13 },
    { share: 0.5, looks: 13 },
  ],
  weather: (time) => ({
    slower: 0.5 * time + 0.1 * Math.sin(40 * time),
    errors: (1 + time) * (1 + 0.3 * Math.sin(40 * time)),
  }),
}

const harmless: { design: Design; judging?: Judging }[] = [
  { design: calm },
  {
    design: { ...calm, name: '50/50, views vary by 1.2, people by 0.8', viewSpread: 1.2, personSpread: 0.8 },
  },
  { design: { ...calm, name: '50/50, views with a log-t tail of 4 degrees', tail: 'log-t' } },
  { design: { ...calm, name: '50/50, 40 % exact zeros (as CLS)', tail: 'zeros', viewSpread: 1.2 } },
  {
    design: {
      ...calm,
      name: '50/50, rare errors in bursts (0.4 %, people unequal by 1.5, 7 at once)',
      errorRate: 0.004,
      frailty: 1.5,
      moreErrors: 6,
    },
  },
  {
    design: {
      ...calm,
      name: '50/50, few people who come back 9 times, unequal by 1',
      people: 1_200,
      returns: 9,
      personSpread: 1,
    },
  },
  { design: { ...calm, name: '3 % in the treatment', stages: [{ share: 0.03, looks: 40 }] } },
  { design: ramp },
  {
    design: {
      ...ramp,
      name: 'the same ramp, people who come back 4 times, unequal by 1',
      people: 6_000,
      returns: 4,
      personSpread: 1,
    },
  },
]

const percent = (share: number) => (100 * share).toFixed(1)

function* runsOf(design: Design, judging: Judging, count = runs): Generator<RolloutRun> {
  for (let seed = 1; seed <= count; seed += 1) yield runRollout(design, seededRandom(seed), judging)
}

function* falseRollBacks(): Generator<string> {
  yield* [
    `### A harmless rollout rolled back over its whole run, in % of ${runs} (wanted: at most 5)`,
    '',
    `| design | ${simulatedMetrics.join(' | ')} | any of the five, 0.05 shared | split called wrong (0.1) |`,
    `|---|${'--:|'.repeat(simulatedMetrics.length + 2)}`,
  ]
  for (const { design, judging = strictest } of harmless) {
    const alone = new Map<SimulatedMetric, number>()
    let [any, split] = [0, 0]
    for (const run of runsOf(design, judging)) {
      for (const metric of simulatedMetrics)
        if (run.regressedAlone[metric] !== undefined) alone.set(metric, (alone.get(metric) ?? 0) + 1)
      if (Object.keys(run.regressedShared).length > 0) any += 1
      if (run.splitWrongAfter !== undefined) split += 1
    }
    const cells = simulatedMetrics.map((metric) => percent((alone.get(metric) ?? 0) / runs))
    yield `| ${design.name} | ${[...cells, percent(any / runs), percent(split / runs)].join(' | ')} |`
  }
}

function* shortcuts(): Generator<string> {
  const rate = (design: Design, mistake: Judging['mistake'], metric: SimulatedMetric = 'p75') => {
    let regressed = 0
    for (const run of runsOf(design, { ...strictest, only: [metric], ...(mistake && { mistake }) }))
      if (run.regressedAlone[metric] !== undefined) regressed += 1
    return percent(regressed / runs)
  }
  const row = (name: string, ...cells: string[]) => `| ${name} | ${cells.join(' | ')} |`
  yield* [
    `### What the usual shortcuts do to the same harmless rollouts, one metric at 5 %, in % of ${runs}`,
    '',
    '| | 50/50 | ramp |',
    '|---|--:|--:|',
  ]
  yield row(
    '1.645 standard errors at every look, p75',
    rate(calm, 'one-look-boundary'),
    rate(ramp, 'one-look-boundary'),
  )
  yield row(
    'views as if they were people, p75',
    rate(calm, 'views-for-people'),
    rate(ramp, 'views-for-people'),
  )
  yield row('stages counted together, p75', '–', rate(ramp, 'stages-together'))
  yield row('as it is, p75', rate(calm, undefined), rate(ramp, undefined))
}

interface Harm {
  name: string
  design: Design
  metric: SimulatedMetric
  also: SimulatedMetric
  judging?: Judging
}

function* detection(): Generator<string> {
  const at = (share: number): Partial<Design> => ({ stages: [{ share, looks: 200 }] })
  const slower = (by: number, people: number, more: Partial<Design> = {}): Harm => ({
    name: `p75 +${Math.round(100 * by)} %, ${more.stages ? '2 % in the treatment' : '50/50'}`,
    design: {
      ...calm,
      ...at(0.5),
      people,
      ...more,
      harm: { slower: Math.log(1 + by), errors: 1, conversions: 1 },
    },
    metric: 'p75',
    also: 'mean',
    judging: { ...strictest, only: ['p75', 'mean'], unitsForVerdict: by >= 0.5 ? 30 : 100 },
  })
  const errors = (times: number, people: number, more: Partial<Design> = {}): Harm => ({
    name: `sessions with errors × ${times}, ${more.stages ? '2 % in the treatment' : '50/50'}`,
    design: { ...calm, ...at(0.5), people, ...more, harm: { slower: 0, errors: times, conversions: 1 } },
    metric: 'users with an error',
    also: 'errors',
    judging: { ...strictest, only: ['users with an error', 'errors'] },
  })
  const harms = [
    slower(0.1, 8_000),
    slower(0.2, 3_000),
    slower(0.5, 1_000),
    slower(0.2, 30_000, at(0.02)),
    errors(1.5, 40_000),
    errors(2, 16_000),
    errors(5, 3_000),
    errors(5, 24_000, at(0.02)),
  ]
  const count = Math.max(20, Math.round(runs / 4))
  yield* [
    `### People in the treatment when the harm is found, median / 90th percentile of ${count}`,
    '',
    '| harm | one metric, 0.05 | 0.05 shared by five | by the mean or count | missed |',
    '|---|--:|--:|--:|--:|',
  ]
  for (const harm of harms) yield detectionRow(harm, count)
}

function detectionRow({ name, design, metric, also, judging = strictest }: Harm, count: number): string {
  const found = [...runsOf(design, judging, count)]
  const column = (of: 'regressedAlone' | 'regressedShared', which: SimulatedMetric) => {
    const reached = found.map((run) => run[of][which] ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
    const at = (share: number) => {
      const value = reached[Math.floor(share * (reached.length - 1))] ?? Number.NaN
      return Number.isFinite(value) ? String(value) : '> run'
    }
    return `${at(0.5)} / ${at(0.9)}`
  }
  const missed = found.filter((run) => run.regressedAlone[metric] === undefined).length
  return `| ${name} | ${column('regressedAlone', metric)} | ${column('regressedShared', metric)} | ${column('regressedAlone', also)} | ${percent(missed / count)} % |`
}

function* safe(): Generator<string> {
  const harm = { slower: Math.log(1.1), errors: 1.25, conversions: 0.9 }
  const rate = (design: Design, of: (reached: Reached) => boolean) => {
    let called = 0
    for (const run of runsOf(design, strictest)) if (of(run.safe)) called += 1
    return called
  }
  yield* [
    `### Ever called safe although the change is exactly the margin, in % of ${runs} (wanted: at most 5)`,
    '',
    `| design | ${simulatedMetrics.join(' | ')} |`,
    `|---|${'--:|'.repeat(simulatedMetrics.length)}`,
  ]
  for (const design of [
    { ...calm, harm },
    { ...ramp, harm },
  ]) {
    const called = new Map<SimulatedMetric, number>()
    rate(design, (reached) => {
      for (const metric of simulatedMetrics)
        if (reached[metric] !== undefined) called.set(metric, (called.get(metric) ?? 0) + 1)
      return false
    })
    const cells = simulatedMetrics.map((metric) => percent((called.get(metric) ?? 0) / runs))
    yield `| ${design.name} | ${cells.join(' | ')} |`
  }
  const healthy = rate(calm, (reached) => reached.p75 !== undefined)
  yield* ['', `Nothing changed: p75 is called safe at +10 % in ${percent(healthy / runs)} % of the runs.`]
}

function* split(): Generator<string> {
  const count = Math.max(20, Math.round(runs / 4))
  const after: number[] = []
  for (let seed = 1; seed <= count; seed += 1) {
    const random = seededRandom(seed)
    const found = findLopsided(60_000, random.uniform)
    if (found !== undefined) after.push(found)
  }
  after.sort((a, b) => a - b)
  yield* [
    '### A treatment that loses 5 % of its people, 50/50, of 60 000',
    '',
    `Found in ${percent(after.length / count)} % of ${count} runs, after ${after[after.length >> 1] ?? 'more'} people (median).`,
  ]
}

/** One in twenty users of the treatment is lost. */
function findLopsided(people: number, uniform: () => number): number | undefined {
  const stage = { treatment: 0, control: 0, share: 0.5 }
  for (let person = 1; person <= people; person += 1) {
    if (uniform() < stage.share) stage.treatment += uniform() < 0.05 ? 0 : 1
    else stage.control += 1
    if (person % 250 === 0 && isSplitWrong([stage])) return person
  }
  return undefined
}

/**
 * Errors tripled by a treatment at 10% of a thousand users a minute, judged every ten seconds with four other
 * metrics.
 */
function* brake(): Generator<string> {
  const count = Math.max(100, runs)
  const [perLook, alpha, limit] = [1_000 / 6, (0.05 * 2) / 6, 0.25]
  yield* [
    `### Errors tripled at 10 % of 1 000 people a minute: from the first person harmed to the roll-back, of ${count} runs`,
    '',
    '| people who meet an error normally | seconds, median / 90th percentile | people harmed, median |',
    '|---|--:|--:|',
  ]
  for (const rate of [0.01, 0.02, 0.05, 0.1]) {
    const ends = Array.from({ length: count }, (_, seed) => {
      const { uniform } = seededRandom(seed + 1)
      const stage = { treatment: 0, control: 0, share: 0.1 }
      let first = 1
      for (let look = 1; look < 3_600; look += 1) {
        const before = stage.treatment
        for (
          let person = Math.round(perLook * look) - Math.round(perLook * (look - 1));
          person > 0;
          person -= 1
        ) {
          const arm = uniform() < stage.share ? 'treatment' : 'control'
          if (uniform() < (arm === 'treatment' ? 3 * rate : rate)) stage[arm] += 1
        }
        if (before === 0 && stage.treatment > 0) first = look
        if (
          stage.treatment + stage.control >= 8 &&
          isEnough(logShareEvidence([stage], 1 + limit, 'more'), alpha)
        )
          return { seconds: 10 * (look - first + 1), harmed: stage.treatment }
      }
      return { seconds: Number.POSITIVE_INFINITY, harmed: stage.treatment }
    })
    const at = (share: number, of: 'seconds' | 'harmed') =>
      ends.map((end) => end[of]).sort((a, b) => a - b)[Math.floor(share * (count - 1))]
    yield `| ${percent(rate)} % | ${at(0.5, 'seconds')} / ${at(0.9, 'seconds')} | ${at(0.5, 'harmed')} |`
  }
}

const tables: Record<string, () => Generator<string>> = {
  false: falseRollBacks,
  shortcuts,
  detection,
  safe,
  uneven: () => uneven(requested),
  silent: () => silent(requested),
  denominators: () => denominators(requested),
  late: () => late(requested),
  split,
  brake,
}
const chosen = options.only === undefined ? Object.values(tables) : [tables[options.only] ?? falseRollBacks]
const lines: string[] = []
for (const table of chosen) {
  for (const line of table()) {
    lines.push(line)
    process.stdout.write(`${line}\n`)
  }
  lines.push('')
}
if (options.write) await writeSection('Statistics of the guard', lines.join('\n'))
