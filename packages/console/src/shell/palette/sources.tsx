import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { lazy, Suspense } from 'react'
import { environmentsQuery } from '../../api/environments.ts'
import { flagChoicesQuery } from '../../api/flag-configs.ts'
import { identitiesQuery } from '../../api/identities.ts'
import { segmentsQuery } from '../../api/segments.ts'
import type { FlagTelltale } from '../../api/telltales.ts'
import { useTelltales } from '../../features/telltale/use-telltale.ts'
import { useAccount, useMay } from '../account.ts'
import { useNavigation } from '../navigation.ts'
import { useSections } from '../sections.ts'
import { switchTheme } from '../theme.ts'
import type { PaletteEntry } from './entry.ts'

/** Rendered a moment later: the first screen does not need it. */
const TelltalePicture = lazy(() =>
  import('../../features/telltale/flag-telltale.tsx').then(({ TelltalePicture }) => ({
    default: TelltalePicture,
  })),
)

/** The palette's entries on every screen, in this order. Requested data goes through the query layer. */
export function usePaletteSources(text: string): readonly PaletteEntry[] {
  return [
    ...useScreenEntries(),
    ...useSectionEntries(),
    ...useChangeEntries(),
    ...useFlagEntries(text.trim()),
    ...useSegmentEntries(),
    ...useIdentityEntries(text.trim()),
    ...useProjectEntries(),
    ...everywhere,
  ]
}

function useScreenEntries(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const targets = useNavigation()
  const navigate = useNavigate()
  if (project === undefined) return []

  return targets.map((target) => ({
    id: `go ${target.to}`,
    group: 'Go to',
    icon: target.icon,
    label: target.label,
    ...(target.key ? { shortcut: `g ${target.key}` } : {}),
    run: () => void navigate({ to: target.to, params: { project } }),
  }))
}

const sectionKinds = {
  settings: { name: 'Settings', icon: 'settings' },
  account: { name: 'Account', icon: 'identity' },
  admin: { name: 'Installation', icon: 'settings' },
} as const

function useSectionEntries(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const { user } = useAccount()
  const sections = useSections()
  const navigate = useNavigate()

  return sections
    .filter(({ of }) => (of === 'settings' ? project !== undefined : of !== 'admin' || user.role === 'owner'))
    .map(({ of, label, to }) => ({
      id: `go ${to}`,
      group: 'Go to',
      icon: sectionKinds[of].icon,
      label: `${sectionKinds[of].name}: ${label}`,
      run: () => void navigate({ to, params: { project: project ?? '' } }),
    }))
}

/** They are not in the navigation: flags link to them. */
function useChangeEntries(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const mayChange = useMay('flags.change')
  const navigate = useNavigate()
  if (project === undefined) return []
  const newRollout = {
    id: 'new-rollout',
    group: 'Do',
    icon: 'rollout',
    label: 'Start a guarded rollout…',
    run: () => void navigate({ to: '/p/$project/rollouts', params: { project }, search: { new: true } }),
  } as const
  const targets = [
    { label: 'Change requests', to: '/p/$project/change-requests' },
    { label: 'Scheduled changes', to: '/p/$project/scheduled-changes' },
  ] as const
  const lists = targets.map(({ label, to }) => ({
    id: `go ${to}`,
    group: 'Go to' as const,
    icon: 'flag' as const,
    label,
    run: () => void navigate({ to, params: { project }, search: {} }),
  }))
  return mayChange ? [...lists, newRollout] : lists
}

/** A project may have thousands: the server searches for the typed text. */
function useFlagEntries(text: string): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const navigate = useNavigate()
  const flags = useQuery({
    ...flagChoicesQuery({ project: project ?? '', search: text.slice(0, limits.nameLength) }),
    enabled: project !== undefined,
  })
  const telltales = useTelltales()
  if (project === undefined) return []

  return (flags.data ?? []).map(({ key, name }) => ({
    id: `flag ${project} ${key}`,
    group: 'Flags',
    icon: 'flag',
    label: key,
    note: name,
    isKey: true,
    picture: pictureOf(telltales?.find(({ flag }) => flag === key)),
    run: () => void navigate({ to: '/p/$project/flags/$flag/targeting', params: { project, flag: key } }),
  }))
}

function pictureOf(telltale: FlagTelltale | undefined) {
  return (
    telltale && (
      <Suspense>
        <TelltalePicture telltale={telltale} />
      </Suspense>
    )
  )
}

function useSegmentEntries(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const navigate = useNavigate()
  const segments = useQuery({ ...segmentsQuery(project ?? ''), enabled: project !== undefined })
  if (project === undefined) return []

  return (segments.data ?? []).map(({ key, name }) => ({
    id: `segment ${project} ${key}`,
    group: 'Segments',
    icon: 'segment',
    label: key,
    note: name,
    isKey: true,
    run: () => void navigate({ to: '/p/$project/segments/$segment', params: { project, segment: key } }),
  }))
}

const identityFrom = 3
const identitiesShown = 5

/** Identities are too many to list: the server searches by key prefix. */
function useIdentityEntries(text: string): readonly PaletteEntry[] {
  const { project = '' } = useParams({ strict: false })
  const { env: wanted }: { env?: string | undefined } = useSearch({ strict: false })
  const navigate = useNavigate()
  const isLong = text.length >= identityFrom && text.length <= limits.targetingKeyLength
  const environments = useQuery({ ...environmentsQuery(project), enabled: project !== '' && isLong })
  const items = environments.data?.items ?? []
  const env = (items.find(({ key }) => key === wanted) ?? items[0])?.key
  const found = useInfiniteQuery({
    ...identitiesQuery({ project, env: env ?? '' }, { search: text }),
    enabled: isLong && env !== undefined,
  })
  if (!isLong || env === undefined) return []

  return (found.data?.pages[0]?.items ?? [])
    .filter(({ targetingKey }) => targetingKey.startsWith(text))
    .slice(0, identitiesShown)
    .map(({ targetingKey }) => ({
      id: `identity ${project} ${env} ${targetingKey}`,
      group: 'Identities',
      icon: 'identity',
      label: targetingKey,
      isKey: true,
      run: () =>
        void navigate({
          to: '/p/$project/identities/$identity',
          params: { project, identity: targetingKey },
          search: (now) => ({ env: now.env }),
        }),
    }))
}

function useProjectEntries(): readonly PaletteEntry[] {
  const { projects } = useAccount()
  const navigate = useNavigate()
  return [
    ...projects.map(({ key, name }) => ({
      id: `project ${key}`,
      group: 'Projects',
      icon: 'project' as const,
      label: key,
      note: name,
      isKey: true,
      run: () => void navigate({ to: '/p/$project', params: { project: key }, search: {} }),
    })),
    {
      id: 'projects',
      group: 'Projects',
      icon: 'project',
      label: 'All projects',
      run: () => void navigate({ to: '/' }),
    },
  ]
}

const everywhere: readonly PaletteEntry[] = [
  {
    id: 'docs',
    group: 'Do',
    icon: 'info',
    label: 'Open documentation',
    run: () => {
      globalThis.open('/docs/', '_blank', 'noopener')
    },
  },
  {
    id: 'theme',
    group: 'Do',
    icon: 'theme',
    label: 'Switch theme',
    shortcut: 't',
    run: switchTheme,
  },
]
