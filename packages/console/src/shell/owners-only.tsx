import type { ReactNode } from 'react'
import { Forbidden } from '../ui/states.tsx'
import { useMay } from './account.ts'

/** Hides the installation's screens from accounts that do not own it, without any request. */
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
