// A filter of SCIM as a condition of SQL. Every value is a parameter.

import type { Comparison, ScimFilter, ScimValue } from '@telltale/core/scim/filter'
import { readBoolean } from '@telltale/core/scim/read-value'
import { invalid } from '@telltale/core/scim/scim-error'
import { and, not, or, type SQL, sql } from 'drizzle-orm'

/** What an attribute is in the tables. */
export type FilterColumn =
  | { kind: 'text'; column: SQL; isExact?: boolean }
  | { kind: 'boolean'; column: SQL }
  /** The same for every resource, such as the type of an address. */
  | { kind: 'constant'; value: string }
  /** Whether the resource has this one among several. */
  | { kind: 'among'; has(value: string): SQL }

export function filterCondition(
  filter: ScimFilter,
  columns: Readonly<Record<string, FilterColumn>>,
): SQL | undefined {
  switch (filter.kind) {
    case 'and':
      return and(...filter.of.map((one) => filterCondition(one, columns)))
    case 'or':
      return or(...filter.of.map((one) => filterCondition(one, columns)))
    case 'not': {
      const inner = filterCondition(filter.of, columns)
      return inner && not(sql`coalesce(${inner}, false)`)
    }
    case 'present': {
      const found = columnOf(columns, filter.attribute)
      return 'column' in found ? sql`${found.column} IS NOT NULL` : sql`true`
    }
    case 'compare':
      return comparison(columnOf(columns, filter.attribute), filter)
  }
}

function columnOf(columns: Readonly<Record<string, FilterColumn>>, attribute: string): FilterColumn {
  const found = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined
  if (found !== undefined) return found
  const known = Object.keys(columns).join(', ')
  throw invalid('invalidFilter', `There is no filter by ${attribute}. There is: ${known}.`)
}

function comparison(found: FilterColumn, { op, value, attribute }: Compared): SQL {
  if (found.kind === 'boolean') {
    const isWanted = readBoolean(value, attribute)
    if (op === 'eq') return sql`${found.column} = ${isWanted}`
    if (op === 'ne') return sql`${found.column} <> ${isWanted}`
    throw refused({ op, attribute })
  }
  if (typeof value !== 'string') throw invalid('invalidFilter', `${attribute} is compared with a text.`)
  if (found.kind === 'constant') {
    const isSame = value.toLowerCase() === found.value
    if (op === 'eq' || op === 'ne') return isSame === (op === 'eq') ? sql`true` : sql`false`
    throw refused({ op, attribute })
  }
  if (found.kind === 'among') {
    if (op === 'eq') return found.has(value.toLowerCase())
    throw refused({ op, attribute })
  }
  return textComparison(found.column, { op, attribute, wanted: found.isExact ? value : value.toLowerCase() })
}

interface Compared {
  attribute: string
  op: Comparison
  value: ScimValue
}

const refused = ({ op, attribute }: Pick<Compared, 'op' | 'attribute'>) =>
  invalid('invalidFilter', `${attribute} cannot be compared with "${op}".`)

function textComparison(
  column: SQL,
  { op, attribute, wanted }: Omit<Compared, 'value'> & { wanted: string },
) {
  switch (op) {
    case 'eq':
      return sql`${column} = ${wanted}`
    case 'ne':
      return sql`${column} IS DISTINCT FROM ${wanted}`
    case 'co':
      return sql`strpos(${column}, ${wanted}) > 0`
    case 'sw':
      return sql`starts_with(${column}, ${wanted})`
    case 'ew':
      return sql`right(${column}, length(${wanted})) = ${wanted}`
    default:
      throw refused({ op, attribute })
  }
}
