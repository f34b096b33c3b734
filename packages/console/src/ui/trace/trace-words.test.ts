import type { FlagStep, Trace } from '@telltale/core/contract/trace'
import { expect, test } from 'vitest'
import { foundText, whyText } from './trace-words.ts'

const trace = (reason: Trace['result']['reason'], steps: FlagStep[], overridden = false): Trace => ({
  flag: 'checkout',
  result: {
    value: true,
    variation: 'on',
    reason,
    ruleId: undefined,
    split: undefined,
    prerequisite: undefined,
    overridden,
    errorCode: undefined,
  },
  steps: [{ kind: 'enabled', enabled: reason !== 'DISABLED' }, ...steps],
})
const plan = {
  kind: 'condition' as const,
  attribute: 'plan',
  operator: 'equals',
  expected: 'trade',
  actual: 'consumer',
}

test('one line names the deciding rule by its position, and the attribute', () => {
  const why = whyText(
    trace('TARGETING_MATCH', [
      { kind: 'rule', rule: 'a', matched: false, of: [{ ...plan, matched: false }] },
      {
        kind: 'rule',
        rule: 'b',
        matched: true,
        of: [{ kind: 'segment', segment: 'staff', operator: 'in-segment', matched: true, of: [] }],
      },
    ]),
  )
  expect(why).toBe('Rule 2: in segment staff')
})

test('overrides, disabled flags, prerequisites and splits have descriptions', () => {
  expect(whyText(trace('TARGETING_MATCH', [], true))).toBe('Override')
  expect(whyText(trace('DISABLED', []))).toBe('Off')
  expect(whyText(trace('STATIC', [{ kind: 'variation', variation: 'on' }]))).toBe('Everyone else')
  expect(
    whyText(
      trace('DISABLED', [
        { kind: 'prerequisite', flag: 'base', variation: 'on', met: false, reason: 'other-variation' },
      ]),
    ),
  ).toBe('base does not serve on')
  const split = { kind: 'split' as const, split: 's', by: 'targetingKey', unit: 'ada', ranges: [] }
  expect(whyText(trace('SPLIT', [{ ...split, position: 18_420, variation: 'on' }]))).toBe(
    'Everyone else, bucket 18.42',
  )
})

test('shows the actual value beside the expected one', () => {
  expect(foundText({ ...plan, matched: false })).toBe('is consumer')
  expect(foundText({ ...plan, actual: undefined, matched: false })).toBe('is not set')
})
