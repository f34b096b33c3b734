import type { TreeRow, TreeSpan } from '@telltale/core/telemetry/otlp/trace-tree'

/** The rows that are not below a closed one. */
export function openRows<Span extends TreeSpan>(
  rows: readonly TreeRow<Span>[],
  closed: ReadonlySet<string>,
): readonly TreeRow<Span>[] {
  if (closed.size === 0) return rows
  const open: TreeRow<Span>[] = []
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]
    if (row === undefined) break
    open.push(row)
    if (closed.has(row.span.spanId)) index += row.below
  }
  return open
}

/** The spans above this one, which must be open for it to be seen. */
export function spansAbove<Span extends TreeSpan>(rows: readonly TreeRow<Span>[], spanId: string): string[] {
  const at = rows.findIndex(({ span }) => span.spanId === spanId)
  const above: string[] = []
  let depth = rows[at]?.depth ?? 0
  for (let index = at - 1; index >= 0 && depth > 0; index -= 1) {
    const row = rows[index]
    if (row === undefined || row.depth >= depth) continue
    depth = row.depth
    above.push(row.span.spanId)
  }
  return above
}
