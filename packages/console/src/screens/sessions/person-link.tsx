import { Link } from '@tanstack/react-router'
import type { SessionRow } from '../../api/sessions.ts'
import { useScope } from '../../shell/scope-context.ts'

type PersonLinkProps = { session: Pick<SessionRow, 'userKey' | 'anonymousId'> }

/** A link to a user. For flags, a guest's key is the id of the browser. */
export function PersonLink({ session: { userKey, anonymousId } }: PersonLinkProps) {
  const { project } = useScope()
  const key = userKey || anonymousId
  const text = userKey === '' ? <span className="text-text-3">guest</span> : userKey
  if (key === '') return text
  return (
    <Link
      to="/p/$project/identities/$identity"
      params={{ project, identity: key }}
      search={{}}
      title={key}
      className={`block max-w-[32ch] truncate hover:underline ${userKey === '' ? '' : 'font-code text-12'}`}
    >
      {text}
    </Link>
  )
}
