import { expect, test } from 'vitest'
import type { Environment } from '../../api/environments.ts'
import { changeOf, faultsOf, findFaults, linesOf, valuesOf } from './environment-draft.ts'
import { moveInOrder } from './order.ts'

const environment: Environment = {
  id: '0199f7a0-0000-7000-8000-000000000001',
  key: 'production',
  name: 'Production',
  colour: 'blue',
  position: 0,
  timeZone: 'Europe/Berlin',
  protected: true,
  approvalRequired: false,
  approvals: 1,
  ownerApproval: false,
  allowedOrigins: ['https://shop.example'],
  privacyLevel: 'mask-inputs',
  unmaskAllowed: false,
  privacyRules: [],
  consoleRecorded: false,
  requestRules: [],
  privateTraits: [],
  sensitiveTraits: ['email'],
  aaTest: false,
  recordingOrders: true,
  sampling: { session: 100, replay: 10, profile: 1 },
  retentionDays: { events: 90, replays: 30, profiles: 30, exposures: 400 },
  scrub: { parameters: [], attributes: [], expressions: [] },
  version: 3,
  createdAt: '2026-11-01T00:00:00.000Z',
  managed: false,
}
const values = valuesOf(environment)

test('unedited values are not sent', () => {
  expect(changeOf(values, environment)).toEqual({})
})

test('only sends differences: members of groups individually, lists as a whole', () => {
  const change = changeOf(
    {
      ...values,
      replayShare: '33.3',
      allowedOrigins: 'https://shop.example\n\n https://m.shop.example, https://shop.example',
      approvalRequired: true,
    },
    environment,
  )
  expect(change).toEqual({
    approvalRequired: true,
    sampling: { replay: 33.3 },
    allowedOrigins: ['https://shop.example', 'https://m.shop.example'],
  })
})

test('each fault is shown at its field', () => {
  const faults = findFaults({
    ...values,
    name: '  ',
    replayShare: '101',
    allowedOrigins: 'shop.example',
  })
  expect(Object.keys(faults).sort()).toEqual(['allowedOrigins', 'name', 'replayShare'])
  expect(findFaults(values)).toEqual({})
})

test('a fault in a list names the line', () => {
  const errors = [
    { pointer: '/allowedOrigins/1', message: 'is no origin' },
    { pointer: '/sampling/replay', message: 'must be at most 100' },
  ]
  expect(faultsOf(errors, { allowedOrigins: ['https://a.example', 'https://b'] })).toEqual({
    allowedOrigins: 'https://b is no origin',
    replayShare: 'must be at most 100',
    privacyRules: {},
    requestRules: {},
  })
})

test('lines are trimmed and deduplicated', () => {
  expect(linesOf(' a \n\nb,a')).toEqual(['a', 'b'])
})

test('an item moves to another position within the order', () => {
  expect(moveInOrder(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveInOrder(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moveInOrder(['a', 'b', 'c'], 0, 3)).toEqual(['a', 'b', 'c'])
})
