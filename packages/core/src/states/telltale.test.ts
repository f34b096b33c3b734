import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareEvidence,
  type Evidence,
  healthyNote,
  type TelltaleFacts,
  telltaleLabels,
  telltaleOverrideOf,
  telltaleStateOf,
} from './telltale.ts'

const limit = 0.05
const healthy: Evidence = { est: -0.01, lo: -0.03, hi: 0.01, limit }
const slack: Evidence = { est: 0.012, lo: -0.04, hi: 0.08, limit }
const watching: Evidence = { est: 0.031, lo: 0.006, hi: 0.058, limit }
const regressed: Evidence = { est: 0.074, lo: 0.052, hi: 0.095, limit }
const facts: TelltaleFacts = {
  isGuarded: true,
  wasRolledBack: false,
  isWaiting: false,
  isSplitWrong: false,
  hasRegressed: false,
}

describe('the state, first match wins', () => {
  test.each([
    ['streaming', healthy],
    ['slack', slack],
    ['lifted', watching],
    ['lifted', { est: 0.025, lo: -0.01, hi: 0.06, limit }],
    ['slack', { est: 0.0249, lo: 0, hi: 0.05, limit }],
    ['fluttering', regressed],
    ['fluttering', { est: 0.05, lo: 0.05, hi: 0.05, limit }],
    ['down', { ...healthy, override: 'down' }],
    ['fouled', { ...regressed, override: 'fouled' }],
    ['waiting', { ...healthy, override: 'waiting' }],
    ['none', { ...healthy, override: 'none' }],
    ['fluttering', { ...healthy, override: 'fluttering' }],
    ['waiting', { ...healthy, est: Number.NaN }],
    ['waiting', { ...healthy, limit: 0 }],
    ['slack', { est: 0, lo: -1, hi: Number.POSITIVE_INFINITY, limit }],
  ] as const)('%s', (state, evidence) => {
    expect(telltaleStateOf(evidence)).toBe(state)
  })

  test('has exactly one state with a label, whatever the numbers', () => {
    const number = fc.double()
    fc.assert(
      fc.property(fc.record({ est: number, lo: number, hi: number, limit: number }), (evidence) => {
        expect(telltaleLabels[telltaleStateOf(evidence)]).toBeTruthy()
      }),
    )
  })
})

test('verdicts are latched; a rollback precedes them, and a missing guard everything', () => {
  expect(telltaleOverrideOf(facts)).toBeUndefined()
  expect(telltaleOverrideOf({ ...facts, isWaiting: true })).toBe('waiting')
  expect(telltaleOverrideOf({ ...facts, hasRegressed: true, isWaiting: true })).toBe('fluttering')
  expect(telltaleOverrideOf({ ...facts, isSplitWrong: true, hasRegressed: true })).toBe('fouled')
  expect(telltaleOverrideOf({ ...facts, isSplitWrong: true, wasRolledBack: true })).toBe('down')
  expect(telltaleOverrideOf({ ...facts, isGuarded: false, wasRolledBack: true })).toBe('none')
})

test('Healthy mentions improvements and small costs', () => {
  expect(healthyNote({ est: -0.03, lo: -0.05, hi: -0.01, limit })).toBe('better')
  expect(healthyNote({ est: 0.02, lo: 0.01, hi: 0.03, limit })).toBe('small cost, within the limit')
  expect(healthyNote(healthy)).toBeUndefined()
  expect(healthyNote(regressed)).toBeUndefined()
})

test('the worst is first', () => {
  const fouled: Evidence = { ...healthy, override: 'fouled' }
  const closer: Evidence = { ...healthy, hi: 0.04 }
  expect([healthy, slack, closer, watching, fouled, regressed].toSorted(compareEvidence)).toEqual([
    regressed,
    fouled,
    watching,
    slack,
    closer,
    healthy,
  ])
  const endless: Evidence = { est: 0, lo: -1, hi: Number.POSITIVE_INFINITY, limit }
  expect(compareEvidence(endless, endless)).toBe(0)
})
