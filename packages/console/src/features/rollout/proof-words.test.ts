import { expect, test } from 'vitest'
import { countsText, excessText, goneText, neededText } from './proof-words.ts'

test('the part that is gone, as an interval that is never narrower than it is', () => {
  const gone = (lower: number, estimate: number, upper: number) =>
    goneText({ gone: { lower, estimate, upper } })
  expect(gone(0.972, 1, 1)).toBe('97–100% of the extra affected users are gone.')
  expect(gone(-0.4, 0.1, 0.313)).toBe('0–32% of the extra affected users are gone.')
  expect(gone(-0.4, -0.1, 0)).toBe('None of the extra affected users are gone.')
  expect(goneText({ gone: null })).toBeUndefined()
})

test('the frozen counts, the present ones, and what a decision takes', () => {
  const arms = (treated: number, kept: number) => ({
    treatment: { hits: treated, total: 500 },
    control: { hits: kept, total: 500 },
  })
  const before = { affected: arms(200, 0), excess: { lower: 0.312, estimate: 0.4, upper: 0.49 } }
  expect(countsText({ before, now: arms(0, 0) })).toBe(
    'Before: 40% of 500\u00a0users, otherwise 0%. Now: 0% of 500\u00a0users, otherwise 0%.',
  )
  expect(excessText({ before })).toBe('Harm before: 31–49% of users.')
  expect(neededText({ state: 'undecided', units: 320 })).toBe(
    'A true fix takes about 320\u00a0users in each arm.',
  )
  expect(neededText({ state: 'undecided', units: null })).toBe('Too rare to be proven fixed.')
  expect(neededText({ state: 'fixed', units: 320 })).toBeUndefined()
})
