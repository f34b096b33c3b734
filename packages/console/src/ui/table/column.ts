import type { ReactNode } from 'react'

export type SortValue = string | number | boolean | null

/** A column: what is in its cells, and where they go when the row becomes a card on narrow screens. */
export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** The header is read aloud, and not seen: what the cells are is plain, as of buttons. */
  readonly hiddenHeader?: true
  readonly cell: (row: Row) => ReactNode
  /** What rows are ordered by. Without it the column is not sorted. */
  readonly sortBy?: (row: Row) => SortValue
  /** Numbers stand at the end. */
  readonly align?: 'end'
  /** Any CSS width. Without one the content decides. */
  readonly width?: string
  /** Gone below this width of the window. */
  readonly hideBelow?: 'full'
  /** In the card: first line left, first line right, a line of its own (default), or left out. */
  readonly card?: 'title' | 'aside' | 'line' | 'none'
  /** Says in one line of the card what has columns of its own in the table. */
  readonly onlyInCard?: true
  /** Cannot be switched off in the column menu. */
  readonly fixed?: boolean
}

export interface Sort {
  readonly id: string
  readonly desc: boolean
}

/** As it stands in the address: `name`, or `-name` from the last to the first. */
export function parseSort(text: unknown): Sort | undefined {
  if (typeof text !== 'string' || !/^-?\w[\w.-]*$/.test(text)) return undefined
  return text.startsWith('-') ? { id: text.slice(1), desc: true } : { id: text, desc: false }
}

export function sortText(sort: Sort): string {
  return sort.desc ? `-${sort.id}` : sort.id
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Nothing comes after something; text as people count: `rule-2` before `rule-10`. */
export function compareValues(a: SortValue, b: SortValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b)
  return Number(a) - Number(b)
}

/** What is not there stays last in both directions; equal rows stay as they came. */
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
