import type { Column } from './column.ts'

type PlainTableProps<Row> = {
  /** The accessible name of the table. */
  label: string
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** The first column takes the remaining width and truncates its content. */
  columns: readonly Pick<Column<Row>, 'id' | 'header' | 'cell' | 'align'>[]
}

/** A short table in a panel, without sorting and shortcuts; on narrow windows it scrolls inside its panel. */
export function PlainTable<Row>({ label, rows, rowId, columns }: PlainTableProps<Row>) {
  const alignOf = (align: 'end' | undefined) => (align === 'end' ? 'text-right' : 'text-left')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section aria-label={label} tabIndex={0} className="overflow-x-auto -outline-offset-2">
      <table aria-label={label} className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            {columns.map(({ id, header, align }) => (
              <th
                key={id}
                scope="col"
                className={`whitespace-nowrap border-line border-b px-10 py-6 font-medium text-11 text-text-3 first:pl-14 last:pr-14 ${alignOf(align)}`}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&>tr:last-child>td]:border-b-0">
          {rows.map((row) => (
            <tr key={rowId(row)} className="hover:bg-hover">
              {columns.map(({ id, cell, align }) => (
                <td
                  key={id}
                  className={`h-row whitespace-nowrap border-line border-b px-10 first:w-full first:min-w-menu first:max-w-0 first:pl-14 last:pr-14 ${alignOf(align)}`}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
