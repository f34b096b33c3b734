import { Link } from '@tanstack/react-router'
import type { SegmentRow } from '../../api/segments.ts'
import { countConditions } from '../../ui/conditions/condition-faults.ts'
import type { Column } from '../../ui/table/column.ts'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'

export const segmentColumns: readonly Column<SegmentRow>[] = [
  {
    id: 'key',
    header: 'Segment',
    sortBy: ({ key }) => key,
    cell: (segment) => <SegmentCell segment={segment} />,
    width: '45%',
    card: 'title',
    fixed: true,
  },
  {
    id: 'conditions',
    header: 'Conditions',
    sortBy: ({ when }) => countConditions(when),
    cell: ({ when }) => <span className="text-text-2">{conditionsText(countConditions(when))}</span>,
  },
  {
    id: 'used',
    header: 'Used by',
    sortBy: ({ usedByFlags }) => usedByFlags,
    cell: ({ usedByFlags }) => (
      <span className={usedByFlags === 0 ? 'text-text-3' : 'text-text-2'}>{flagsText(usedByFlags)}</span>
    ),
    card: 'aside',
  },
  {
    id: 'created',
    header: 'Created',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => (
      <span className="text-text-2">
        <TimeAgo at={createdAt} />
      </span>
    ),
    hideBelow: 'full',
    card: 'none',
  },
]

function SegmentCell({ segment }: { segment: SegmentRow }) {
  return (
    <span className="grid min-w-0">
      <span className="flex min-w-0 items-center gap-8">
        <Link
          from="/p/$project/segments"
          to="/p/$project/segments/$segment"
          params={{ segment: segment.key }}
          className="truncate font-code font-medium text-12"
        >
          {segment.key}
        </Link>
        {segment.managed && <Badge>Managed</Badge>}
      </span>
      <span className="truncate text-text-2" title={segment.name}>
        {segment.name}
      </span>
    </span>
  )
}

export function conditionsText(count: number): string {
  return count === 0 ? 'no conditions' : count === 1 ? '1 condition' : `${count} conditions`
}

export function flagsText(count: number): string {
  return count === 0 ? 'no flags' : count === 1 ? '1 flag' : `${count} flags`
}
