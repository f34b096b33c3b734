import { expect, test } from 'vitest'
import { isView, viewSearchOf, withoutTime } from './view-search.ts'

test('a view is the parameters of an address without environment and open details', () => {
  expect(viewSearchOf('?sort=lcp&env=staging&q=page%3A%2Fcart&peek=x&new=true')).toBe(
    'q=page%3A%2Fcart&sort=lcp',
  )
  expect(viewSearchOf('q=page:/cart&sort=lcp')).toBe('q=page%3A%2Fcart&sort=lcp')
  expect(viewSearchOf('?env=staging')).toBe('')
})

test('a view without a time range is the address with any', () => {
  expect(isView('q=a', 'q=a&t=7d')).toBe(true)
  expect(isView('q=a&t=7d', 'q=a&t=7d')).toBe(true)
  expect(isView('q=a&t=7d', 'q=a')).toBe(false)
  expect(isView('q=a', 'q=b&t=7d')).toBe(false)
  expect(withoutTime('t=7d')).toBe('')
})
