// The ledger on invented months whose effects are known: 20 flags over the same users, read several times a month.

import { expect, test } from 'vitest'
import { inventFlags, inventMonth, type LedgerLook } from '../testing/ledger-world.ts'
import { type ColumnHarm, type ExcessHarm, estimateHarm } from './estimate-harm.ts'
import { cellOf, type LedgerCounts, type LedgerSplit, movedCell, placeOf } from './ledger-counts.ts'

const worlds = 40
const users = 1_500
const looks = [0.55, 1]

type Estimate = (look: LedgerLook) => readonly ColumnHarm[]
const joint: Estimate = ({ splits, counts }) => estimateHarm(splits, counts)

const harmOf = (entry: ColumnHarm): ExcessHarm | undefined => ('fault' in entry ? undefined : entry.harm.any)

/** By variation: months in which its interval missed the truth at any look, and months with an interval. */
function missesOf(estimate: Estimate, { isCalm, months = worlds }: { isCalm: boolean; months?: number }) {
  const flags = inventFlags(isCalm)
  const found = new Map<string, { missed: number; months: number }>()
  let overstated = 0
  for (let world = 0; world < months; world += 1) {
    const month = inventMonth(flags, { users, seed: world + 1, looks })
    const missed = new Set<string>()
    const seen = new Set<string>()
    let isOver = false
    for (const look of month)
      for (const entry of estimate(look)) {
        const harm = harmOf(entry)
        if (harm === undefined) continue
        const name = `${entry.flag} ${entry.variation}`
        const truth = look.truth.get(name) ?? 0
        seen.add(name)
        if (truth < harm.lower || truth > harm.upper) missed.add(name)
        if (harm.confirmed > Math.max(0, truth)) isOver = true
      }
    overstated += Number(isOver)
    for (const name of seen) {
      const one = found.get(name) ?? { missed: 0, months: 0 }
      found.set(name, {
        missed: one.missed + Number(missed.has(name)),
        months: one.months + 1,
      })
    }
  }
  return { found, overstated }
}

test('the interval of each of 20 overlapping flags covers its known effect in 95% of months, at every look', () => {
  const { found, overstated } = missesOf(joint, { isCalm: false })
  // One flag has two variations.
  expect(found.size).toBe(21)
  for (const [name, { missed, months }] of found) {
    expect(months, name).toBe(worlds)
    expect(missed / months, name).toBeLessThanOrEqual(0.05)
  }
  expect(overstated / worlds, 'months with any confirmed harm above the truth').toBeLessThanOrEqual(0.05)
})

test('without effects every interval contains 0, and nothing is confirmed', () => {
  const { found, overstated } = missesOf(joint, { isCalm: true })
  for (const [name, { missed, months }] of found) expect(missed / months, name).toBeLessThanOrEqual(0.05)
  expect(overstated / worlds).toBeLessThanOrEqual(0.05)
})

test('known harm is confirmed, and its estimate is close', () => {
  const [look] = inventMonth(inventFlags(), { users: 12_000, seed: 7, looks: [1] })
  if (look === undefined) throw new Error('no look')
  const found = new Map(joint(look).map((entry) => [`${entry.flag} ${entry.variation}`, harmOf(entry)]))
  // An even split, a flag that needs it, and a ramp.
  for (const name of ['flag-0 on', 'flag-4 on', 'flag-9 on']) {
    const [harm, truth] = [found.get(name), look.truth.get(name) ?? 0]
    expect(harm?.confirmed, name).toBeGreaterThan(0)
    expect((harm?.estimate ?? 0) / truth, name).toBeGreaterThan(0.75)
    expect((harm?.estimate ?? 0) / truth, name).toBeLessThan(1.25)
  }
})

/** Two even splits whose users are given by the pairs of their arms: off off, off on, on off, on on. */
function twoSplits(users: readonly number[], affected: readonly number[]) {
  const arms = ['off', 'on'].map((variation) => ({ variation, weight: 50_000 }))
  const splits = ['one', 'two'].map(
    (flag, index): LedgerSplit => ({
      ...{ split: String(index), flag, by: 'targetingKey', control: 'off' },
      epochs: [{ epoch: 1, arms }],
    }),
  )
  const cell = (split: number, arm: number) => cellOf({ split, epoch: 0, arm })
  const at = (values: readonly number[], one: number, two: number) => values[one * 2 + two] ?? 0
  const both = [0, 1]
  const pairs = both.flatMap((one) => [
    ...both.map((two) => ({ one: cell(0, one), other: cell(1, two), users: at(users, one, two) })),
    { one: cell(0, one), other: cell(0, one), users: at(users, one, 0) + at(users, one, 1) },
    { one: cell(1, one), other: cell(1, one), users: at(users, 0, one) + at(users, 1, one) },
  ])
  const hits = both.flatMap((split) =>
    both.flatMap((arm) => [
      { split, kind: 'any' as const, cell: cell(0, arm), users: at(affected, arm, 0) + at(affected, arm, 1) },
      { split, kind: 'any' as const, cell: cell(1, arm), users: at(affected, 0, arm) + at(affected, 1, arm) },
    ]),
  )
  return { splits, counts: { pairs, hits } satisfies LedgerCounts }
}

