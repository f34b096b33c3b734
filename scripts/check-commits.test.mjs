import { expect, test } from 'vitest'
import { findFaults } from './check-commits.mjs'

test.each([
  ['Retry mail with the same Message-ID', 0],
  ['Guard: roll back on clear harm', 0],
  [`Retry ${'very '.repeat(20)}often`, 1],
  ['Retry mail.', 1],
  ['Fixed the mail', 1],
  ['Console: added a button', 1],
])('“%s” has %i faults', (subject, count) => {
  expect(findFaults(subject)).toHaveLength(count)
})
