import { Link } from '@tanstack/react-router'
import { percentText } from '@telltale/core/changes/condition-words'
import { limits } from '@telltale/core/limits'
import type { Layer } from '../../../api/layers.ts'
import type { Column } from '../../../ui/table/column.ts'
import { editColumn } from '../../../ui/table/edit-column.tsx'
import { ExperimentState } from '../experiment-state.tsx'

interface LayerColumnsOptions {
  /** The key of the environment. */
  env: string
  mayChange: boolean
  onEdit: (layer: Layer) => void
  onDelete: (layer: Layer) => void
}

export function layerColumns(requested: LayerColumnsOptions): readonly Column<Layer>[] {
  const { env } = requested
  return [
    {
      id: 'name',
      header: 'Layer',
      fixed: true,
      card: 'title',
      width: '32%',
      cell: ({ name, key, description }) => (
        <span className="grid min-w-0">
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-8">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
            <code className="truncate text-text-3">{key}</code>
          </span>
          {description !== '' && (
            <span className="text-12 text-text-2 [overflow-wrap:anywhere]">{description}</span>
          )}
        </span>
      ),
    },
    {
      id: 'free',
      header: 'Free',
      width: '120px',
      cell: ({ free }) => (
        <span className="whitespace-nowrap tabular-nums">
          {percentText(free[env] ?? limits.weightTotal)} free
        </span>
      ),
    },
    {
      id: 'experiments',
      header: 'Experiments',
      cell: ({ experiments }) => <Experiments of={experiments.filter((one) => one.env === env)} />,
    },
    {
      id: 'by',
      header: 'Divides by',
      width: '140px',
      hideBelow: 'full',
      card: 'none',
      cell: ({ by }) => <code className="[overflow-wrap:anywhere]">{by}</code>,
    },
    editColumn(requested),
  ]
}

function Experiments({ of }: { of: Layer['experiments'] }) {
  if (of.length === 0) return <span className="text-text-3">no experiments here</span>
  return (
    <ul className="grid gap-4">
      {of.map(({ id, name, state, share }) => (
        <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-8">
          <Link
            from="/p/$project/experiments/layers"
            to="/p/$project/experiments/$experiment"
            params={{ experiment: id }}
            className="min-w-0 [overflow-wrap:anywhere]"
          >
            {name}
          </Link>
          <span className="tabular-nums text-text-2">{percentText(share ?? 0)}</span>
          <ExperimentState state={state} />
        </li>
      ))}
    </ul>
  )
}