test('flags that divide users alike have one estimate together', () => {
  const { splits, counts } = twoSplits([5_000, 0, 0, 5_000], [200, 0, 0, 500])
  const [entry, ...others] = estimateHarm(splits, counts)
  expect(others).toEqual([])
  expect(entry).toMatchObject({ flag: 'one', together: [{ flag: 'two', variation: 'on', users: 5_000 }] })
  expect(entry && harmOf(entry)?.estimate).toBeCloseTo(300, 6)
})

test('where buckets overlap by chance alone, each flag keeps its own effect', () => {
  const { splits, counts } = twoSplits([2_500, 2_500, 2_500, 2_500], [100, 100, 300, 300])
  const harms = estimateHarm(splits, counts).map(harmOf)
  expect(harms[0]).toMatchObject({ affected: 600, controlAffected: 200 })
  expect(harms[0]?.estimate).toBeCloseTo(400, 6)
  expect(harms[0]?.confirmed).toBeGreaterThan(250)
  expect(harms[1]?.estimate).toBeCloseTo(0, 6)
  expect(harms[1]?.lower).toBeLessThan(0)
  expect(harms[1]?.upper).toBeGreaterThan(0)
})

test('a flag that needs another one has its own part, and the other flag has the rest', () => {
  const { splits } = twoSplits([], [])
  const cell = (split: number, arm: number) => cellOf({ split, epoch: 0, arm })
  const pair = (one: number, other: number, users: number) => ({ one, other, users })
  const pairs = [
    ...[pair(cell(0, 0), cell(0, 0), 5_000), pair(cell(0, 1), cell(0, 1), 5_000)],
    ...[pair(cell(1, 0), cell(1, 0), 2_400), pair(cell(1, 1), cell(1, 1), 2_600)],
    ...[pair(cell(0, 1), cell(1, 0), 2_400), pair(cell(0, 1), cell(1, 1), 2_600)],
  ]
  // 2% fail with neither flag, 5% with the first, and 7% with both.
  const failed = (split: number) => [
    ...(split === 0 ? [{ split, kind: 'any' as const, cell: cell(0, 0), users: 100 }] : []),
    { split, kind: 'any' as const, cell: cell(0, 1), users: 302 },
    { split, kind: 'any' as const, cell: cell(1, 0), users: 120 },
    { split, kind: 'any' as const, cell: cell(1, 1), users: 182 },
  ]
  const found = estimateHarm(splits, { pairs, hits: [...failed(0), ...failed(1)] })
  const [first, second] = ['one', 'two'].map((flag) => found.find((entry) => entry.flag === flag))
  expect(first && harmOf(first)?.estimate).toBeCloseTo(150, 6)
  expect(second && harmOf(second)?.estimate).toBeCloseTo(52, 6)
})

test('small arms, wrong splits, moved users and few affected users have no estimate', () => {
  const faults = ({ splits, counts }: ReturnType<typeof twoSplits>) =>
    estimateHarm(splits, counts).map((entry) => ('fault' in entry ? entry.fault : entry.harm))
  expect(faults(twoSplits([40, 40, 40, 40], [9, 9, 9, 9]))).toEqual(['too-few-users', 'too-few-users'])
  expect(faults(twoSplits([2_000, 2_000, 3_000, 3_000], [99, 99, 99, 99]))[1]).toBe('split-wrong')
  expect(faults(twoSplits([2_500, 2_500, 2_500, 2_500], [5, 5, 5, 5]))).toEqual([{}, {}])
  const { splits, counts } = twoSplits([2_500, 2_500, 2_500, 2_500], [99, 99, 99, 99])
  const moved = { one: movedCell(0), other: movedCell(0), users: 200 }
  expect(faults({ splits, counts: { ...counts, pairs: [...counts.pairs, moved] } })[1]).toBe('reassigned')
})

/** The difference of two shares over all users of an arm, whatever the stage. */
const ignoringStages: Estimate = ({ splits, counts }) =>
  estimateHarm(splits, counts).map((entry): ColumnHarm => {
    const index = splits.findIndex(({ split }) => split === entry.split)
    const isOwn = (cell: number, isTreated: boolean) =>
      placeOf(cell).split === index && cell !== movedCell(index) && placeOf(cell).arm > 0 === isTreated
    const side = (isTreated: boolean) => ({
      users: sum(counts.pairs.filter(({ one, other }) => one === other && isOwn(one, isTreated))),
      affected: sum(counts.hits.filter(({ split, cell }) => split === index && isOwn(cell, isTreated))),
    })
    const [treated, control] = [side(true), side(false)]
    const share = (treated.affected + control.affected) / (treated.users + control.users)
    const estimate = treated.affected - (treated.users * control.affected) / control.users
    const variance = share * (1 - share) * (1 / treated.users + 1 / control.users)
    const reach = 3 * treated.users * Math.sqrt(variance)
    const { affected } = treated
    const harm = { affected, controlAffected: control.affected, estimate, confirmed: 0 }
    return {
      ...entry,
      together: [],
      harm: { any: { ...harm, lower: estimate - reach, upper: estimate + reach } },
    }
  })
const sum = (counted: readonly { users: number }[]) => counted.reduce((all, { users: own }) => all + own, 0)

test('an estimate that ignores stages finds harm in ramps that have none', () => {
  const { found } = missesOf(ignoringStages, { isCalm: true, months: 12 })
  for (const name of ['flag-7 on', 'flag-8 on', 'flag-9 on']) {
    const { missed, months } = found.get(name) ?? { missed: 0, months: 1 }
    expect(missed / months, name).toBeGreaterThan(0.15)
  }
})
