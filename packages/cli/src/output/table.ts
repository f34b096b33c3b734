// Aligned columns. In a terminal, the widest columns give way until a row fits into a line.

import { bold, type Terminal } from './terminal.ts'

const gap = '  '
const narrowest = 8

/** `columns`: the headings; each row has a text for each of them. */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): string {
  const widths = fit(
    columns.map((column, index) =>
      Math.max(...[column, ...rows.map((row) => row[index] ?? '')].map(lengthOf)),
    ),
    terminal.width,
  )
  const line = (cells: readonly string[]) =>
    columns
      .map((_, index) => cut(cells[index] ?? '', widths[index] ?? 0))
      .join(gap)
      .trimEnd()
  return [bold(line(columns.map((column) => column.toUpperCase())), terminal), ...rows.map(line)].join('\n')
}

/** `name  value` in lines, for one entity. */
export function renderFacts(facts: readonly (readonly [string, string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n')
}

const lengthOf = (text: string) => [...text].length

function cut(text: string, width: number): string {
  const characters = [...text.replace(/[\s\p{Cc}]+/gu, ' ')]
  if (characters.length <= width) return characters.join('') + ' '.repeat(width - characters.length)
  return `${characters.slice(0, width - 1).join('')}…`
}

function fit(widths: readonly number[], available: number | undefined): number[] {
  const fitted = [...widths]
  if (available === undefined) return fitted
  const total = () => fitted.reduce((sum, width) => sum + width, 0) + gap.length * (fitted.length - 1)
  while (total() > available) {
    const widest = Math.max(...fitted)
    if (widest <= narrowest) break
    fitted[fitted.indexOf(widest)] = widest - 1
  }
  return fitted
}
