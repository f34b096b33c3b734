import type { Approvals as Given } from '@telltale/core/contract/change-requests'
import { useScope } from '../../shell/scope-context.ts'
import { TimeAgo } from '../../ui/text/time.tsx'
import { ownerIdsOf, useOwners } from '../people/use-owners.ts'

interface ApprovalsProps {
  of: Given
  /** The member who cannot approve. */
  authorId: string | null
  /** Whether it still needs what is missing. */
  isOpen: boolean
  /** Whether its versions have numbers that are shown elsewhere. */
  isVersioned: boolean
}

/** Who approved which version, and what is still missing. */
export function Approvals({ of, authorId, isOpen, isVersioned }: ApprovalsProps) {
  const { approvals, missing, needed } = of
  const owners = useOwnerNames(of, authorId)
  return (
    <div className="grid gap-2 text-text-2">
      {approvals.map(({ id, name, version, at, asOwner }) => (
        <p key={`${id} ${at}`} className="[overflow-wrap:anywhere]">
          Approved by {name}, {isVersioned && `version ${version}, `}
          <TimeAgo at={at} />
          {asOwner && ', an owner'}
        </p>
      ))}
      {isOpen && missing.approvals > 0 && (
        <p>
          {approvals.length} of {needed.approvals} approval{needed.approvals === 1 ? '' : 's'}.
        </p>
      )}
      {isOpen && missing.owner && (
        <p className="[overflow-wrap:anywhere]">Approval wanted from an owner: {owners.join(', ')}.</p>
      )}
    </div>
  )
}

/** Owners who can give it: never the author. */
function useOwnerNames(of: Pick<Given, 'owners' | 'ownerTeams'>, authorId: string | null): string[] {
  const { project } = useScope()
  const known = useOwners(project)
  const unknownName = (id: string) =>
    of.ownerTeams.includes(id) ? 'a team without a role in the project' : 'a former member'
  return ownerIdsOf(of)
    .filter((id) => id !== authorId)
    .map((id) => known.find((one) => one.id === id)?.name ?? unknownName(id))
}
