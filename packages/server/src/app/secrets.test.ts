import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Column, eq, getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTelltale } from '../../../../test/start.ts'
import { loadSecretKeys } from '../platform/engines/connect-postgres/load-secret-keys.ts'
import * as accounts from '../platform/engines/postgres/account-schema.ts'
import * as alerts from '../platform/engines/postgres/alert-schema.ts'
import * as hooks from '../platform/engines/postgres/deploy-hook-schema.ts'
import {
  findUnreadableSecrets,
  resealSecrets,
  sealedColumns,
} from '../platform/engines/postgres/reseal-secrets.ts'
import * as others from '../platform/engines/postgres/schema.ts'
import * as providers from '../platform/engines/postgres/sign-in-provider-schema.ts'
import * as signIns from '../platform/engines/postgres/sign-in-schema.ts'
import * as signedUsers from '../platform/engines/postgres/signed-user-schema.ts'
import { keyIdOf, newSecretKey, parseSecretKey, useSecretKeys } from '../platform/secrets/secret-keys.ts'

/** The other custom columns are of type bytea. */
const isSealed = (column: Column) => column.columnType === 'PgCustomColumn' && column.getSQLType() === 'text'

const schemas = [accounts, alerts, hooks, others, signIns, providers, signedUsers]

test('secrets of an old installation are encrypted at the start, and read with later keys', async () => {
  const [first, second] = [newSecretKey(), newSecretKey()]
  await using telltale = await startTelltale({ settings: { TELLTALE_SECRETS_KEY: first } })
  const { sql, db, log } = telltale.running.services
  const { id } = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  await sql`UPDATE users SET totp_secret = 'JBSWY3DPEHPK3PXP' WHERE id = ${id}`
  const stored = async () => {
    const [row] = await sql<{ value: string }[]>`SELECT totp_secret AS value FROM users WHERE id = ${id}`
    return row?.value ?? ''
  }
  const read = async () =>
    (
      await db
        .select({ secret: accounts.users.totpSecret })
        .from(accounts.users)
        .where(eq(accounts.users.id, id))
    )[0]
  expect(await read()).toEqual({ secret: 'JBSWY3DPEHPK3PXP' })

  await resealSecrets(sql, log)
  expect(keyIdOf(await stored())).toBe(parseSecretKey(first).id)
  const [hidden] = await sql<{ value: string }[]>`SELECT toolbar_secret AS value FROM environments`
  expect(keyIdOf(hidden?.value ?? '')).toBe(parseSecretKey(first).id)
  expect(await read()).toEqual({ secret: 'JBSWY3DPEHPK3PXP' })

  useSecretKeys([parseSecretKey(second), parseSecretKey(first)])
  await resealSecrets(sql, log)
  expect(keyIdOf(await stored())).toBe(parseSecretKey(second).id)
  expect(await read()).toEqual({ secret: 'JBSWY3DPEHPK3PXP' })

  const lost = `sealed:v1:lost:${randomBytes(60).toString('base64')}`
  await sql`UPDATE users SET totp_secret = ${lost} WHERE id = ${id}`
  await resealSecrets(sql, log)
  expect(await stored()).toBe(lost)
  expect(await findUnreadableSecrets(sql)).toEqual(new Map([['lost', 1]]))
})

test('the list of encrypted columns is complete', () => {
  const inSchema = schemas.flatMap((schema) =>
    Object.values(schema).flatMap((table) =>
      is(table, Table)
        ? Object.values(getTableColumns(table)).flatMap((column) =>
            isSealed(column) ? [`${getTableName(table)}.${column.name}`] : [],
          )
        : [],
    ),
  )
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(new Set(inSchema)).toEqual(new Set(listed))
})

test('the key is created once, for its owner only, and only for the embedded database', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'secrets-'))
  const path = join(dataFolder, 'secrets.key')
  try {
    await loadSecretKeys({ dataFolder, databaseUrl: 'postgres://elsewhere/telltale', secretsKeys: undefined })
    await expect(stat(path)).rejects.toThrow('ENOENT')
    const own = { dataFolder, databaseUrl: undefined, secretsKeys: undefined }
    await loadSecretKeys(own)
    const text = await readFile(path, 'utf8')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await loadSecretKeys(own)
    expect(await readFile(path, 'utf8')).toBe(text)
  } finally {
    await rm(dataFolder, { recursive: true })
    useSecretKeys([])
  }
})
