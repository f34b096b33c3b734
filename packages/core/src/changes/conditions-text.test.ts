import { expect, test } from 'vitest'
import { conditionsText } from './conditions-text.ts'

test('describes conditions in lines, and long lists with one value per line', () => {
  const text = conditionsText({
    match: 'any',
    of: [
      { attribute: 'plan', operator: 'in', values: ['a', 'b', '5', 5] },
      {
        match: 'none',
        of: [
          { attribute: 'key', operator: 'percentage', weight: 12_500, seed: 's' },
          { operator: 'in-segment', segment: 'staff' },
          { attribute: 'email', operator: 'is-set' },
        ],
      },
    ],
  })
  expect(text.split('\n')).toEqual([
    'any of',
    '  plan is one of',
    '    a',
    '    b',
    '    “5”',
    '    5',
    '  none of',
    '    key bucket is below 12.5%, seed s',
    '    segment is in staff',
    '    email is set',
  ])
})
