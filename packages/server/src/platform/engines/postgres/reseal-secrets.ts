// Secrets that are stored in plain text, or encrypted with an earlier key, are encrypted with the current one.

import type { Log } from '../../process/log.ts'
import { isOutdated, isUnreadable, keyIdOf, seal, unseal } from '../../secrets/secret-keys.ts'
import type { Sql } from './sql.ts'

/** Every column of `sealedText`, with the primary key of its table. */
export const sealedColumns = [
  { table: 'users', column: 'totp_secret', key: 'id' },
  { table: 'sign_in_providers', column: 'secret', key: 'id' },
  { table: 'provider_sessions', column: 'refresh_token', key: 'session_id' },
  { table: 'signing_secrets', column: 'secret', key: 'id' },
  { table: 'environments', column: 'toolbar_secret', key: 'id' },
  { table: 'deploy_hooks', column: 'secret', key: 'id' },
  { table: 'channels', column: 'secret', key: 'id' },
] as const

/** Logs an error if the key of a secret is not known: what needs it does not work until it is. */
export async function resealSecrets(sql: Sql, log: Log): Promise<void> {
  let written = 0
  for (const { table, column, key, name, rows } of await readSecrets(sql)) {
    const text = `UPDATE ${table} SET ${column} = $1 WHERE ${key} = $2 AND ${column} = $3`
    const outdated = rows.filter(({ value }) => isOutdated(value, name))
    for (const { id, value } of outdated) {
      // Another server may have written it in between.
      await sql.planned({ name: `reseal ${name}`, text }, [seal(unseal(value, name), name), id, value])
    }
    written += outdated.length
  }
  if (written > 0) log.info({ secrets: written }, 'secrets of the database were encrypted')
  const unknown = await findUnreadableSecrets(sql)
  for (const [id, secrets] of unknown)
    log.error(
      { key: id, secrets },
      'secrets of the database are encrypted with a key that is not here: restore secrets.key, or set TELLTALE_SECRETS_KEY',
    )
}

/** How many secrets cannot be read, by the id of their key. */
export async function findUnreadableSecrets(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { name, rows } of await readSecrets(sql))
    for (const { value } of rows) {
      if (!isUnreadable(value, name)) continue
      const id = keyIdOf(value) ?? ''
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  return counts
}

interface Stored {
  id: string
  value: string
}

async function readSecrets(sql: Sql) {
  return Promise.all(
    sealedColumns.map(async (place) => {
      const { table, column, key } = place
      const rows = await sql.unsafe<Stored[]>(
        `SELECT ${key}::text AS id, ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`,
      )
      return { ...place, name: `${table}.${column}`, rows }
    }),
  )
}
