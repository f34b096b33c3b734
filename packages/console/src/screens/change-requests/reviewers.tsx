import { useQuery } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { permissionsOf } from '@telltale/core/rights'
import { everyMemberQuery, type Member } from '../../api/members.ts'
import { rolesQuery } from '../../api/roles.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Checkbox } from '../../ui/form/choice.tsx'

/** Only those who are still members. */
export function useReviewerNames(reviewers: readonly string[]): string[] {
  const members = useMembers()
  return members.filter(({ user }) => reviewers.includes(user.id)).map(({ user }) => user.name)
}

type ReviewersProps = {
  /** Authors cannot review their own request. */
  author: string | null
  chosen: readonly string[]
  onChosen: (chosen: string[]) => void
  /** The environment of the request: what members may do there. */
  env: string
}

/** The requested reviewers. Other members with permission may still approve. */
export function Reviewers({ author, chosen, onChosen, env }: ReviewersProps) {
  const { project } = useScope()
  const roles = useQuery(rolesQuery(project)).data ?? []
  const mayApprove = ({ role, environments }: Member) => {
    const here = environments.find((one) => one.env === env)?.role ?? role
    return permissionsOf(here, roles).has('changes.approve')
  }
  const members = useMembers().filter((member) => member.user.id !== author && mayApprove(member))
  const isFull = chosen.length >= limits.reviewersPerChangeRequest

  return (
    <fieldset className="grid min-w-0 gap-6">
      <legend className="pb-6 font-medium">Reviewers (optional)</legend>
      {members.length === 0 ? (
        <p className="text-text-2">No other member can approve. An owner of the installation can.</p>
      ) : (
        <div className="grid max-h-menu gap-6 overflow-y-auto">
          {members.map(({ user, role }) => (
            <Checkbox
              key={user.id}
              label={
                <>
                  {user.name} <span className="text-text-3">{role}</span>
                </>
              }
              checked={chosen.includes(user.id)}
              disabled={isFull && !chosen.includes(user.id)}
              onChecked={(checked) =>
                onChosen(checked ? [...chosen, user.id] : chosen.filter((id) => id !== user.id))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}

function useMembers(): readonly Member[] {
  const { project } = useScope()
  return useQuery(everyMemberQuery(project)).data ?? []
}
