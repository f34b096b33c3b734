import { samplePosition } from '@telltale/core/keys'
import { expect, test } from 'vitest'
import { refuseReduced } from '../attachments/refuse-reduced.ts'
import { sessionShareOf } from './session-share.ts'

const sampledAt = (session: number) => ({
  ...{ id: 'environment', projectId: 'project', keyId: 'key' },
  sampling: { session, replay: 100, profile: 100 },
})
const reducedTo = (share: number, pausesRecording = false) => ({
  of: () => ({ share, pausesRecording, reason: 'spike' as const }),
})
/** Its last digits are its position. */
const sessionAt = (place: number) =>
  `00000000-0000-4000-8000-0000${Math.floor(place * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}`

test('a reduction keeps its share of what the environment samples', () => {
  expect(sessionShareOf({ of: () => undefined }, sampledAt(5))).toEqual({ share: 0.05 })
  expect(sessionShareOf(reducedTo(1, true), sampledAt(5))).toEqual({ share: 0.05 })
  expect(sessionShareOf(reducedTo(0.1), sampledAt(100)).share).toBe(0.1)
  const { share, reduced } = sessionShareOf(reducedTo(0.1), sampledAt(5))
  expect(share).toBeCloseTo(0.005)
  expect(reduced).toEqual({ from: 0.05, reason: 'sampled_in_spike' })
})

test('recordings of sessions that are dropped are dropped, too', () => {
  const refuse = (place: number) => {
    const session = sessionAt(place)
    expect(samplePosition(session)).toBeCloseTo(place)
    return refuseReduced({ reductions: reducedTo(0.1) }, sampledAt(20), session)
  }
  expect([refuse(0.01), refuse(0.03), refuse(0.5)]).toEqual([
    undefined,
    'sampled_in_spike',
    'sampled_in_spike',
  ])
})
