// Lists Telltale's own objects from PostgreSQL's catalogue: everything in the schema public that does not belong to
// an extension. The list of migrations is excluded because running them recreates it.

import type { SqlQueryable } from '../engines/postgres/sql.ts'
import type { BackupHeader, BackupTable, RowCounts } from './backup-format.ts'
import { quotedTable } from './sql.ts'

/** Generated columns are left out. */
export async function listTables(sql: SqlQueryable): Promise<BackupTable[]> {
  const rows = await sql<BackupTable[]>`
    SELECT c.relname::text AS "table", array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
      AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
      )
    GROUP BY c.relname
    ORDER BY c.relname`
  return rows.map(({ table, columns }) => ({ table, columns }))
}

/** A sequence that has never been used is left out. */
export async function listSequences(sql: SqlQueryable): Promise<BackupHeader['sequences']> {
  const rows = await sql<BackupHeader['sequences']>`
    SELECT sequencename::text AS sequence, last_value::text AS value
    FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL AND sequencename <> 'schema_migrations_position_seq'
    ORDER BY sequencename`
  return rows.map(({ sequence, value }) => ({ sequence, value }))
}

export async function countRows(sql: SqlQueryable, tables: string[]): Promise<RowCounts> {
  const counts: RowCounts = {}
  for (const table of tables) {
    const [row] = await sql.unsafe<{ rows: string }[]>(`SELECT count(*) AS rows FROM ${quotedTable(table)}`)
    counts[table] = Number(row?.rows)
  }
  return counts
}

/**
 * Drops what migrations created, object by object: the schema itself may have another owner, and contains extensions.
 */
export async function dropEverything(sql: SqlQueryable): Promise<void> {
  const objects = await sql<{ statement: string }[]>`
    WITH ours AS (
      SELECT 1 AS step, 'pg_class'::regclass AS class, oid,
        format('%s IF EXISTS public.%I', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
          relname) AS object
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      UNION ALL
      SELECT 2, 'pg_class'::regclass, oid, format('SEQUENCE IF EXISTS public.%I', relname)
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
      UNION ALL
      SELECT 3, 'pg_proc'::regclass, oid, format('ROUTINE IF EXISTS %s', oid::regprocedure)
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a'
      UNION ALL
      SELECT 4, 'pg_type'::regclass, oid, format('TYPE IF EXISTS public.%I', typname)
      FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
    )
    SELECT 'DROP ' || object || ' CASCADE' AS statement
    FROM ours
    WHERE NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = ours.class AND d.objid = ours.oid AND d.deptype = 'e'
    )
    ORDER BY step, object`
  for (const { statement } of objects) await sql.unsafe(statement)
}
