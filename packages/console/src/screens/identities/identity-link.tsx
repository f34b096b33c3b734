import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../shell/scope-context.ts'

type IdentityLinkProps = { targetingKey: string; className?: string; children: ReactNode }

export function IdentityLink({ targetingKey, className = '', children }: IdentityLinkProps) {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/identities/$identity"
      params={{ project, identity: targetingKey }}
      search={{}}
      className={className}
    >
      {children}
    </Link>
  )
}
