import { expect, test } from 'vitest'
import { type AlertNews, type AlertPolicy, type AlertReading, alertAfter, newAlert } from './alert.ts'

const minute = 60_000

/** One evaluation per minute; returns the notifications and the state after each. */
function live(readings: string, policy: Partial<AlertPolicy> = {}) {
  const meaning: Record<string, AlertReading> = { P: 'past', w: 'within', '-': 'missing' }
  let standing = newAlert(0)
  const reported: string[] = []
  const states: string[] = []
  for (const [index, letter] of [...readings].entries()) {
    const reading = meaning[letter]
    if (reading === undefined) throw new Error(letter)
    const turn: { standing: typeof standing; news: AlertNews | undefined } = alertAfter(standing, reading, {
      policy: { for: 0, whenNoData: 'tell', noDataAfter: 3 * minute, ...policy },
      now: index * minute,
    })
    standing = turn.standing
    states.push(standing.state)
    if (turn.news !== undefined) reported.push(`${index} ${turn.news}`)
  }
  return { told: reported, states, standing }
}

test('fires once and ends once', () => {
  const { told, states } = live('wPPPww')
  expect(told).toEqual(['1 fire', '4 recover'])
  expect(states).toEqual(['ok', 'firing', 'firing', 'firing', 'ok', 'ok'])
})

test('fires when every evaluation exceeded the threshold for long enough', () => {
  expect(live('PPwPPPP', { for: 3 * minute }).told).toEqual(['6 fire'])
  expect(live('PP-PP', { for: 3 * minute }).told).toEqual([])
})

test('missing data is never ok, and an incident continues through it', () => {
  const { told, states, standing } = live('P--')
  expect(told).toEqual(['0 fire'])
  expect(states).toEqual(['firing', 'no-data', 'no-data'])
  expect(standing.isOpen).toBe(true)
  expect(live('P--P').told).toEqual(['0 fire'])
  expect(live('P--w').told).toEqual(['0 fire', '3 recover'])
})

test('missing data is reported once after a while, and its end too, unless disabled', () => {
  expect(live('w------w').told).toEqual(['4 lose-data', '7 recover'])
  expect(live('w------w', { whenNoData: 'quiet' }).told).toEqual([])
  expect(live('w------P').told).toEqual(['4 lose-data', '7 fire'])
})
