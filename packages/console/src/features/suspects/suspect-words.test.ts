import { parseFilter } from '@telltale/core/query/filter'
import { expect, test } from 'vitest'
import { joinedFilter } from './joined-filter.ts'
import { alongText, lookedAtText, noneText, noUsersText, type Suspect, settleText } from './suspect-words.ts'
import { betweenText, oftenText, scaleOf, shortOften } from './times-words.ts'

const cart = { flag: 'cart', variation: 'on', byChance: false }
const suspect: Suspect = {
  reads: [cart],
  people: { inside: 200, outside: 600 },
  hits: { inside: 50, outside: 12 },
  times: { ratio: 12.4, lower: 4.23, upper: 31 },
  share: 0.74,
  apart: true,
  byChance: false,
  settle: { people: 740, days: 0.3, limit: 0.25, alpha: 0.0056 },
}
const list = { from: '', to: '', sampled: 1, people: 800, hits: 62, looks: 8, outcomes: 1, items: [] }

test('names the ratio with its interval, or only the lower bound if no other user is affected', () => {
  const { times } = suspect
  expect([oftenText(times), betweenText(times)]).toEqual(['12 times as often', '4.2 to 31 times'])
  for (const upper of [4_000, null]) {
    const alone = { ratio: 300, lower: 9.1, upper }
    expect([oftenText(alone), betweenText(alone)]).toEqual(['at least 9.1 times as often', undefined])
    expect(shortOften(alone)).toBe('at least 9.1 times')
    expect(scaleOf([times, alone])).toEqual({ from: 0.5, to: 50 })
  }
  const close = { ratio: 2.3, lower: 1.02, upper: 5.3 }
  expect(betweenText(close), 'above 1 stays above 1').toBe('1.02 to 5.3 times')
})

test('a rule-based suspect comes with the split that would settle it; a randomized one does not need it', () => {
  expect(settleText(suspect)).toBe(
    'Assigned by rule, so these users may differ in other ways. A guarded 50/50 split with a limit of 25% needs 740\u00a0users, about 1\u00a0day here, to find out (80% power).',
  )
  const pair = { ...suspect, reads: [{ ...cart, flag: 'banner', byChance: true }, cart] }
  expect(settleText(pair)).toContain('A guarded 50/50 split of cart with')
  expect(settleText({ ...suspect, byChance: true })).toContain('only the flag differs')
})

test('too few users, no hits and no suspects are reported differently', () => {
  expect(noUsersText({ ...list, looks: 0 })).toContain('Too few to compare')
  expect(noUsersText({ ...list, hits: 0 })).toBe(
    'It affected none of the 800 users with flags in this time range.',
  )
  expect(noUsersText(list)).toBeUndefined()
  expect(noneText(list)).toBe(
    'Compared 8\u00a0variations and pairs: none is more common among affected users than chance explains. 62 of 800 users affected.',
  )
  expect(lookedAtText(list)).toContain('Compared 8\u00a0variations and pairs, counted in users. ')
})

test('for an issue, states how many issues the intervals are corrected for', () => {
  const ofIssues = { ...list, outcomes: 12 }
  expect(lookedAtText(ofIssues)).toContain('8\u00a0variations and pairs for each of 12\u00a0issues, counted')
  expect(noneText(ofIssues)).toContain('for each of 12\u00a0issues: none')
})

test('states the number of sampled users', () => {
  const drawn = { ...list, sampled: 1 / 3 }
  expect(noneText(drawn)).toContain('62 of 800 users affected. Based on a random sample of 1 in 3 users.')
  expect(lookedAtText(drawn)).toContain('pairs on 800\u00a0users, counted')
})

test('correlated suspects name the stronger one', () => {
  expect(alongText([suspect])).toBe(
    'Indistinguishable from the above, because they often occur together: cart = on (12 times as often).',
  )
})

test('a chip replaces one of its field, and keeps exclusions', () => {
  const parsed = parseFilter('page:/cart -page:/old flag:cart=off device:mobile')
  expect(
    parsed.ok &&
      joinedFilter(parsed.result, [
        { field: 'page', key: '', operator: 'is', values: ['/pay'], isNegated: false },
        { field: 'flag', key: 'cart', operator: 'is', values: ['on'], isNegated: false },
      ]),
  ).toBe('-page:/old device:mobile page:/pay flag:cart=on')
})
