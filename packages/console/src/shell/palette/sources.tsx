import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { lazy, Suspense } from 'react'
import { flagChoicesQuery } from '../../api/flag-configs.ts'
import { segmentsQuery } from '../../api/segments.ts'
import { type FlagTelltale, telltalesQuery } from '../../api/telltales.ts'
import { worstOf } from '../../features/telltale/use-telltale.ts'
import type { PaletteEntry } from './entry.ts'
import { useCommands } from './sources/commands.ts'
import { useDashboardEntries } from './sources/dashboards.ts'
import { useDestinations, useProjectEntries } from './sources/destinations.ts'
import { usePaletteEnvironment } from './sources/environment.ts'
import { useAlertEntries, useRolloutEntries } from './sources/guards.ts'
import { useIdentityEntries } from './sources/identities.ts'
import { useMonitoringEntries } from './sources/monitoring.ts'
import { useSavedViewEntries } from './sources/saved-views.ts'

/** Rendered a moment later: the first screen does not need it. */
const TelltalePicture = lazy(() =>
  import('../../features/telltale/flag-telltale.tsx').then(({ TelltalePicture }) => ({
    default: TelltalePicture,
  })),
)

/** The palette's entries on every screen, in this order. Requested data goes through the query layer. */
export function usePaletteSources(text: string): readonly PaletteEntry[] {
  const wanted = text.trim()
  return [
    ...useDestinations(),
    ...useCommands(),
    ...useSavedViewEntries(),
    ...useFlagEntries(wanted),
    ...useRolloutEntries(),
    ...useSegmentEntries(),
    ...useMonitoringEntries(wanted),
    ...useDashboardEntries(wanted),
    ...useAlertEntries(),
    ...useIdentityEntries(wanted),
    ...useProjectEntries(),
  ]
}

/** A project may have thousands: the server searches for the typed text. */
function useFlagEntries(text: string): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const navigate = useNavigate()
  const flags = useQuery({
    ...flagChoicesQuery({ project: project ?? '', search: text.slice(0, limits.nameLength) }),
    enabled: project !== undefined,
  })
  // The palette is outside the scope of the screen.
  const place = usePaletteEnvironment()
  const telltales = useQuery({
    ...telltalesQuery(place ?? { project: '' }),
    enabled: place !== undefined,
  })
  if (project === undefined) return []

  return (flags.data ?? []).map(({ key, name }) => ({
    id: `flag ${project} ${key}`,
    group: 'Flags',
    icon: 'flag',
    label: key,
    note: name,
    isKey: true,
    picture: pictureOf(worstOf(telltales.data, key)),
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
