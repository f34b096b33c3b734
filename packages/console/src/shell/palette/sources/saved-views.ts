import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { savedViewsQuery } from '../../../api/saved-views.ts'
import { useOpenView } from '../../saved-views/view-place.ts'
import type { PaletteEntry } from '../entry.ts'

export function useSavedViewEntries(): readonly PaletteEntry[] {
  const { project = '' } = useParams({ strict: false })
  const views = useQuery({ ...savedViewsQuery(project), enabled: project !== '' })
  const open = useOpenView(project)
  return (views.data ?? []).map((view) => ({
    id: `view ${project} ${view.id}`,
    group: 'Views',
    icon: 'filter',
    label: view.name,
    note: view.screen,
    run: () => open(view),
  }))
}
