import { describe, expect, test } from 'vitest'
import type { StageEvents } from '../statistics/event-share.ts'
import { noSums, type StageSums } from '../statistics/sums.ts'
import { type Candidate, rankEvidence } from './rank-evidence.ts'
import { guilty, type Planted, plantWorld } from './testing/planted-world.ts'

const worlds = 100
// biome-ignore lint/suspicious/noConsole: the counts are what these tests are about.
const print = (line: string) => console.info(line)

describe('in a hundred worlds with one cause each', () => {
  test.each<Planted>(['issue', 'request', 'function', 'slice'])(
    'a guilty %s is named first in ninety at least',
    (planted) => {
      const firsts = Array.from({ length: worlds }, (_, seed) => {
        const [first] = rankEvidence(plantWorld(planted, 1_000 + seed))
        return first?.name
      })
      const right = firsts.filter((name) => name === guilty[planted]).length
      const silent = firsts.filter((name) => name === undefined).length
      print(`planted ${planted}: named first in ${right} of ${worlds}, nothing in ${silent}`)
      expect(right).toBeGreaterThanOrEqual(90)
    },
  )
})

test('of a hundred simulations without harm, at least 95 give no contributor', () => {
  const named = Array.from({ length: worlds }, (_, seed) => rankEvidence(plantWorld('nothing', 5_000 + seed)))
  const silent = named.filter((found) => found.length === 0).length
  print(`planted nothing: nothing stands out in ${silent} of ${worlds}`)
  expect(silent).toBeGreaterThanOrEqual(95)
})

const events = (treatment: number, control: number): StageEvents[] => [{ treatment, control, share: 0.5 }]
const shares = (hits: number, units: number) => ({
  units,
  n: units,
  nn: units,
  y: hits,
  ny: hits,
  yy: hits,
})
const stage = (treatment: [number, number], control: [number, number]): StageSums[] => [
  { treatment: shares(...treatment), control: shares(...control) },
]
const issue = (name: string, part: StageEvents[], rest: StageEvents[]): Candidate<string> => ({
  name,
  sums: { kind: 'events', part, rest },
})

test("the share of the gap is the contributor's excess among the whole excess", () => {
  const [found] = rankEvidence([issue('one', events(120, 20), events(60, 10))])
  expect(found?.excess.estimate).toBeCloseTo(100)
  expect(found?.share.estimate).toBeCloseTo(100 / 150)
  expect(found?.share.lower).toBeGreaterThan(0.3)
  expect(found?.share.upper).toBeLessThan(0.95)
})

test('what got rarer elsewhere makes no share larger than the whole', () => {
  const [found] = rankEvidence([issue('one', events(120, 20), events(10, 60))])
  expect(found?.share).toMatchObject({ estimate: 1, upper: 1 })
})

test('ten issues that share the blame are ten explanations of a tenth each', () => {
  const ten = Array.from({ length: 10 }, (_, index) =>
    issue(`issue ${index}`, events(100, 20), events(900, 180)),
  )
  const found = rankEvidence(ten)
  expect(found).toHaveLength(10)
  for (const { share } of found) expect(share.estimate).toBeCloseTo(0.1)
})

test('the more is looked at, the surer each has to be', () => {
  const doubtful = issue('doubtful', events(40, 18), events(500, 500))
  const harmless = Array.from({ length: 200 }, (_, index) =>
    issue(`harmless ${index}`, events(10, 10), events(500, 500)),
  )
  expect(rankEvidence([doubtful])).toHaveLength(1)
  expect(rankEvidence([doubtful, ...harmless])).toEqual([])
})

test('a part of the people is not named for being many, nor for a small base', () => {
  const slice = (part: StageSums[], rest: StageSums[]): Candidate<string> => ({
    name: 'slice',
    sums: { kind: 'slice', part, rest },
  })
  // Nine of ten people, harmed like the tenth.
  expect(rankEvidence([slice(stage([900, 9_000], [450, 9_000]), stage([100, 1_000], [50, 1_000]))])).toEqual(
    [],
  )
  // Three times as often of a little, where others have more of it.
  expect(rankEvidence([slice(stage([60, 4_000], [20, 4_000]), stage([800, 4_000], [600, 4_000]))])).toEqual(
    [],
  )
  expect(
    rankEvidence([slice(stage([700, 2_000], [100, 2_000]), stage([410, 8_000], [400, 8_000]))]),
  ).toHaveLength(1)
})

test('three users, users on one side only, and no users give no contributor', () => {
  const nobody = [{ treatment: noSums, control: noSums }]
  expect(
    rankEvidence([
      {
        name: 'three',
        sums: { kind: 'slice', part: stage([2, 2], [0, 1]), rest: stage([50, 900], [48, 900]) },
      },
      { name: 'nobody', sums: { kind: 'means', part: nobody, rest: nobody } },
      issue('never', events(0, 0), events(0, 0)),
    ]),
  ).toEqual([])
  expect(rankEvidence([])).toEqual([])
})
