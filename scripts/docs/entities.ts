import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { root } from '../build/place.ts'
import { page, table } from './markdown.ts'

const folder = join(root, 'packages/server/src/platform/engines/postgres')
const files = readdirSync(folder).filter((name) => name.endsWith('schema.ts'))
const modules = await Promise.all(files.map((name): Promise<object> => import(join(folder, name))))

/** The tables of the control plane, from their declarations. */
export function describeEntities(): string {
  const exported: unknown[] = modules.flatMap((module) => Object.values(module))
  const tables = exported
    .filter((value): value is PgTable => is(value, PgTable))
    .sort((a, b) => getTableName(a).localeCompare(getTableName(b)))

  return page('Entities of the control plane', [
    'The tables in PostgreSQL. Ids are UUIDv7; times are `timestamptz`.',
    ...tables.flatMap((entity) => [`## ${getTableName(entity)}`, describeColumns(entity)]),
  ])
}

function describeColumns(entity: PgTable): string {
  const { columns, foreignKeys } = getTableConfig(entity)
  const references = new Map(
    foreignKeys.flatMap((key) => {
      const { columns: own, foreignTable } = key.reference()
      return own.map((column) => [column.name, getTableName(foreignTable)] as const)
    }),
  )
  return table(
    ['column', 'type', 'null', 'refers to'],
    columns.map((column) => [
      `\`${column.name}\``,
      [
        column.getSQLType(),
        ...(column.enumValues?.length
          ? [`(${column.enumValues.map((value) => `\`${value}\``).join(', ')})`]
          : []),
      ].join(' '),
      column.notNull ? '' : 'yes',
      references.get(column.name) ?? '',
    ]),
  )
}
