import type { FlagText, SegmentText } from '@telltale/core/contract/rule-set-file'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createYielder } from '../../server/src/platform/process/create-yielder.ts'
import {
  editRuleSet,
  emptyRuleSet,
  type ServedRuleSet,
} from '../../server/src/release/delivery/build-rule-set.ts'
import {
  fillTable,
  findOverride,
  noOverrides,
  withOverride,
} from '../../server/src/release/delivery/override-table.ts'
import { findEdit, noEdit, type RuleSetEdit } from '../../server/src/release/delivery/rule-set-edit.ts'
import { readRuleSetFile } from '../../server/src/release/delivery/rule-set-file.ts'
import { deltaText, wholeText } from '../../server/src/release/delivery/rule-set-text.ts'
import { type HeldRuleSet, nothingHeld, takeDelta, takeWhole, toFile } from './held-rule-set.ts'

const flagOf = (key: string, version: number): FlagText => ({
  key,
  version,
  valueType: 'boolean',
  clientVisible: version % 2 === 0,
  variations: [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ],
  config: {
    enabled: true,
    offVariation: 'off',
    prerequisites: [],
    rules: [],
    fallthrough: { variation: 'on' },
    salt: key,
  },
})
const segmentOf = (key: string, trait: string): SegmentText => ({
  key,
  when: { match: 'all', of: [{ attribute: trait, operator: 'is-set' }] },
})

const flagKey = fc.constantFrom('a', 'b', 'c')
const segmentKey = fc.constantFrom('s', 't')
const targetingKey = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('ann', 'bob', '__proto__', '1') },
  { weight: 1, arbitrary: fc.string() },
)
const variation = fc.constantFrom('on', 'off')
type Step = (served: ServedRuleSet) => Promise<Partial<RuleSetEdit>>

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(flagKey, fc.nat(3)).map(
    ([key, version]): Step =>
      async () => ({ flags: [flagOf(key, version)] }),
  ),
  flagKey.map(
    (key): Step =>
      async () => ({ removedFlags: [key] }),
  ),
  fc.tuple(segmentKey, fc.constantFrom('x', 'y')).map(
    ([key, trait]): Step =>
      async () => ({ segments: [segmentOf(key, trait)] }),
  ),
  segmentKey.map(
    (key): Step =>
      async () => ({ removedSegments: [key] }),
  ),
  fc
    .array(
      fc.record({
        flag: flagKey,
        targetingKey,
        variation: fc.option(variation, { nil: undefined, freq: 2 }),
      }),
      {
        maxLength: 20,
      },
    )
    .map(
      (overrides): Step =>
        async () => ({ overrides }),
    ),
  fc.tuple(flagKey, fc.dictionary(targetingKey, variation)).map(
    ([key, all]): Step =>
      async (served) => ({
        flags: served.flags.has(key) ? [] : [flagOf(key, 1)],
        tables: new Map([[key, await fillTable(new Map(Object.entries(all)), createYielder())]]),
      }),
  ),
)

/** Sorted, so that only the content is compared. */
function sorted({ flags, segments, ...file }: ReturnType<typeof toFile>) {
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
  return {
    ...file,
    flags: flags.map(({ overrides, ...flag }) => ({ ...flag, overrides: Object.entries(overrides).sort() })),
    segments: [...segments].sort(byKey),
  }
}

test('after any changes, a delta leads to the same rule set as a full download', async () => {
  const steps = fc.array(fc.record({ step, asks: fc.boolean() }), {
    minLength: 20,
    maxLength: 60,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      let served = emptyRuleSet('production', 0)
      const wholeOf = async () => JSON.parse((await wholeText(served)).toString())
      let held: HeldRuleSet = takeWhole(nothingHeld, await wholeOf()).next
      for (const { step: next, asks } of story) {
        served = editRuleSet(served, { ...noEdit, ...(await next(served)) }, 0).next
        if (!asks) continue
        const text = deltaText(served, held.version)
        if (text === undefined) throw new Error('The version is forgotten.')
        const taken = takeDelta(held, JSON.parse(text))
        if (taken === undefined) throw new Error('The change does not fit.')
        held = taken.next
        const fresh = takeWhole(nothingHeld, await wholeOf()).next
        expect(sorted(toFile(held))).toEqual(sorted(toFile(fresh)))
        expect([...held.ruleSet.flags.keys()].sort()).toEqual([...fresh.ruleSet.flags.keys()].sort())
      }
      // What is read in whole is the same, by its version too: from disk, and over what is held.
      const source = readRuleSetFile(await wholeOf())
      if (source === undefined) throw new Error('The whole is no rule set.')
      const empty = emptyRuleSet('production', 0)
      expect(editRuleSet(empty, await findEdit(empty, source), 0).next.version).toBe(served.version)
      expect(editRuleSet(served, await findEdit(served, source), 0).next).toBe(served)
      expect(takeWhole(held, await wholeOf()).next.version).toBe(served.version)
    }),
    { numRuns: 100 },
  )
})

test('a change from another version is rejected', () => {
  const delta = { since: 'other', version: 'next', environment: 'production', overrides: {} }
  const nothing = { flags: [], removedFlags: [], segments: [], removedSegments: [] }
  expect(takeDelta(nothingHeld, { ...delta, ...nothing })).toBeUndefined()
})

test('an override costs the same with 200,000 as with 2,000', async () => {
  const costOf = async (size: number) => {
    const all = new Map(Array.from({ length: size }, (_, index) => [`user-${index}`, 'on']))
    const begin = await fillTable(all, createYielder())
    const times = Array.from({ length: 500 }, (_, index) => {
      const begun = performance.now()
      const next = withOverride(begin, `new-${index}`, 'off')
      const took = performance.now() - begun
      expect(findOverride(next, `new-${index}`)).toBe('off')
      return took
    })
    return times.sort((a, b) => a - b)[250] ?? Number.NaN
  }
  const few = await costOf(2_000)
  const many = await costOf(200_000)
  // A hundred times as many: copying a table would take about a hundred times as long.
  expect(many / few).toBeLessThan(10)
  expect(noOverrides.size).toBe(0)
})
