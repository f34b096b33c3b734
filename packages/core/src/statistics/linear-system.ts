// The inverse of a small square matrix.

/** A pivot below this share of its row's largest entry: the row depends on the others. */
const smallestPivot = 1e-6

export type Inverted = { inverse: number[][] } | { dependent: number }

/** Gauss-Jordan elimination with row pivoting; `dependent` is a column that the earlier ones determine. */
export function invert(matrix: readonly (readonly number[])[]): Inverted {
  const size = matrix.length
  const rows = matrix.map((row, index) => {
    const largest = Math.max(...row.map(Math.abs)) || 1
    const identity = Array.from({ length: size }, (_, column) => (column === index ? 1 / largest : 0))
    return [...row.map((value) => value / largest), ...identity]
  })
  for (let column = 0; column < size; column += 1) {
    const pivot = bestPivot(rows, column)
    const top = rows[pivot]
    const lead = top?.[column] ?? 0
    if (top === undefined || Math.abs(lead) < smallestPivot) return { dependent: column }
    rows[pivot] = rows[column] ?? top
    rows[column] = top.map((value) => value / lead)
    clearColumn(rows, column)
  }
  return { inverse: rows.map((row) => row.slice(size)) }
}

function bestPivot(rows: readonly (readonly number[])[], column: number): number {
  let best = column
  for (let row = column; row < rows.length; row += 1)
    if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = row
  return best
}

function clearColumn(rows: number[][], column: number): void {
  const lead = rows[column] ?? []
  for (const [index, row] of rows.entries()) {
    const times = row[column] ?? 0
    if (index === column || times === 0) continue
    for (let place = column; place < row.length; place += 1)
      row[place] = (row[place] ?? 0) - times * (lead[place] ?? 0)
  }
}
