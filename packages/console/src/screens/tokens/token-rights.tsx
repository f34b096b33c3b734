import { useQuery } from '@tanstack/react-query'
import { projectRoles, tokenRoles } from '@telltale/core/permissions'
import { rolesQuery } from '../../api/roles.ts'
import { useAccount } from '../../shell/account.ts'
import { Select } from '../../ui/form/select.tsx'

const day = 86_400_000
const lifetimes = [
  { value: 'month', label: '30 days', days: 30 },
  { value: 'quarter', label: '90 days', days: 90 },
  { value: 'year', label: 'One year', days: 365 },
  { value: 'ever', label: 'Never', days: 0 },
] as const

/** What a token may do, and for how long. */
export interface TokenRights {
  /** Empty: every project. */
  project: string
  /** Own roles only with a project. */
  role: string
  lifetime: (typeof lifetimes)[number]['value']
}

export const usualRights: TokenRights = { project: '', role: 'editor', lifetime: 'quarter' }

/** As the calls take them. `now`: milliseconds. */
export function toTokenBody({ project, role, lifetime }: TokenRights, now: number) {
  const days = lifetimes.find(({ value }) => value === lifetime)?.days ?? 0
  return {
    role,
    ...(project === '' ? {} : { project }),
    ...(days === 0 ? {} : { expiresAt: new Date(now + days * day).toISOString() }),
  }
}

type TokenRightsFieldsProps = { rights: TokenRights; onRights: (rights: TokenRights) => void }

export function TokenRightsFields({ rights, onRights }: TokenRightsFieldsProps) {
  const { user, projects } = useAccount()
  const own = useQuery({ ...rolesQuery(rights.project), enabled: rights.project !== '' }).data ?? []
  const builtIn = user.role === 'owner' && rights.project === '' ? tokenRoles : projectRoles
  const options = [
    ...builtIn.map((role) => ({ value: `${role}`, label: role[0]?.toUpperCase() + role.slice(1) })),
    ...own.filter((role) => !role.builtIn).map(({ key, name }) => ({ value: key, label: name })),
  ]

  function edit(part: Partial<TokenRights>) {
    const next = { ...rights, ...part }
    const isOwnerOfOne = next.role === 'owner' && next.project !== ''
    const isOwn = !tokenRoles.some((role) => role === next.role)
    // An own role is one of the project that was chosen before.
    if (isOwn && next.project !== rights.project) return onRights({ ...next, role: 'viewer' })
    onRights(isOwnerOfOne ? { ...next, role: 'admin' } : next)
  }

  return (
    <>
      <Select
        label="Scope"
        options={[
          { value: '', label: 'All your projects' },
          ...projects.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
        ]}
        value={rights.project}
        onValue={(project) => edit({ project })}
      />
      <Select
        label="Role"
        hint="At most your own role."
        options={options}
        value={rights.role}
        onValue={(role) => edit({ role })}
      />
      <Select
        label="Expires after"
        options={lifetimes}
        value={rights.lifetime}
        onValue={(lifetime) => edit({ lifetime })}
      />
    </>
  )
}
