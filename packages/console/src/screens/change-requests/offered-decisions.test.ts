import { expect, test } from 'vitest'
import { offeredDecisions } from './offered-decisions.ts'

const author = { isMine: true, mayApprove: true, mayApply: true }
const maintainer = { isMine: false, mayApprove: true, mayApply: true }
const viewer = { isMine: false, mayApprove: false, mayApply: false }

test('nobody approves what is their own, and a viewer approves nothing', () => {
  const approval = (rights: typeof author) =>
    offeredDecisions({ state: 'open' }, rights).find(({ decision }) => decision === 'approve')
  expect(approval(author)?.refused).toContain('your own')
  expect(approval(viewer)?.refused).toContain('maintainer or admin')
  expect(approval(maintainer)).toEqual({ decision: 'approve' })
})

test('only its author changes it, and lays it over what is saved', () => {
  const offered = (state: 'open' | 'approved' | 'conflicted', rights: typeof author) =>
    offeredDecisions({ state }, rights).map(({ decision }) => decision)
  expect(offered('open', author)).toEqual(['approve', 'change', 'decline', 'withdraw'])
  expect(offered('approved', author)).toEqual(['apply', 'change', 'withdraw'])
  expect(offered('conflicted', author)).toEqual(['rebase', 'withdraw'])
  expect(offered('open', maintainer)).toEqual(['approve', 'decline'])
  expect(offered('conflicted', maintainer)).toEqual(['decline'])
})

test('what has ended offers nothing', () => {
  expect(offeredDecisions({ state: 'applied' }, maintainer)).toEqual([])
})
