import { parseFilter } from '@telltale/core/telemetry/filter'
import { expect, test } from 'vitest'
import { joinedFilter } from './joined-filter.ts'
import {
  alongText,
  betweenText,
  lookedAtText,
  nobodyText,
  noneText,
  oftenText,
  type Suspect,
  settleText,
} from './suspect-words.ts'

const cart = { flag: 'cart', variation: 'on', byChance: false }
const suspect: Suspect = {
  reads: [cart],
  people: { inside: 200, outside: 600 },
  hits: { inside: 50, outside: 12 },
  times: { ratio: 12.4, lower: 4.23, upper: 31 },
  share: 0.74,
  apart: true,
  byChance: false,
  settle: { people: 74, days: 0.3 },
}
const list = { from: '', to: '', sampled: 1, people: 800, hits: 62, looks: 8, items: [] }

test('how much more often is said with its interval, and with its lower end where nobody else has it', () => {
  expect([oftenText(suspect), betweenText(suspect)]).toEqual(['12 times as often', '4.2 to 31 times'])
  const alone = { ...suspect, times: { ratio: 300, lower: 9.1, upper: 4_000 } }
  expect([oftenText(alone), betweenText(alone)]).toEqual(['at least 9.1 times as often', undefined])
})

test('what was chosen by rule comes with the split that would settle it; what was drawn needs none', () => {
  expect(settleText(suspect)).toBe(
    'Chosen by rule, so these people may differ anyway. A split in halves over 74\u00a0people, about 1\u00a0day here, would settle it.',
  )
  const pair = { ...suspect, reads: [{ ...cart, flag: 'banner', byChance: true }, cart] }
  expect(settleText(pair)).toContain('A split in halves of cart over 74\u00a0people')
  expect(settleText({ ...suspect, byChance: true })).toContain('nothing but the flag differs')
})

test('nobody to compare, no hit and nothing that stands out are three different things', () => {
  expect(nobodyText({ ...list, looks: 0 })).toContain('Nobody can be compared')
  expect(nobodyText({ ...list, hits: 0 })).toBe(
    'It happened to none of 800 people who read a flag in this time.',
  )
  expect(nobodyText(list)).toBeUndefined()
  expect(noneText(list)).toBe(
    'Of 8\u00a0variations and pairs none has it more often than chance allows when so many are looked at. It happened to 62 of 800 people.',
  )
  expect(lookedAtText(list)).toContain('8\u00a0variations and pairs were looked at; ')
})

test('where people were drawn, it is said how many of them', () => {
  const drawn = { ...list, sampled: 1 / 3 }
  expect(noneText(drawn)).toContain('62 of 800 people. These are one in 3, drawn by chance.')
  expect(lookedAtText(drawn)).toContain('were looked at on 800\u00a0people; ')
})

test('what only goes along with the ones above is named after them', () => {
  expect(alongText([suspect])).toBe(
    'Not to be told apart from the above, with which they often go: cart = on (12 times as often).',
  )
})

test('a chip takes the place of one of its field, and leaves what is excluded', () => {
  const parsed = parseFilter('page:/cart -page:/old flag:cart=off device:mobile')
  expect(
    parsed.ok &&
      joinedFilter(parsed.result, [
        { field: 'page', key: '', operator: 'is', values: ['/pay'], isNegated: false },
        { field: 'flag', key: 'cart', operator: 'is', values: ['on'], isNegated: false },
      ]),
  ).toBe('-page:/old device:mobile page:/pay flag:cart=on')
})
