import type { RolloutTemplate } from '../../../api/rollout-templates.ts'
import { percent } from '../../../features/rollout/rollout-words.ts'
import type { KnownMetrics } from '../../../features/rollout/use-known-metrics.ts'
import type { Column } from '../../../ui/table/column.ts'
import { editColumn } from '../../../ui/table/edit-column.tsx'

interface TemplateColumnsOptions {
  mayChange: boolean
  nameOf: KnownMetrics['nameOf']
  onEdit: (template: RolloutTemplate) => void
  onDelete: (template: RolloutTemplate) => void
}

export function templateColumns(requested: TemplateColumnsOptions): readonly Column<RolloutTemplate>[] {
  const { nameOf } = requested
  return [
    {
      id: 'name',
      header: 'Template',
      fixed: true,
      card: 'title',
      width: '34%',
      cell: ({ name, key, description }) => (
        <span className="grid min-w-0 gap-2 py-4">
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-8">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
            <code className="truncate text-text-3">{key}</code>
          </span>
          {description !== '' && (
            <span className="line-clamp-2 whitespace-normal text-12 text-text-3">{description}</span>
          )}
        </span>
      ),
    },
    {
      id: 'stages',
      header: 'Stages',
      cell: ({ stages }) => (
        <span className="text-text-2 tabular-nums">
          {stages.map(({ weight }) => percent(weight)).join(' → ')}
          {stages.some(({ needsApproval }) => needsApproval) && (
            <span className="text-text-3"> with approval</span>
          )}
        </span>
      ),
    },
    {
      id: 'metrics',
      header: 'Metrics',
      cell: ({ metrics }) => (
        <span className="line-clamp-2 whitespace-normal text-text-2">
          {metrics.map(({ metric }) => nameOf(metric)).join(', ')}
        </span>
      ),
    },
    editColumn(requested),
  ]
}
