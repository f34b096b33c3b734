import type { DescribedChangeRequest } from '../../api/change-requests.ts'
import { ownerIdsOf, useOwners } from '../../features/people/use-owners.ts'
import { useScope } from '../../shell/scope-context.ts'
import { TimeAgo } from '../../ui/text/time.tsx'

/** Who approved which version, and what is still missing. */
export function Approvals({ request }: { request: DescribedChangeRequest }) {
  const { approvals, missing, needed, state } = request
  const isOpen = state === 'open' || state === 'approved'
  const owners = useOwnerNames(request)
  return (
    <div className="grid gap-2 text-text-2">
      {approvals.map(({ id, name, version, at, asOwner }) => (
        <p key={`${id} ${at}`} className="[overflow-wrap:anywhere]">
          Approved by {name}, version {version}, <TimeAgo at={at} />
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
function useOwnerNames({ author, ...request }: DescribedChangeRequest): string[] {
  const { project } = useScope()
  const known = useOwners(project)
  const unknownName = (id: string) =>
    request.ownerTeams.includes(id) ? 'a team without a role in the project' : 'a former member'
  return ownerIdsOf(request)
    .filter((id) => id !== author.id)
    .map((id) => known.find((one) => one.id === id)?.name ?? unknownName(id))
}
