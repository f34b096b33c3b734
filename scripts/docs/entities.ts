import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as accounts from '../../packages/server/src/platform/engines/postgres/account-schema.ts'
import * as alerts from '../../packages/server/src/platform/engines/postgres/alert-schema.ts'
import * as audit from '../../packages/server/src/platform/engines/postgres/audit-schema.ts'
import * as changes from '../../packages/server/src/platform/engines/postgres/change-schema.ts'
import * as evaluations from '../../packages/server/src/platform/engines/postgres/evaluation-schema.ts'
import * as guard from '../../packages/server/src/platform/engines/postgres/guard-schema.ts'
import * as intake from '../../packages/server/src/platform/engines/postgres/intake-schema.ts'
import * as rollouts from '../../packages/server/src/platform/engines/postgres/rollout-schema.ts'
import * as others from '../../packages/server/src/platform/engines/postgres/schema.ts'
import { page, table } from './markdown.ts'

/** The tables of the control plane, from their declarations. */
export function describeEntities(): string {
  const exported: unknown[] = Object.values({
    ...accounts,
    ...alerts,
    ...audit,
    ...changes,
    ...evaluations,
    ...guard,
    ...intake,
    ...rollouts,
    ...others,
  })
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
      [column.getSQLType(), ...(column.enumValues ? [`(${column.enumValues.join(', ')})`] : [])].join(' '),
      column.notNull ? '' : 'yes',
      references.get(column.name) ?? '',
    ]),
  )
}
