import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Environment } from '../../api/environments.ts'
import { keysQuery, type SdkKey } from '../../api/keys.ts'
import { CopyText } from '../../ui/copy.tsx'
import { EnvironmentMark } from '../../ui/environment-mark.tsx'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo, useNow } from '../../ui/text/time.tsx'
import { keyStateOf } from './key-state.ts'

/** Wide screens show the keys beside the environment; the rest shares its line. */
export const rowGrid =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-16 full:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,.8fr)_128px_68px]'

type EnvironmentRowProps = { project: string; environment: Environment; children: ReactNode }

/** One environment with its newest keys. The children are its buttons. */
export function EnvironmentRow({ project, environment, children }: EnvironmentRowProps) {
  const keys = useQuery(keysQuery(project, environment.key)).data?.items
  return (
    <li className={`${rowGrid} relative min-h-row-2 px-14 py-6 hover:bg-hover`}>
      <span className="flex min-w-0 items-center gap-12">
        <EnvironmentMark environment={environment} />
        <span className="grid min-w-0">
          <span className="flex min-w-0 items-center gap-8">
            <Link
              to="/p/$project/settings/environments/$environment"
              params={{ project, environment: environment.key }}
              className="truncate font-medium after:absolute after:inset-0"
            >
              {environment.name}
            </Link>
            {environment.managed && <Badge>Managed</Badge>}
          </span>
          <code className="truncate text-text-3">{environment.key}</code>
        </span>
      </span>
      <NewestKey keys={keys} kind="client" />
      <NewestKey keys={keys} kind="server" />
      <span className="text-text-2 max-full:hidden">{changersOf(environment)}</span>
      <span className="relative flex justify-end gap-2">{children}</span>
    </li>
  )
}

type NewestKeyProps = { keys: readonly SdkKey[] | undefined; kind: SdkKey['kind'] }

function NewestKey({ keys, kind }: NewestKeyProps) {
  const now = useNow()
  const active = keys?.filter((key) => key.kind === kind && keyStateOf(key, now) === 'active') ?? []
  const [newest, ...others] = active
  if (!newest) return <span className="text-text-3 max-full:hidden">{keys && 'none'}</span>
  // Applications may still use an older key, so check all of them.
  const lastUsedAt = active
    .flatMap((key) => key.lastUsedAt ?? [])
    .sort()
    .at(-1)
  return (
    <span className="grid min-w-0 max-full:hidden">
      {/* Above the link that covers the row. */}
      <span className="relative flex min-w-0">
        {newest.value === null ? (
          <code className="truncate text-text-2">{newest.prefix}••••••••</code>
        ) : (
          <CopyText text={newest.value} label="Copy the client key" />
        )}
      </span>
      <span className="text-12 text-text-3">
        {lastUsedAt !== undefined && 'used '}
        <TimeAgo at={lastUsedAt} none="never used" />
        {others.length > 0 && `, ${others.length} more`}
      </span>
    </span>
  )
}

function changersOf(environment: Environment): string {
  if (environment.approvalRequired) return 'Approval required'
  return environment.protected ? 'Maintainers' : 'Editors'
}
