import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { deleteLayer, type Layer, layersQuery } from '../../../api/layers.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { Screen } from '../../../shell/screen.tsx'
import { useNewButton } from '../../../shell/use-new-button.tsx'
import { DocsLink } from '../../../ui/docs-link.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ExperimentTabs } from '../experiment-tabs.tsx'
import { layerColumns } from './layer-columns.tsx'
import { LayerDialog } from './layer-dialog.tsx'

type Open = { kind: 'edit' | 'delete'; layer: Layer }

/** The layers of the project, with what is free of each in the environment. */
export function LayersScreen() {
  const { project, environment } = useScope()
  const search = useSearch({ from: '/p/$project/experiments/layers' })
  const navigate = useNavigate({ from: '/p/$project/experiments/layers' })
  const layers = useQuery(layersQuery(project))
  const mayChange = useMay('flags.change')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const setNew = (isNew: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, new: isNew }), replace: true, resetScroll: false })
  const newButton = useNewButton({
    label: 'New layer',
    mayCreate: mayChange,
    missing: 'editors create layers',
    create: () => setNew(true),
  })
  const columns = useMemo(
    () =>
      layerColumns({
        env: environment.key,
        mayChange,
        onEdit: (layer) => setOpen({ kind: 'edit', layer }),
        onDelete: (layer) => setOpen({ kind: 'delete', layer }),
      }),
    [mayChange, environment.key],
  )
  return (
    <Screen title="Experiments" actions={newButton} tabs={<ExperimentTabs />}>
      <MayNotice permission="flags.change" />
      <Async
        of={layers}
        isEmpty={(items) => items.length === 0}
        empty={
          <Empty title="No layers yet" action={newButton}>
            Experiments of one layer never share a user, so that they cannot disturb each other.{' '}
            <DocsLink page="guides/experiments">Read the guide</DocsLink>.
          </Empty>
        }
      >
        {(rows) => <DataTable label="Layers" rows={rows} rowId={({ key }) => key} columns={columns} />}
      </Async>
      {search.new && mayChange && <LayerDialog layer={undefined} onClose={() => setNew(undefined)} />}
      {open?.kind === 'edit' && <LayerDialog layer={open.layer} onClose={close} />}
      {open?.kind === 'delete' && <DeleteLayer layer={open.layer} onClose={close} />}
    </Screen>
  )
}

function DeleteLayer({ layer, onClose }: { layer: Layer; onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => deleteLayer({ project, layer: layer.key }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: layersQuery(project).queryKey })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete layer ${layer.name}`}
      consequence="New experiments can no longer use it. Ended experiments keep their results."
      verb="Delete"
      busy={deleting.isPending}
      problem={deleting.error && toProblem(deleting.error)}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    />
  )
}
