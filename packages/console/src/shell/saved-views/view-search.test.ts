import { expect, test } from 'vitest'
import { viewSearchOf } from './view-search.ts'

test('a view is the parameters of an address without environment and open details', () => {
  expect(viewSearchOf('?sort=lcp&env=staging&q=page%3A%2Fcart&peek=x&new=true')).toBe(
    'q=page%3A%2Fcart&sort=lcp',
  )
  expect(viewSearchOf('q=page:/cart&sort=lcp')).toBe('q=page%3A%2Fcart&sort=lcp')
  expect(viewSearchOf('?env=staging')).toBe('')
})
