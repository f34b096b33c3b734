import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { dashboardsQuery } from '../../../api/dashboards.ts'
import type { PaletteEntry } from '../entry.ts'

/** A project may have thousands: the server searches for the typed text. */
export function useDashboardEntries(text: string): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const navigate = useNavigate()
  const found = useInfiniteQuery({
    ...dashboardsQuery(project ?? '', text.slice(0, limits.nameLength) || undefined),
    enabled: project !== undefined,
  })
  if (project === undefined) return []

  return (found.data?.pages[0]?.items ?? []).map(({ id, name }) => ({
    id: `dashboard ${project} ${id}`,
    group: 'Dashboards',
    icon: 'dashboard',
    label: name,
    run: () => void navigate({ to: '/p/$project/dashboards/$dashboard', params: { project, dashboard: id } }),
  }))
}
