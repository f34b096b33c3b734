import { expect, test } from 'vitest'
import { sizeText } from './size-text.ts'

test('sizes use powers of 1,000', () => {
  expect([0, 512, 8_412_000, 12_345_678, 2_000_000_000].map(sizeText)).toEqual([
    '0\u00a0B',
    '512\u00a0B',
    '8.4\u00a0MB',
    '12\u00a0MB',
    '2.0\u00a0GB',
  ])
})
