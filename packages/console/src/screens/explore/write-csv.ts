import type { Explored } from '../../api/explore.ts'
import type { ExploredRow } from './rows.ts'

interface Table {
  /** The group-by fields. */
  fields: readonly string[]
  measure: string
  rows: readonly ExploredRow[]
  hasBefore: boolean
}

/** The rows of the table, with exact numbers. */
export function tableCsv({ fields, measure, rows, hasBefore }: Table): string {
  const head = [...fields, measure, 'Events', ...(hasBefore ? ['Previous'] : [])]
  const lines = rows.map(({ values, value, events, before }) => [
    ...namesOf(values, fields.length),
    ...[value, events, ...(hasBefore ? [before] : [])],
  ])
  return csv([head, ...lines])
}

/** A row per step, a column per group. */
export function seriesCsv({ groups }: Pick<Explored, 'groups'>, fields: readonly string[]): string {
  const head = ['Time', ...groups.map(({ values }) => namesOf(values, fields.length).join(', ') || 'All')]
  const points = groups[0]?.points ?? []
  const lines = points.map(({ at }, step) => [
    at,
    ...groups.map((group) => group.points[step]?.value ?? null),
  ])
  return csv([head, ...lines])
}

function namesOf(values: readonly string[] | null, count: number): string[] {
  return values === null ? ['Other', ...Array.from({ length: count - 1 }, () => '')] : [...values]
}

function csv(lines: readonly (readonly (string | number | null)[])[]): string {
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // Visitors control these texts: prevent formula injection in spreadsheets.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
