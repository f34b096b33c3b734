import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  createDashboard,
  type Dashboard,
  type DashboardDraft,
  dashboardsKey,
  deleteDashboard,
  draftOf,
  exportDashboard,
} from '../../api/dashboards.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { saveFile } from '../../ui/save-file.ts'

const fail = (error: unknown) => showToast({ text: toProblem(error).title })

/** TV mode, copies and files of a dashboard, and its deletion. */
export function DashboardMenu({ dashboard }: { dashboard: Dashboard }) {
  const { project } = useScope()
  const mayChange = useMay('flags.change')
  const queryClient = useQueryClient()
  const navigate = useNavigate({ from: '/p/$project/dashboards/$dashboard' })
  const open = (id: string) =>
    navigate({ to: '/p/$project/dashboards/$dashboard', params: { project, dashboard: id } })
  const refresh = () => queryClient.invalidateQueries({ queryKey: dashboardsKey(project) })
  const place = { project, dashboard: dashboard.id }

  const creating = useMutation({
    mutationFn: (draft: DashboardDraft) =>
      createDashboard({ project, draft, idempotencyKey: newIdempotencyKey() }),
    onSuccess: async ({ id }) => {
      await refresh()
      await open(id)
    },
    onError: fail,
  })
  const deleting = useMutation({
    mutationFn: () => deleteDashboard(place),
    onSuccess: async () => {
      await navigate({ to: '/p/$project/dashboards', params: { project } })
      await refresh()
      showToast({
        text: `${dashboard.name} was deleted.`,
        undo: () => creating.mutate(draftOf(dashboard)),
      })
    },
    onError: fail,
  })
  const exporting = useMutation({
    mutationFn: () => exportDashboard(place),
    onSuccess: (file) =>
      saveFile(
        `${fileNameOf(file.name)}.dashboard.json`,
        `${JSON.stringify(file, null, 2)}\n`,
        'application/json',
      ),
    onError: fail,
  })
  const watch = () => void navigate({ search: (now) => ({ ...now, tv: true, edit: undefined }) })
  usePaletteEntries([{ id: 'dashboard-tv', group: 'Do', icon: 'live', label: 'TV mode', run: watch }])

  return (
    <Menu align="end" trigger={<IconButton icon="more" label="More actions" look="normal" />}>
      <MenuItem icon="live" onSelect={watch}>
        TV mode
      </MenuItem>
      <MenuItem
        icon="copy"
        disabled={!mayChange}
        onSelect={() =>
          creating.mutate({ ...draftOf(dashboard), name: `${dashboard.name.slice(0, 110)} (copy)` })
        }
      >
        Duplicate
      </MenuItem>
      <MenuItem icon="out" onSelect={() => exporting.mutate()}>
        Export as JSON
      </MenuItem>
      <MenuLine />
      <MenuItem icon="trash" danger disabled={!mayChange} onSelect={() => deleting.mutate()}>
        Delete
      </MenuItem>
    </Menu>
  )
}

const fileNameOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'dashboard'
