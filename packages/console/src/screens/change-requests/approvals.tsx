import type { DescribedChangeRequest } from '../../api/change-requests.ts'
import { usePeople } from '../../features/people/use-people.ts'
import { useScope } from '../../shell/scope-context.ts'
import { TimeAgo } from '../../ui/text/time.tsx'

/** Who approved which version, and what is still missing. */
export function Approvals({ request }: { request: DescribedChangeRequest }) {
  const { approvals, missing, needed, state } = request
  const isOpen = state === 'open' || state === 'approved'
  const owners = useOwnerNames(request)
  return (
    <div className="grid gap-2 text-text-2">
      {approvals.map(({ id, name, version, at }) => (
        <p key={`${id} ${at}`} className="[overflow-wrap:anywhere]">
          Approved by {name}, version {version}, <TimeAgo at={at} />
          {id !== null && request.owners.includes(id) && ', an owner'}
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
function useOwnerNames({ owners, author }: DescribedChangeRequest): string[] {
  const { project } = useScope()
  const people = usePeople(project)
  return owners
    .filter((id) => id !== author.id)
    .map((id) => people.find((one) => one.id === id)?.name ?? 'a former member')
}
