// What an experiment promises, on thousands of simulated worlds: how often it is wrong without a difference at any of its
// looks, how often a shown interval misses the true change, and whether planned users find the planned gain.
//   npm run bench:experiments -- [--worlds 1000]

import { parseArgs } from 'node:util'
import { goalLevels } from '@telltale/core/guard/experiment/goal-levels'
import type { GoalFinding } from '@telltale/core/guard/experiment/judge-goal'
import { usersNeeded } from '@telltale/core/guard/experiment/plan-goal'
import {
  type ExperimentWorld,
  type Looks,
  runExperiment,
  type SimulatedGoal,
  shop,
  simulatedGoals,
  trueChange,
} from '@telltale/core/guard/experiment/testing/simulated-experiment'
import {
  runWindows,
  trueWindowChange,
  visits,
  type WindowWorld,
} from '@telltale/core/guard/experiment/testing/simulated-windows'
import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { writeSection } from './results.ts'

const { values } = parseArgs({
  options: { worlds: { type: 'string', default: '1000' }, write: { type: 'boolean', default: false } },
})
const count = Number(values.worlds)
const [level = 0] = goalLevels({ goals: simulatedGoals.length, treatments: 1 })
const lines: string[] = []
const say = (line: string) => {
  lines.push(`- ${line}`)
  process.stdout.write(`${line}\n`)
}
const percent = (part: number, of = count) => `${((100 * part) / of).toFixed(1)} %`

function* worldsOf(world: ExperimentWorld): Generator<Looks> {
  for (let seed = 1; seed <= count; seed += 1) yield runExperiment(world, seededRandom(seed), level)
}

const isWrong = (looks: Looks) =>
  looks.some((look) => simulatedGoals.some((goal) => ['better', 'worse'].includes(look[goal].verdict)))

function misses(looks: Looks, world: ExperimentWorld): boolean {
  const change = trueChange(world)
  return looks.some((look) =>
    simulatedGoals.some((goal) => {
      const found = look[goal].change
      return found !== undefined && (found.lower > change[goal] || found.upper < change[goal])
    }),
  )
}

const isDecided = ({ verdict }: GoalFinding) => verdict === 'better' || verdict === 'worse'

const long = { users: 8_000, looks: 40 }
const noEffect: [string, ExperimentWorld][] = [
  ['half and half', { ...shop, ...long }],
  ['one in ten', { ...shop, ...long, share: 0.1 }],
  ['a holdout with four others for each held-out user', { ...shop, ...long, share: 0.8 }],
  ['a holdout, with the history of users', { ...shop, ...long, share: 0.8, habit: 1, known: 0.8 }],
  ['a few large buyers', { ...shop, ...long, buyers: 0.05, spread: 1.5 }],
  ['with the history of users', { ...shop, ...long, habit: 1, known: 0.8 }],
  ['many refunds', { ...shop, ...long, refunds: 0.5 }],
]
for (const [name, world] of noEffect) {
  let [wrong, missed] = [0, 0]
  for (const looks of worldsOf(world)) {
    if (isWrong(looks)) wrong += 1
    if (misses(looks, world)) missed += 1
  }
  say(
    `A/A, ${name}: better or worse at any of ${world.looks} looks ${percent(wrong)}, an interval of three misses at any look in ${percent(missed)} (at most 5)`,
  )
}

const windows: [string, WindowWorld][] = [
  ['a frequent event', visits],
  ['a rare event', { ...visits, converting: { treatment: 0.04, control: 0.04 }, isRare: true }],
]
for (const [name, world] of windows) {
  let wrong = 0
  for (let seed = 1; seed <= count; seed += 1)
    if (runWindows(world, seededRandom(seed), 0.05).some(isDecided)) wrong += 1
  say(
    `A/A, ${name} within a window: better or worse at any of ${world.looks} looks ${percent(wrong)} (at most 5)`,
  )
}
const faster = { ...visits, faster: 1.5 }
const change = trueWindowChange(faster)
let outside = 0
for (let seed = 1; seed <= count; seed += 1) {
  const looks = runWindows(faster, seededRandom(seed), 0.05)
  if (looks.some(({ change: found }) => found && (found.lower > change || found.upper < change))) outside += 1
}
say(
  `users convert faster, within a window: an interval misses at any look in ${percent(outside)} (at most 5)`,
)

const effects = { ...shop, ...long, effect: { spent: 1.1, buyers: 1, rare: 1.2 } }
for (const [name, world] of [
  ['', effects],
  [', with the history of users', { ...effects, habit: 0.4, known: 0.8 }],
] as const) {
  let missed = 0
  for (const looks of worldsOf(world)) if (misses(looks, world)) missed += 1
  say(`with effects${name}: an interval of three misses at any look in ${percent(missed)} (at most 5)`)
}

const planned: [SimulatedGoal, object, ExperimentWorld['effect']][] = [
  ['buyers', { variancePerUnit: (1 - shop.buyers) / shop.buyers }, { ...shop.effect, buyers: 1.15 }],
  ['sign-ups', { rareShare: shop.rare }, { ...shop.effect, rare: 1.4 }],
]
for (const [goal, spread, effect] of planned) {
  const gain = trueChange({ ...shop, effect })[goal]
  const shares = { treatment: shop.share, control: 1 - shop.share }
  const users = usersNeeded({ better: 'higher', isQuantile: false, ...spread, gain, level }, shares) ?? 0
  let [atEnd, ever] = [0, 0]
  for (const looks of worldsOf({ ...shop, users, looks: 20, effect })) {
    if (looks.at(-1)?.[goal].verdict === 'better') atEnd += 1
    if (looks.some((look) => look[goal].verdict === 'better')) ever += 1
  }
  say(
    `plan for +${(100 * gain).toFixed(0)} % ${goal}: ${users} users, found at their end in ${percent(atEnd)} (80 wanted), at any look until then in ${percent(ever)}`,
  )
}

if (values.write) await writeSection('Experiments', `Of ${count} worlds each.\n\n${lines.join('\n')}`)
