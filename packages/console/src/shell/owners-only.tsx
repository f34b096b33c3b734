import type { ReactNode } from 'react'
import { Forbidden } from '../ui/states.tsx'
import { useMay } from './account.ts'

/** Shows nothing of the installation to those who do not own it, and asks the server for nothing. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  if (useMay('installation.manage')) return children
  return (
    <Forbidden
      refusal={{
        title: 'Owners only',
        detail: 'Users, engines and settings of the installation are managed by its owners. Ask one of them.',
      }}
    />
  )
}
