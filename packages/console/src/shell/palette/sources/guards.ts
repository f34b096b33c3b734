// Guarded rollouts and alerts: what watches.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { alertsQuery } from '../../../api/alerts.ts'
import { rolloutsQuery } from '../../../api/rollouts.ts'
import { stateWords } from '../../../features/rollout/rollout-words.ts'
import type { PaletteEntry } from '../entry.ts'
import { usePaletteEnvironment } from './environment.ts'

/** The newest page of the project's rollouts. */
export function useRolloutEntries(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const navigate = useNavigate()
  const rollouts = useInfiniteQuery({ ...rolloutsQuery(project ?? '', {}), enabled: project !== undefined })
  if (project === undefined) return []

  return (rollouts.data?.pages[0]?.items ?? []).map(({ id, flag, env, treatment, control, state }) => ({
    id: `rollout ${project} ${id}`,
    group: 'Rollouts',
    icon: 'rollout',
    label: `${flag}: ${treatment} vs ${control}`,
    note: `${env} · ${stateWords[state]}`,
    run: () =>
      void navigate({
        to: '/p/$project/rollouts/$rollout',
        params: { project, rollout: id },
        search: { env },
      }),
  }))
}

export function useAlertEntries(): readonly PaletteEntry[] {
  const place = usePaletteEnvironment()
  const navigate = useNavigate()
  const alerts = useQuery({
    ...alertsQuery(place?.project ?? '', place?.env ?? ''),
    enabled: place !== undefined,
  })
  if (place === undefined) return []
  const { project, env } = place

  return (alerts.data ?? []).map(({ id, name }) => ({
    id: `alert ${project} ${id}`,
    group: 'Alerts',
    icon: 'alert',
    label: name,
    run: () =>
      void navigate({ to: '/p/$project/alerts/$alert', params: { project, alert: id }, search: { env } }),
  }))
}
