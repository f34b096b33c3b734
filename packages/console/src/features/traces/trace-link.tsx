import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../shell/scope-context.ts'

type TraceLinkProps = {
  trace: string
  /** Opened with its details. */
  span?: string | null | undefined
  children?: ReactNode
}

const id = /^[0-9a-f]{32}$/

/** Opens a trace. Other clients number their traces in another way: these are shown as text. */
export function TraceLink({ trace, span, children }: TraceLinkProps) {
  const { project } = useScope()
  const hex = trace.toLowerCase()
  if (!id.test(hex)) return <span>{children ?? trace}</span>
  return (
    <Link
      to="/p/$project/traces/$trace"
      params={{ project, trace: hex }}
      search={({ env, t }) => ({ env, t, span: span ?? undefined })}
      className="text-accent underline"
    >
      {children ?? 'Open trace'}
    </Link>
  )
}
