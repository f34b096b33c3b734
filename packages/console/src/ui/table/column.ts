import type { ReactNode } from 'react'

type SortValue = string | number | boolean | null

/** A column: its cells, and their position when the row becomes a card on narrow screens. */
export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** The header is for screen readers only: the cells are self-explanatory, such as buttons. */
  readonly hiddenHeader?: true
  readonly cell: (row: Row) => ReactNode
  /** The sort key of a row. Without it the column is not sortable. */
  readonly sortBy?: (row: Row) => SortValue
  /** Numbers are right-aligned. */
  readonly align?: 'end'
  /** Any CSS width. Default: sized by content. */
  readonly width?: string
  /** Hidden below this viewport width. */
  readonly hideBelow?: 'full'
  /** In the card: first line left, first line right, a separate line (default), or left out. */
  readonly card?: 'title' | 'aside' | 'line' | 'none'
  /** Summarises in one line of the card several columns of the table. */
  readonly onlyInCard?: true
  /** Cannot be hidden in the column menu. */
  readonly fixed?: boolean
}

export interface Sort {
  readonly id: string
  readonly desc: boolean
}

/** As in the URL: `name`, or `-name` for descending. */
export function parseSort(text: unknown): Sort | undefined {
  if (typeof text !== 'string' || !/^-?\w[\w.-]*$/.test(text)) return undefined
  return text.startsWith('-') ? { id: text.slice(1), desc: true } : { id: text, desc: false }
}

export function sortText(sort: Sort): string {
  return sort.desc ? `-${sort.id}` : sort.id
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Missing values sort after others; text sorts naturally: `rule-2` before `rule-10`. */
export function compareValues(a: SortValue, b: SortValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b)
  return Number(a) - Number(b)
}

/** Missing values stay last in both directions; the sort is stable. */
export function sortRows<Row>(rows: readonly Row[], by: (row: Row) => SortValue, desc: boolean): Row[] {
  const direction = desc ? -1 : 1
  return rows
    .map((row) => ({ row, value: by(row) }))
    .sort((a, b) =>
      a.value === null || b.value === null
        ? compareValues(a.value, b.value)
        : direction * compareValues(a.value, b.value),
    )
    .map(({ row }) => row)
}

export const cellClass = {
  title: 'max-wide:col-start-1 max-wide:row-start-1',
  aside: 'max-wide:col-start-2 max-wide:row-start-1 max-wide:text-right',
  line: 'max-wide:col-span-2',
  none: 'max-wide:hidden',
}
