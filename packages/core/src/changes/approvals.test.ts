import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Approval, isApproved, missingApprovals, type Proposed } from './approvals.ts'

const at = '2026-01-01T00:00:00.000Z'
const by = (id: string, version = 3): Approval => ({ id, name: id, version, at })
const proposed = (approvals: Approval[], owners: string[] = []): Proposed => ({
  ...{ authorId: 'ada', version: 3, approvals, owners, teams: { approvers: [], hasOther: false } },
})

test('approvals of an earlier version, by the author or by the same member twice do not count', () => {
  const rule = { needed: 2, byOwner: false }
  expect(missingApprovals(rule, proposed([by('kim'), by('lin')]))).toEqual({ approvals: 0, owner: false })
  expect(missingApprovals(rule, proposed([by('kim'), by('lin', 2)])).approvals).toBe(1)
  expect(missingApprovals(rule, proposed([by('kim'), by('ada')])).approvals).toBe(1)
  expect(missingApprovals(rule, proposed([by('kim'), by('kim')])).approvals).toBe(1)
})

test('an owner must approve where the environment asks for it, unless only the author owns the flag', () => {
  const rule = { needed: 1, byOwner: true }
  expect(missingApprovals(rule, proposed([by('kim')], ['lin']))).toEqual({ approvals: 0, owner: true })
  expect(missingApprovals(rule, proposed([by('lin')], ['lin', 'ada'])).owner).toBe(false)
  expect(missingApprovals(rule, proposed([by('kim')], ['ada'])).owner).toBe(false)
})

test('any member of an owning team approves as an owner, but never the author alone', () => {
  const rule = { needed: 1, byOwner: true }
  const owned = (approvals: Approval[], approvers: string[], hasOther = true) =>
    missingApprovals(rule, { ...proposed(approvals), teams: { approvers, hasOther } })
  expect(owned([by('kim')], [])).toEqual({ approvals: 0, owner: true })
  expect(owned([by('lin')], ['lin']).owner).toBe(false)
  expect(owned([by('lin', 2)], ['lin']).owner).toBe(true)
  expect(owned([by('ada'), by('kim')], ['ada']).owner).toBe(true)
  // A team of the author alone asks for no one.
  expect(owned([by('kim')], [], false).owner).toBe(false)
})

test('nothing is approved by its author alone, and more approvals never take one away', () => {
  const someApproval = fc.record({
    id: fc.constantFrom('ada', 'kim', 'lin', 'mia'),
    name: fc.constant('A member'),
    version: fc.integer({ min: 1, max: 3 }),
    at: fc.constant(at),
  })
  const someRule = fc.record({ needed: fc.integer({ min: 1, max: 5 }), byOwner: fc.boolean() })
  const someOwners = fc.subarray(['ada', 'kim', 'lin'])
  const someCase = fc.record({
    approvals: fc.array(someApproval),
    more: someApproval,
    rule: someRule,
    owners: someOwners,
  })
  fc.assert(
    fc.property(someCase, ({ approvals, more, rule, owners }) => {
      const missing = missingApprovals(rule, proposed(approvals, owners))
      const valid = approvals.filter(({ id, version }) => id !== 'ada' && version === 3)
      if (isApproved(missing))
        expect(new Set(valid.map(({ id }) => id)).size).toBeGreaterThanOrEqual(rule.needed)
      const after = missingApprovals(rule, proposed([...approvals, more], owners))
      expect(after.approvals).toBeLessThanOrEqual(missing.approvals)
      if (!missing.owner) expect(after.owner).toBe(false)
    }),
  )
})
