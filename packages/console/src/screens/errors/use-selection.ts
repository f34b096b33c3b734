import { useState } from 'react'
import type { Selection } from '../../ui/table/table-row.tsx'

interface Selected<Row> {
  /** For the table. */
  readonly of: Selection
  /** Those that are selected and still listed. */
  readonly rows: readonly Row[]
  readonly clear: () => void
}

/** Which rows are selected, by their ids. */
export function useSelection<Row extends { id: string }>(rows: readonly Row[]): Selected<Row> {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return {
    of: {
      selected,
      onToggle: (id) =>
        setSelected((before) => {
          const next = new Set(before)
          if (!next.delete(id)) next.add(id)
          return next
        }),
      onAll: (ids) => setSelected(new Set(ids)),
    },
    rows: selected.size === 0 ? [] : rows.filter(({ id }) => selected.has(id)),
    clear: () => setSelected(new Set()),
  }
}
