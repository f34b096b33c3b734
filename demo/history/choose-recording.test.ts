// One visit in ten is recorded, and a variation is recorded as often as it is served.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chooseRecording } from './choose-recording.ts'
import { findPerson } from './people.ts'
import { createRandom } from './random.ts'
import type { Recording } from './recording.ts'
import type { DecidedFlags } from './tape.ts'

const folder = join(import.meta.dirname, '../recordings')
const recordings = readdirSync(folder)
  .sort()
  .map((file): Recording => JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString()))
/** Flags with a split. Of the others everybody gets the variation of the recordings. */
const splits = {
  'checkout-v2': ['classic', 'one-page'],
  'hybrid-search': ['off', 'on'],
  'new-gallery': ['off', 'on'],
  'quick-view': ['off', 'on'],
} as const
const served = { 'promo-banner': 'winter', 'free-shipping-threshold': 'usual', theme: 'post-yellow' }
const outage = { from: 1_000, until: 2_000 }
const visits = 12_000

const flagsOf = (index: number): DecidedFlags => {
  const random = createRandom(`flags ${index}`)
  const drawn = Object.entries(splits).map(
    ([flag, variations]) => [flag, random.pick([...variations])] as const,
  )
  return new Map(
    [...Object.entries(served), ...drawn].map(([flag, variation]) => [
      flag,
      { value: variation, read: { flag, variation } },
    ]),
  )
}
const visit = (index: number, startedAt = 0) => ({
  random: createRandom(`visit ${index}`),
  person: findPerson('test', index),
  startedAt,
  flags: flagsOf(index),
  outage,
  quickViewBroken: { from: 0, until: Number.POSITIVE_INFINITY },
})

test('about one visit in ten is recorded', () => {
  const indexes = Array.from({ length: visits }, (_, index) => index)
  const recorded = indexes.filter((index) => chooseRecording(recordings, visit(index)) !== undefined)
  expect(recorded.length / visits).toBeGreaterThan(0.085)
  expect(recorded.length / visits).toBeLessThan(0.115)
})

test.each(Object.entries(splits))('%s: both variations are exposed equally often', (flag, [one, other]) => {
  const exposed = { [one]: 0, [other]: 0 }
  for (let index = 0; index < visits; index++) {
    const variation = chooseRecording(recordings, visit(index))?.flags[flag]
    if (variation !== undefined) exposed[variation] = (exposed[variation] ?? 0) + 1
  }
  const [first = 0, second = 0] = [exposed[one], exposed[other]]
  expect(first + second).toBeGreaterThan(40)
  expect(Math.abs(first - second) / Math.sqrt(first + second)).toBeLessThan(3)
})

test('during the outage every recorded visit is an order that fails', () => {
  const chosen = Array.from({ length: 200 }, (_, index) => chooseRecording(recordings, visit(index, 1_500)))
  const stories = new Set(chosen.flatMap((recording) => recording?.story ?? []))
  expect([...stories]).toEqual(['order-in-vain'])
})
