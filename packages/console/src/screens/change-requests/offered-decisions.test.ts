import { expect, test } from 'vitest'
import { offeredDecisions } from './offered-decisions.ts'

const author = { isMine: true, mayApprove: true, mayApply: true }
const maintainer = { isMine: false, mayApprove: true, mayApply: true }
const viewer = { isMine: false, mayApprove: false, mayApply: false }

test('authors cannot approve their own request, and viewers none', () => {
  const approval = (rights: typeof author) =>
    offeredDecisions({ state: 'open' }, rights).find(({ decision }) => decision === 'approve')
  expect(approval(author)?.refused).toContain('your own')
  expect(approval(viewer)?.refused).toContain('maintainer or admin')
  expect(approval(maintainer)).toEqual({ decision: 'approve' })
})

test('only the author updates or rebases a request', () => {
  const offered = (state: 'open' | 'approved' | 'conflicted', rights: typeof author) =>
    offeredDecisions({ state }, rights).map(({ decision }) => decision)
  expect(offered('open', author)).toEqual(['approve', 'change', 'decline', 'withdraw'])
  expect(offered('approved', author)).toEqual(['apply', 'change', 'withdraw'])
  expect(offered('conflicted', author)).toEqual(['rebase', 'withdraw'])
  expect(offered('open', maintainer)).toEqual(['approve', 'decline'])
  expect(offered('conflicted', maintainer)).toEqual(['decline'])
})

test('a completed request offers no decisions', () => {
  expect(offeredDecisions({ state: 'applied' }, maintainer)).toEqual([])
})
