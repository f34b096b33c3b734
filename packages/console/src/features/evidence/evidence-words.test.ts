import { expect, test } from 'vitest'
import type { GapEvidence, GapExplanation } from '../../api/impact.ts'
import { lookedAtText, ratioText, remarks, shareInterval, valuesText } from './evidence-words.ts'

const one: GapExplanation = {
  kind: 'issue',
  share: { lower: 0.484, estimate: 0.62, upper: 0.713 },
  values: { treatment: 0.041, control: 0.006 },
  elsewhere: null,
  measuredIn: 'units',
  issue: null,
  request: null,
  frame: null,
  page: null,
  slice: null,
  replays: [],
}
const arms = { treatment: 'hybrid', control: 'classic' }
const evidence = (more: Partial<GapEvidence>): GapEvidence => ({
  metric: 'lcp',
  from: '',
  to: '',
  missing: null,
  tooFew: 0,
  explanations: [],
  lookedAt: { issues: 0, requests: 0, functions: 0, slices: 0 },
  ...more,
})

test('contains the share, its interval and both values', () => {
  expect(ratioText(one)).toBe('62% of the extra users with an error')
  expect(shareInterval(one)).toBe('48 to 71%')
  expect(valuesText(one, arms)).toBe('Affects 4.1% with hybrid, 0.6% with classic')
  const slice: GapExplanation = {
    ...one,
    kind: 'slice',
    measuredIn: 'share',
    elsewhere: { treatment: 0.031, control: 0.029 },
  }
  expect(valuesText(slice, arms)).toBe(
    '4.1% with hybrid, 0.6% with classic; elsewhere 3.1% with hybrid, 2.9% with classic',
  )
})

test('contains the number of comparisons, and caveats', () => {
  expect(lookedAtText(evidence({}))).toBe('nothing')
  expect(lookedAtText(evidence({ lookedAt: { issues: 20, requests: 1, functions: 0, slices: 12 } }))).toBe(
    '20 issues, 1 request and 12 segments',
  )
  const tenth = { ...one, share: { lower: 0.05, estimate: 0.1, upper: 0.2 } }
  const shared = evidence({
    explanations: Array.from({ length: 10 }, () => tenth),
    missing: 'part',
    tooFew: 3,
  })
  expect(remarks(shared)).toEqual([
    'No dominant cause: each contributes less than 25%.',
    'Some events of this period have been deleted. Based on the remaining ones.',
    '3 segments had too few users to compare.',
  ])
})
