import { expect, test } from 'vitest'
import { changeIn, faultsIn, textsOf } from './retention-draft.ts'

const days = { events: 90, replays: 30, profiles: 30, exposures: 400 }

test('only sends differences, and distinguishes shorter retention', () => {
  expect(changeIn(textsOf(days), days)).toEqual({ days: {}, isShorter: false })
  expect(changeIn({ ...textsOf(days), replays: '60' }, days)).toEqual({
    days: { replays: 60 },
    isShorter: false,
  })
  expect(changeIn({ ...textsOf(days), replays: '60', events: ' 7 ' }, days)).toEqual({
    days: { replays: 60, events: 7 },
    isShorter: true,
  })
})

test('each kind has its own maximum', () => {
  expect(faultsIn(textsOf(days))).toEqual({})
  expect(faultsIn({ events: '401', replays: '101', profiles: '1.5', exposures: '' })).toEqual({
    events: 'Enter a whole number from 1 to 400.',
    replays: 'Enter a whole number from 1 to 100.',
    profiles: 'Enter a whole number from 1 to 100.',
    exposures: 'Enter a whole number from 1 to 400.',
  })
})
