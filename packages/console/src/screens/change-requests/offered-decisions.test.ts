import { expect, test } from 'vitest'
import { offeredDecisions } from './offered-decisions.ts'

const author = { isMine: true, mayApprove: true, mayApply: true }
const maintainer = { isMine: false, mayApprove: true, mayApply: true }
const viewer = { isMine: false, mayApprove: false, mayApply: false }

test('nobody approves what is their own, and a viewer approves nothing', () => {
  const approval = (rights: typeof author) =>
    offeredDecisions({ state: 'open', overlaps: [] }, rights).find(({ decision }) => decision === 'approve')
  expect(approval(author)?.refused).toContain('their own')
  expect(approval(viewer)?.refused).toContain('maintainer or admin')
  expect(approval(maintainer)).toEqual({ decision: 'approve' })
})

test('only its author lays it over what is saved, and only where both fit together', () => {
  const offered = (overlaps: string[], rights: typeof author) =>
    offeredDecisions({ state: 'conflicted', overlaps }, rights).map(({ decision }) => decision)
  expect(offered([], author)).toEqual(['rebase', 'withdraw'])
  expect(offered(['/enabled'], author)).toEqual(['withdraw'])
  expect(offered([], maintainer)).toEqual(['decline'])
})

test('what has ended offers nothing', () => {
  expect(offeredDecisions({ state: 'applied', overlaps: [] }, maintainer)).toEqual([])
})
