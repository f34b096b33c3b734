import { expect, test } from 'vitest'
import type { Finding } from './judge-metric.ts'
import { type RolloutStanding, telltaleOf } from './telltale-of.ts'

const finding = (
  metric: string,
  [lower, estimate, upper]: number[],
  more: Partial<Finding> = {},
): Finding => ({
  metric,
  state: 'watching',
  units: { treatment: 500, control: 500 },
  harm: { lower: lower ?? 0, estimate: estimate ?? 0, upper: upper ?? 0 },
  limit: 0.05,
  margin: 0.05,
  ...more,
})
const fine = finding('lcp', [-0.02, 0, 0.02])
const harmful = finding('inp', [0.006, 0.031, 0.058])
const open = finding('cls', [-0.2, 0, 0.2])
const young = finding('fcp', [-1, 0, 9], { state: 'collecting', missing: 'too-few-units' })

const of = (findings: Finding[], more: Partial<RolloutStanding> = {}) => {
  const { override, worst } = telltaleOf({
    state: 'running',
    splitWrong: undefined,
    regressed: [],
    findings,
    ...more,
  })
  return [override, worst?.metric]
}

test('shows the worst of several metrics', () => {
  expect(of([fine, open, harmful])).toEqual([undefined, 'inp'])
  expect(of([young, fine])).toEqual([undefined, 'lcp'])
})

test('waits before the first data', () => {
  expect(of([])).toEqual(['waiting', undefined])
  expect(of([young])).toEqual(['waiting', 'fcp'])
})

test('a regression stays one, whatever the later numbers', () => {
  expect(of([harmful, fine], { regressed: ['lcp'] })).toEqual(['fluttering', 'lcp'])
})

test('a broken split takes precedence over the numbers', () => {
  expect(of([fine], { splitWrong: 'split-wrong' })).toEqual(['fouled', 'lcp'])
})

test('hangs down after a rollback, and names its metric', () => {
  expect(of([open, fine], { state: 'rolled-back', regressed: ['lcp'] })).toEqual(['down', 'lcp'])
})
