import { expect, test } from 'vitest'
import { startRefusal } from './start-refusal.ts'

const approvalWith = (missing: { approvals: number; owner: boolean }) => ({
  approval: {
    approvals: [],
    missing,
    needed: { approvals: 2, owner: true },
    owners: [],
    ownerTeams: [],
  },
})
const author = { isMine: true, mayApprove: true }
const approver = { isMine: false, mayApprove: true }
const editor = { isMine: false, mayApprove: false }

test('a draft starts once no approval is missing besides that of the member who starts it', () => {
  expect(startRefusal({ approval: null }, author)).toBeUndefined()
  const last = approvalWith({ approvals: 1, owner: true })
  expect(startRefusal(last, author)).toContain('your draft')
  expect(startRefusal(last, approver)).toBeUndefined()
  expect(startRefusal(last, editor)).toContain('more approvals')
  expect(startRefusal(approvalWith({ approvals: 2, owner: true }), approver)).toContain('more approvals')
  expect(startRefusal(approvalWith({ approvals: 0, owner: false }), author)).toBeUndefined()
  expect(startRefusal(approvalWith({ approvals: 0, owner: true }), author)).toContain('owner of the flag')
})
