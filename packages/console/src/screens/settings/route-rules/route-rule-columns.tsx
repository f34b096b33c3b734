import type { RouteRule } from '../../../api/route-rules.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Menu, MenuItem } from '../../../ui/overlay/menu.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { Badge } from '../../../ui/tag.tsx'
import { Time } from '../../../ui/text/time.tsx'

interface RouteRuleColumnsOptions {
  mayManage: boolean
  onEdit: (rule: RouteRule) => void
  onDelete: (rule: RouteRule) => void
}

export const patternOf = ({ under }: Pick<RouteRule, 'under'>) => `${under}/:id`

export function routeRuleColumns(requested: RouteRuleColumnsOptions): readonly Column<RouteRule>[] {
  return [
    {
      id: 'route',
      header: 'Route',
      fixed: true,
      card: 'title',
      cell: (rule) => (
        <span className="flex min-w-0 flex-wrap items-center gap-x-8">
          <code className="min-w-0 [overflow-wrap:anywhere]">{patternOf(rule)}</code>
          {rule.isLearned && <Badge>Automatic</Badge>}
        </span>
      ),
    },
    {
      id: 'effect',
      header: 'Values',
      cell: ({ isMerged }) => (isMerged ? 'Grouped' : <span className="text-text-3">Kept apart</span>),
    },
    {
      id: 'except',
      header: 'Except',
      cell: ({ except }) => <code className="[overflow-wrap:anywhere]">{except.join(', ') || '–'}</code>,
    },
    {
      id: 'since',
      header: 'Since',
      hideBelow: 'full',
      card: 'none',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      cell: (rule) => (
        <Menu align="end" trigger={<IconButton icon="more" label={`Actions for ${patternOf(rule)}`} />}>
          <MenuItem icon="edit" disabled={!requested.mayManage} onSelect={() => requested.onEdit(rule)}>
            Edit…
          </MenuItem>
          <MenuItem
            icon="trash"
            danger
            disabled={!requested.mayManage}
            onSelect={() => requested.onDelete(rule)}
          >
            Delete…
          </MenuItem>
        </Menu>
      ),
    },
  ]
}
