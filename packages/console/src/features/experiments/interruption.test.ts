import { expect, test } from 'vitest'
import { interruptionOf } from './interruption.ts'

const fine = {
  state: 'running' as const,
  ...{ flagArchived: false, splitRemoved: false, flagOff: false, goneVariations: [] },
}

test('an archived flag, a removed split, a flag that is off and a variation without users are named, in this order', () => {
  expect(interruptionOf(fine)).toBeUndefined()
  const all = { ...fine, flagArchived: true, splitRemoved: true, flagOff: true, goneVariations: ['new'] }
  expect(interruptionOf(all)?.title).toBe('The flag is archived')
  expect(interruptionOf({ ...all, flagArchived: false })?.title).toBe('The flag no longer has this split')
  expect(interruptionOf({ ...fine, flagOff: true, goneVariations: ['new'] })?.title).toBe('The flag is off')
  expect(interruptionOf({ ...fine, goneVariations: ['new'] })?.title).toBe('No new users get new')
})

test('an ended experiment is not interrupted, and a draft with an archived flag cannot start', () => {
  expect(interruptionOf({ ...fine, state: 'ended', flagArchived: true })).toBeUndefined()
  expect(interruptionOf({ ...fine, state: 'draft', flagArchived: true })?.detail).toMatch('cannot start')
})
