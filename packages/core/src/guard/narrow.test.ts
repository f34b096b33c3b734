// Planted slices: the harm is found and excluded, all others keep the variation, and harmless rollouts exclude nothing.
// A few worlds; `npm run bench:narrow` runs 100 of each.
import { expect, test } from 'vitest'
import { plantSlice, runSliceWorld, type SliceRun, type SliceWorld } from './testing/slice-world.ts'

const worlds = 2

const narrowed = (seed: number, more: Partial<SliceWorld> = {}) =>
  runSliceWorld({ users: 5_000, looks: 150, seed, policy: 'narrow', ...more })
const runAll = (of: (number: number) => SliceRun) => Array.from({ length: worlds }, (_, number) => of(number))
const sum = (runs: readonly SliceRun[], of: (run: SliceRun) => number) =>
  runs.reduce((total, run) => total + of(run), 0)

test('of a harmed slice, a fifth of the users are harmed at most, and nine in ten of the others keep it', () => {
  const runs = runAll((number) => narrowed(number + 1, { planted: plantSlice(number) }))
  const usual = runAll((number) => narrowed(number + 1, { planted: plantSlice(number), policy: 'roll-back' }))
  expect(sum(runs, ({ harmed }) => harmed)).toBeLessThanOrEqual(sum(usual, ({ harmed }) => harmed) / 5)
  expect(sum(runs, ({ kept }) => kept) / worlds).toBeGreaterThanOrEqual(0.9)
})

test('harmless rollouts exclude nothing, and end', () => {
  const runs = runAll((number) => narrowed(1_000 + number))
  expect(sum(runs, ({ falselyExcluded }) => falselyExcluded)).toBe(0)
  expect(runs.map(({ rollout }) => rollout.state)).toEqual(runs.map(() => 'completed'))
})

test('harm that is everywhere rolls back everything', () => {
  const everywhere = [
    { errors: 2, slowdown: 1 },
    { errors: 1, slowdown: 1.15 },
  ]
  const runs = everywhere.map((harm, number) => narrowed(1_000 + number, { everywhere: harm }))
  expect(runs.map(({ rollout }) => rollout.state)).toEqual(runs.map(() => 'rolled-back'))
})

test('a slice that is too large to exclude rolls back', () => {
  const slice = { attribute: 'request.device', value: 'mobile' }
  const { rollout } = narrowed(1, { planted: { slice, errors: 3, slowdown: 1 } })
  expect(rollout.state).toBe('rolled-back')
  expect(rollout.narrowing?.excluded).toEqual([])
})

test('after a fix, the probe becomes healthy, and the slice comes back', () => {
  const slice = { attribute: 'version', value: '4.1' }
  const planted = { slice, errors: 4, slowdown: 1 }
  const { log, rollout } = narrowed(1, { planted, fixedAt: 36, looks: 110, users: 9_000 })
  expect(log.join('\n')).toMatch(/narrow slice-harmed 4.1[\s\S]*restore probe-healthy 4.1/)
  expect(rollout.narrowing?.excluded).toEqual([])
})
