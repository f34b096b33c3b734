import type { Evaluations } from '../../../api/flags.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Variation } from '../../../ui/variation.tsx'
import { countText } from '../flag-words.ts'

type Series = Evaluations['series'][number]

const reasonWords: Record<string, string> = {
  DISABLED: 'off, or a prerequisite failed',
  TARGETING_MATCH: 'a rule matched, or an override',
  SPLIT: 'percentage split',
  STATIC: 'the same for everyone',
  DEFAULT: 'no rule matched',
  ERROR: 'evaluation failed',
}

type ReasonTableProps = { reply: Evaluations; variations: readonly { key: string }[] }

/** Evaluations by variation and reason. */
export function ReasonTable({ reply, variations }: ReasonTableProps) {
  return (
    <DataTable
      label="Evaluations by variation and reason"
      rows={reply.series}
      rowId={({ variation, reason }) => `${variation} ${reason}`}
      columns={columnsOf(reply.total, variations)}
      sorted
      tall={false}
    />
  )
}

function columnsOf(total: number, variations: readonly { key: string }[]): readonly Column<Series>[] {
  return [
    {
      id: 'variation',
      header: 'Variation',
      width: '34%',
      card: 'title',
      fixed: true,
      cell: ({ variation }) => {
        const order = variations.findIndex(({ key }) => key === variation)
        if (variation === null) return <span className="text-text-2">default in the code</span>
        if (order < 0) return <code className="text-12">{variation} (deleted)</code>
        return <Variation order={order} label={variation} isKey />
      },
    },
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ reason }) => (
        <span className="text-text-2" title={reason}>
          {reasonWords[reason] ?? reason}
        </span>
      ),
    },
    {
      id: 'total',
      header: 'Evaluations',
      align: 'end',
      cell: (series) => countText(series.total),
      card: 'aside',
    },
    {
      id: 'share',
      header: 'Share',
      align: 'end',
      cell: (series) => `${((100 * series.total) / (total || 1)).toFixed(1)}%`,
      card: 'none',
    },
  ]
}
