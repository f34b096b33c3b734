// Rollouts that narrow themselves: 100 worlds with a planted slice against the usual rollback, harmless worlds and worlds
// where the harm is everywhere.
// `npm run bench:narrow -- --worlds 100`; with `--write` into bench/results.md.

import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import {
  plantSlice,
  runSliceWorld,
  type SliceRun,
  type SliceWorld,
} from '@telltale/core/guard/testing/slice-world'
import { writeSection } from './results.ts'

const { values: given } = parseArgs({
  options: {
    worlds: { type: 'string', default: '100' },
    users: { type: 'string', default: '6000' },
    write: { type: 'boolean', default: false },
  },
})
const lines: string[] = []
const say = (line: string) => {
  lines.push(`- ${line}`)
  process.stdout.write(`${line}\n`)
}

const worlds = Number(given.worlds)
const site = { users: Number(given.users), looks: 168 }
const runAll = (of: (number: number) => Partial<SliceWorld>) =>
  Array.from({ length: worlds }, (_, number) =>
    runSliceWorld({ ...site, seed: number + 1, policy: 'narrow', ...of(number) }),
  )
const sum = (runs: readonly SliceRun[], of: (run: SliceRun) => number) =>
  runs.reduce((total, run) => total + of(run), 0)
const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`
const counted = (runs: readonly SliceRun[], is: (run: SliceRun) => boolean) => runs.filter(is).length
const hasExcluded = ({ log }: SliceRun) => log.some((line) => line.includes(' narrow slice-harmed'))

if (worlds > 0) {
  const narrowed = runAll((number) => ({ planted: plantSlice(number) }))
  const usual = runAll((number) => ({ planted: plantSlice(number), policy: 'roll-back' }))
  const harmed = (runs: readonly SliceRun[]) => sum(runs, (run) => run.harmed)
  const isBack = ({ rollout }: SliceRun) => rollout.state === 'rolled-back'
  const ofBack = usual.flatMap((run, index) => (isBack(run) ? [narrowed[index] ?? run] : []))
  say(
    `${worlds} planted slices (2 to 15 % of users; 2.5 or 4 times the errors, or 30 or 60 % slower), 14 days of ${12 * site.users} users: harmed users ${percent(harmed(narrowed), harmed(usual))} of those without narrowing (wanted: at most 20); ${percent(
      sum(narrowed, (run) => run.kept),
      worlds,
    )} of the unharmed keep the variation (wanted: at least 90; without narrowing ${percent(
      sum(usual, (run) => run.kept),
      worlds,
    )})`,
  )
  say(
    `of them a slice was excluded in ${counted(narrowed, hasExcluded)}, a wrong one in ${counted(narrowed, ({ falselyExcluded }) => falselyExcluded > 0)}; rolled back ${counted(narrowed, isBack)}, without narrowing ${counted(usual, isBack)}; in the worlds that the usual guard rolls back: ${harmed(ofBack)} harmed users with narrowing, ${harmed(usual.filter(isBack))} without`,
  )
  const calm = runAll((number) => ({ seed: 10_000 + number }))
  say(
    `${worlds} harmless worlds: a slice excluded in ${percent(
      counted(calm, ({ falselyExcluded }) => falselyExcluded > 0),
      worlds,
    )} (wanted: at most 5); completed ${counted(calm, ({ rollout }) => rollout.state === 'completed')}`,
  )
  const everywhere = runAll((number) => ({
    seed: 20_000 + number,
    everywhere: number % 2 === 0 ? { errors: 2, slowdown: 1 } : { errors: 1, slowdown: 1.15 },
  }))
  say(
    `${worlds} worlds where the harm is everywhere: rolled back ${counted(everywhere, isBack)}, a slice excluded first in ${counted(everywhere, hasExcluded)}`,
  )
}
say(`load at the end: ${loadavg()[0]?.toFixed(1)}`)
if (given.write) await writeSection('Rollouts that narrow themselves', lines.join('\n'))
