import type { ReactNode } from 'react'
import { Avatar } from './tag.tsx'

interface UserCellProps {
  user: { name: string; email: string }
  /** Badges. */
  children: ReactNode
}

/** A user in a table: name with badges, and e-mail. */
export function UserCell({ user, children }: UserCellProps) {
  return (
    <span className="flex min-w-0 items-center gap-10 py-4">
      <Avatar name={user.name} />
      <span className="grid min-w-0">
        <span className="flex min-w-0 flex-wrap items-center gap-x-8">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{user.name}</span>
          {children}
        </span>
        <span className="text-text-3 [overflow-wrap:anywhere]">{user.email}</span>
      </span>
    </span>
  )
}
