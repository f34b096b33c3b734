import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Profile } from '../../api/profiles.ts'
import { sessionQuery } from '../../api/sessions.ts'
import { useScope } from '../../shell/scope-context.ts'

type MomentLinkProps = {
  profile: Pick<Profile, 'session' | 'startedAt'>
  /** Milliseconds since the profile started. */
  at: number
  className?: string
  children: ReactNode
}

/** The session at a moment of the profile; from its start while the moment is unknown. */
export function MomentLink({
  profile,
  at,
  className = 'text-accent hover:underline',
  children,
}: MomentLinkProps) {
  const { project, environment } = useScope()
  const { session, startedAt } = profile
  const { data } = useQuery(sessionQuery({ project, env: environment.key }, session))
  const since = data && (Date.parse(startedAt) + at - Date.parse(data.startedAt)) / 1_000
  return (
    <Link
      to="/p/$project/sessions/$session"
      params={{ project, session }}
      hash={since === undefined ? '' : `t=${Math.max(0, since).toFixed(3)}`}
      className={className}
    >
      {children}
    </Link>
  )
}
