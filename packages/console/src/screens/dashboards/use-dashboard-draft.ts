import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Dashboard,
  type DashboardDraft,
  dashboardQuery,
  dashboardsKey,
  draftOf,
  type Tile,
  updateDashboard,
} from '../../api/dashboards.ts'
import { toProblem } from '../../api/problem.ts'
import { duplicateTile, moveTile, resizeTile } from '../../features/dashboards/arrange.ts'
import { tileTitle } from '../../features/dashboards/tile-words.ts'
import { useScope } from '../../shell/scope-context.ts'
import { showToast } from '../../ui/overlay/toast.tsx'

export type DashboardEditing = ReturnType<typeof useDashboardDraft>

/** The edited dashboard, over the version that it was read in. */
export function useDashboardDraft(dashboard: Dashboard, onSaved: () => void) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const [base, setBase] = useState(dashboard)
  const [draft, setDraft] = useState(() => draftOf(dashboard))
  const [conflict, setConflict] = useState<Dashboard>()
  /** For screen readers. */
  const [moved, setMoved] = useState('')
  const place = { project, dashboard: dashboard.id }
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(base))

  const saving = useMutation({
    mutationFn: (over: Dashboard) => updateDashboard({ ...place, draft, version: over.version }),
    onSuccess: async (saved) => {
      setConflict(undefined)
      setBase(saved)
      setDraft(draftOf(saved))
      queryClient.setQueryData(dashboardQuery(place).queryKey, saved)
      showToast({ text: `${saved.name} was saved.` })
      onSaved()
      await queryClient.invalidateQueries({ queryKey: [...dashboardsKey(project), 'list'] })
    },
    onError: (error) => {
      const problem = toProblem(error)
      if (problem.is('version-conflict') && isDashboard(problem.current)) setConflict(problem.current)
    },
  })

  const setTiles = (change: (tiles: readonly Tile[]) => Tile[]) =>
    setDraft((now) => ({ ...now, tiles: change(now.tiles) }))

  return {
    draft,
    isDirty,
    saving,
    conflict,
    moved,
    /** Over this version; by default the one that was edited. */
    save: (over = base) => !saving.isPending && saving.mutate(over),
    /** Their version, without the changes here. */
    take: (theirs: Dashboard) => {
      setBase(theirs)
      setDraft(draftOf(theirs))
      setConflict(undefined)
      saving.reset()
      queryClient.setQueryData(dashboardQuery(place).queryKey, theirs)
    },
    keepEditing: () => setConflict(undefined),
    change: (next: Partial<DashboardDraft>) => setDraft((now) => ({ ...now, ...next })),
    put: (tile: Tile) =>
      setTiles((tiles) =>
        tiles.some(({ id }) => id === tile.id)
          ? tiles.map((one) => (one.id === tile.id ? tile : one))
          : [...tiles, tile],
      ),
    move: (id: string, to: number) => {
      const tiles = moveTile(draft.tiles, id, to)
      setTiles(() => tiles)
      const at = tiles.findIndex((tile) => tile.id === id)
      setMoved(`Moved to place ${at + 1} of ${tiles.length}`)
    },
    resize: (id: string, by: Parameters<typeof resizeTile>[1]) => {
      const tile = draft.tiles.find((one) => one.id === id)
      if (tile === undefined) return
      const next = resizeTile(tile, by)
      setTiles((tiles) => tiles.map((one) => (one.id === id ? next : one)))
      setMoved(`${next.width} of 12 columns, ${next.height} height`)
    },
    duplicate: (id: string) => setTiles((tiles) => duplicateTile(tiles, id)),
    remove: (id: string) => {
      const at = draft.tiles.findIndex((tile) => tile.id === id)
      const tile = draft.tiles[at]
      if (tile === undefined) return
      setTiles((tiles) => tiles.filter((one) => one.id !== id))
      showToast({
        text: `${tileTitle(tile)} was removed.`,
        undo: () =>
          setTiles((tiles) =>
            tiles.some((one) => one.id === id)
              ? [...tiles]
              : [...tiles.slice(0, at), tile, ...tiles.slice(at)],
          ),
      })
    },
  }
}

/** The server sends the saved dashboard with the conflict. */
function isDashboard(value: unknown): value is Dashboard {
  return typeof value === 'object' && value !== null && 'tiles' in value && 'version' in value
}
