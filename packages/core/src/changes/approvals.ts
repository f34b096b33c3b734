// Whether a proposal has the approvals that its environment asks for.

export interface Approval {
  /** Of the account. */
  id: string | null
  name: string
  /** The version of the proposal that was read. */
  version: number
  at: string
}

export interface ApprovalRule {
  /** How many members must approve. */
  needed: number
  /** Whether one of them must be an owner of the flag. */
  byOwner: boolean
}

export interface Proposed {
  authorId: string | null
  /** The version of the proposal as it is now: approvals of earlier ones have lapsed. */
  version: number
  approvals: readonly Approval[]
  /** The accounts that own the flag. */
  owners: readonly string[]
  teams: OwningTeams
}

/** What approvals need of the teams that own a flag: a team may have thousands of members. */
export interface OwningTeams {
  /** Their members among the approvers. */
  approvers: readonly string[]
  /** Whether a member besides the author could approve. */
  hasOther: boolean
}

export interface Missing {
  approvals: number
  /** An approval by an owner is missing. */
  owner: boolean
}

/** The approvals that count: of the proposal as it is now, one for each member, and none by its author. */
export function validApprovals({ approvals, authorId, version }: Proposed): Approval[] {
  const valid = approvals.filter((one) => one.version === version && one.id !== authorId)
  return valid.filter((one, index) => valid.findIndex(({ id }) => id === one.id) === index)
}

/**
 * What is missing until it can be applied. A flag without an owner besides the author asks for no owner: no one could
 * give that approval.
 */
export function missingApprovals({ needed, byOwner }: ApprovalRule, proposed: Proposed): Missing {
  const valid = validApprovals(proposed)
  const owners = proposed.owners.filter((id) => id !== proposed.authorId)
  const approving = new Set([...owners, ...proposed.teams.approvers])
  const hasOwner = valid.some(({ id }) => id !== null && approving.has(id))
  return {
    approvals: Math.max(0, needed - valid.length),
    owner: byOwner && (owners.length > 0 || proposed.teams.hasOther) && !hasOwner,
  }
}

export function isApproved(missing: Missing): boolean {
  return missing.approvals === 0 && !missing.owner
}
