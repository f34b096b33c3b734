import { expect, test } from 'vitest'
import { readAnswers } from '../flags/answer.ts'
import { listFlags } from './flag-rows.ts'
import { readValue } from './read-value.ts'

const answers = readAnswers({
  flags: [
    { key: 'search', value: 'grid', variant: 'grid', reason: 'SPLIT' },
    { key: 'checkout', value: false, variant: 'off', reason: 'DISABLED' },
  ],
})

test('flags are listed by key with the reason, and forced ones with what the server serves', () => {
  const forced = [['checkout', { value: true, reason: 'OVERRIDE', metadata: { forced: 'on' } }]] as const
  expect(listFlags(answers, forced)).toEqual([
    { key: 'checkout', value: true, reason: 'forced as on, served: off, flag is off', isForced: true },
    { key: 'search', value: 'grid', reason: 'grid, percentage rollout', isForced: false },
  ])
  expect(listFlags(answers, [], ' SEAR ').map(({ key }) => key)).toEqual(['search'])
  expect(listFlags(undefined)).toEqual([])
})

test('a typed value has the type of the flag', () => {
  expect(readValue('12', 'text')).toEqual({ value: '12' })
  expect(readValue('12', 0)).toEqual({ value: 12 })
  expect(readValue('', 0)).toEqual({ fault: 'must be a number' })
  expect(readValue('[1]', {})).toEqual({ fault: 'must be a JSON object' })
  expect(readValue('{"a":1}', { b: 2 })).toEqual({ value: { a: 1 } })
  expect(readValue('{', {})).toEqual({ fault: 'must be JSON' })
})
