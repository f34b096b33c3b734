import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase, inDatabase } from '../../../../../test/postgres.ts'
import { appliedMigrations, type Migration, migrate, readMigrations } from '../engines/postgres/migrate.ts'
import { type ControlPlane, openPostgres } from '../engines/postgres/open.ts'
import { DamagedBackup, NewerBackup } from './backup-format.ts'
import { listTables } from './catalogue.ts'
import { readBackupHeader, verifyBackup } from './read-backup.ts'
import { InstallationInUse, restoreBackup } from './restore-backup.ts'
import { quotedTable } from './sql.ts'
import { writeBackup } from './write-backup.ts'

const draft = { version: '0.1.0', now: new Date('2026-11-21T10:00:00Z') }

/** Values that are hard to preserve: in text, lists, timestamps and circular references. */
const oddities: Migration = {
  name: '9000_oddities',
  hash: 'oddities',
  statements: [
    `CREATE TABLE "odd Table" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "Words" text, bytes bytea, list text[], document jsonb, at timestamptz, span interval, real_number double precision,
      doubled text GENERATED ALWAYS AS ("Words" || "Words") STORED,
      stamped text
    )`,
    `CREATE FUNCTION stamp_odd() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.stamped = 'stamped by a trigger'; RETURN NEW; END $$`,
    'CREATE TRIGGER stamp BEFORE INSERT ON "odd Table" FOR EACH ROW EXECUTE FUNCTION stamp_odd()',
    'CREATE TABLE hens (id int PRIMARY KEY, egg int, mother int REFERENCES hens (id))',
    'CREATE TABLE eggs (id int PRIMARY KEY, hen int NOT NULL REFERENCES hens (id))',
    'ALTER TABLE hens ADD CONSTRAINT hens_egg FOREIGN KEY (egg) REFERENCES eggs (id)',
    'CREATE SEQUENCE tickets',
  ],
}

let known: Migration[]
let withOddities: Migration[]
let folder: string
let file: string
const opened: { close(): Promise<void>; drop(): Promise<void> }[] = []

async function openDatabase(): Promise<ControlPlane> {
  const { target, drop } = await createDatabase(inject('postgres'))
  const controlPlane = openPostgres(target)
  opened.push({ close: controlPlane.close, drop })
  return controlPlane
}

async function openWithoutTables(): Promise<ControlPlane> {
  const { target, drop } = await createDatabase(inject('postgres'), 'template0')
  const controlPlane = openPostgres(target)
  opened.push({ close: controlPlane.close, drop })
  return controlPlane
}

beforeEach(async () => {
  known = await readMigrations()
  withOddities = [...known, oddities]
  folder = await mkdtemp(join(tmpdir(), 'telltale-backup-'))
  file = join(folder, 'copy.backup.gz')
})

afterEach(async () => {
  for (const { close, drop } of opened.splice(0)) {
    await close()
    await drop()
  }
  await rm(folder, { recursive: true, force: true })
})

async function fill({ sql }: ControlPlane): Promise<void> {
  await sql`
    INSERT INTO users (id, email, name, password_hash, role, created_at) VALUES
    ('01900000-0000-7000-8000-000000000001', 'ada@example.com', ${'Ada\tLove\\lace\n\\.\n"quoted" 🦆'}, '\\N', 'owner', now())`
  await sql`
    INSERT INTO projects (id, key, name, created_at)
    VALUES ('01900000-0000-7000-8000-000000000002', 'shop', '', now())`
  await sql`
    INSERT INTO memberships (project_id, user_id, role, created_at)
    VALUES ('01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000001', 'admin', now())`
  await sql`
    INSERT INTO audit_entries (id, at, actor, action, entity_kind, entity_id, entity_name, changes)
    SELECT gen_random_uuid(), now(), '{"kind":"system","id":null,"name":"x"}', 'user.create', 'user', n::text,
      repeat('Ünïcode ', 20), '[{"pointer":"/a","before":"\\u00e4\\n","after":[1,null]}]'
    FROM generate_series(1, 3000) AS n`
  await sql`
    INSERT INTO idempotent_replies (key_hash, request_hash, sealed_reply, created_at)
    VALUES ('k', 'r', decode('00ff5c0a0d09', 'hex'), now())`
  await sql`INSERT INTO installation (id, setup_at, created_at) VALUES (1, now(), now()) ON CONFLICT DO NOTHING`
}

async function fillOddities({ sql }: ControlPlane): Promise<void> {
  await sql.unsafe('ALTER TABLE "odd Table" DISABLE TRIGGER stamp')
  await sql`
    INSERT INTO "odd Table" ("Words", bytes, list, document, at, span, real_number, stamped) VALUES
    (${'\t\n\r\\\\.\b\f\v,;"\''}, decode('00015c2e0a', 'hex'), ${['', 'NULL', 'a,b', '{"\\}', 'ä\n']},
      '{"a": [1, 2.50, null, "\\u2028"]}', '2026-11-21 10:00:00.123456+00', '1 year -2 days 03:04:05.678901', 0.1::float8 + 0.2,
      'by hand'),
    (NULL, NULL, NULL, NULL, NULL, NULL, 'NaN', NULL),
    ('', '', '{}', 'null', 'infinity', '0', '-Infinity', ''),
    (${'\\.'}, NULL, ARRAY[NULL]::text[], '""', '1999-12-31 23:59:59.999999+00', NULL, 5e-324, ${'\\N'})`
  await sql.unsafe('ALTER TABLE "odd Table" ENABLE TRIGGER stamp')
  await sql`INSERT INTO hens VALUES (1, NULL, NULL), (2, NULL, 1)`
  await sql`INSERT INTO eggs VALUES (7, 1), (8, 2)`
  await sql`UPDATE hens SET egg = id + 6`
  await sql`SELECT nextval('tickets'), nextval('tickets')`
}

/** Every row of every table as PostgreSQL prints it, in a stable order. */
async function contentOf({ sql }: ControlPlane): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const { table } of await listTables(sql)) {
    const rows = await sql.unsafe<{ row: string }[]>(
      `SELECT t::text AS row FROM ${quotedTable(table)} t ORDER BY t::text COLLATE "C"`,
    )
    content[table] = rows.map(({ row }) => row)
  }
  return content
}

/** Columns, constraints, indexes and triggers: everything that migrations created must exist again. */
async function shapeOf({ sql }: ControlPlane): Promise<unknown> {
  return {
    columns: await sql`
      SELECT table_name, column_name, data_type, is_nullable, column_default, is_generated
      FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
    constraints: await sql`
      SELECT conrelid::regclass::text AS t, conname, convalidated, pg_get_constraintdef(oid) AS def
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    indexes: await sql`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    triggers: await sql`
      SELECT tgname, tgenabled, pg_get_triggerdef(oid) AS def FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
  }
}

test('a restore has exactly the rows of the backup, in every table', async () => {
  const original = await openDatabase()
  await migrate(original.sql, { migrations: withOddities })
  await fill(original)
  await fillOddities(original)
  const written = await writeBackup(original.sql, file, draft)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['copy.backup.gz'])
  expect(await verifyBackup(file)).toEqual({ header: written.header, rows: written.rows })
  expect(written.rows).toMatchObject({ audit_entries: 3000, 'odd Table': 4, sdk_keys: 0 })

  for (const copy of [await openWithoutTables(), await openDatabase()]) {
    await restoreBackup(copy.sql, file, { migrations: withOddities })
    expect(await contentOf(copy)).toEqual(await contentOf(original))
    expect(await shapeOf(copy)).toEqual(await shapeOf(original))
    expect(await copy.sql`SELECT nextval('tickets')::int AS next`).toEqual([{ next: 3 }])
    const [odd] = await copy.sql`INSERT INTO "odd Table" ("Words") VALUES ('next') RETURNING id::int, stamped`
    expect(odd).toEqual({ id: 5, stamped: 'stamped by a trigger' })
    await expect(copy.sql`UPDATE audit_entries SET action = 'x.y'`).rejects.toThrow('append-only')
  }
})

test('a differently configured server does not change a backup', async () => {
  const original = await openDatabase()
  await migrate(original.sql, { migrations: withOddities })
  await fillOddities(original)
  const plain = await writeBackup(original.sql, file, draft)

  const [row] = await original.sql<{ name: string }[]>`SELECT current_database() AS name`
  for (const setting of [
    "DateStyle = 'SQL, DMY'",
    "IntervalStyle = 'sql_standard'",
    "TimeZone = 'Asia/Kathmandu'",
    "bytea_output = 'escape'",
    'extra_float_digits = -5',
  ]) {
    await original.sql.unsafe(`ALTER DATABASE ${row?.name} SET ${setting}`)
  }
  const again = openPostgres(inDatabase(inject('postgres'), row?.name ?? ''))
  const otherwise = await writeBackup(again.sql, join(folder, 'other.backup.gz'), draft)
  await again.close()
  expect(otherwise.sha256).toBe(plain.sha256)
})

test('a backup of an older version is restored and migrated', async () => {
  const old = await openDatabase()
  await fill(old)
  await writeBackup(old.sql, file, draft)
  const newer: Migration = {
    name: '9001_newer',
    hash: 'newer',
    statements: [
      `ALTER TABLE users ADD COLUMN greeting text NOT NULL DEFAULT ''`,
      `UPDATE users SET greeting = 'Hello ' || email`,
    ],
  }
  const copy = await openWithoutTables()
  await restoreBackup(copy.sql, file, { migrations: [...known, newer] })
  expect(await copy.sql`SELECT greeting FROM users`).toEqual([{ greeting: 'Hello ada@example.com' }])
  expect((await appliedMigrations(copy.sql)).at(-1)).toBe('9001_newer')

  // The same for an installation that is in use and already migrated.
  await copy.sql`DELETE FROM memberships`
  await restoreBackup(copy.sql, file, { migrations: [...known, newer], replace: true })
  expect(await copy.sql`SELECT count(*)::int AS n FROM memberships`).toEqual([{ n: 1 }])
  expect(await copy.sql`SELECT greeting FROM users`).toEqual([{ greeting: 'Hello ada@example.com' }])
})

test('a backup of a newer version is rejected, and nothing changes', async () => {
  const newer = await openDatabase()
  await migrate(newer.sql, { migrations: withOddities })
  await writeBackup(newer.sql, file, draft)

  const copy = await openWithoutTables()
  await expect(restoreBackup(copy.sql, file)).rejects.toThrow(NewerBackup)
  await expect(restoreBackup(copy.sql, file)).rejects.toThrow('9000_oddities')
  expect(await listTables(copy.sql)).toEqual([])

  const text = gunzipSync(await readFile(file)).toString()
  await writeFile(file, gzipSync(text.replace('"formatVersion":1', '"formatVersion":2')))
  await expect(readBackupHeader(file)).rejects.toThrow(NewerBackup)
})

test('an installation in use is only replaced with the option', async () => {
  const original = await openDatabase()
  await fill(original)
  await writeBackup(original.sql, file, draft)
  const used = await openDatabase()
  await used.sql`INSERT INTO projects (id, key, name, created_at) VALUES (gen_random_uuid(), 'other', 'Other', now())`
  const before = await contentOf(used)

  await expect(restoreBackup(used.sql, file)).rejects.toThrow(InstallationInUse)
  expect(await contentOf(used)).toEqual(before)

  await restoreBackup(used.sql, file, { replace: true })
  expect(await contentOf(used)).toEqual(await contentOf(original))
})

test('a foreign database is unchanged, even with the option', async () => {
  const original = await openDatabase()
  await writeBackup(original.sql, file, draft)
  const foreign = await openWithoutTables()
  await foreign.sql`CREATE TABLE invoices AS SELECT 1 AS number`

  for (const replace of [false, true]) {
    await expect(restoreBackup(foreign.sql, file, { replace })).rejects.toThrow('"invoices"')
  }
  expect(await contentOf(foreign)).toEqual({ invoices: ['(1)'] })
})

test('a first start without setup counts as empty', async () => {
  const original = await openDatabase()
  await fill(original)
  await writeBackup(original.sql, file, draft)
  const fresh = await openDatabase()
  await fresh.sql`DELETE FROM installation`
  await fresh.sql`INSERT INTO installation (id, setup_code, created_at) VALUES (1, 'code', now())`

  await restoreBackup(fresh.sql, file)
  expect(await contentOf(fresh)).toEqual(await contentOf(original))
})

test('a damaged or truncated file is rejected, and nothing changes', async () => {
  const original = await openDatabase()
  await fill(original)
  await writeBackup(original.sql, file, draft)
  const used = await openDatabase()
  await used.sql`INSERT INTO projects (id, key, name, created_at) VALUES (gen_random_uuid(), 'other', 'Other', now())`
  const before = await contentOf(used)

  const { size } = await stat(file)
  const whole = gunzipSync(await readFile(file)).toString()
  const lines = whole.split('\n')
  const damages: Record<string, (path: string) => Promise<void>> = {
    'it is truncated': (path) => truncate(path, size - 10),
    'it cannot be decompressed': async (path) => {
      const bytes = await readFile(path)
      // The first block after the gzip header has an invalid block type.
      bytes[10] = 0x07
      await writeFile(path, bytes)
    },
    'its checksum does not match': (path) =>
      writeFile(path, gzipSync(whole.replace('ada@example.com', 'eva@example.com'))),
    'it is truncated.': (path) => writeFile(path, gzipSync(lines.slice(0, -2).join('\n'))),
    'it has data after its end': (path) => writeFile(path, gzipSync(`${whole}more\n`)),
    'does not begin with the header': (path) => writeFile(path, gzipSync('{"some":"thing"}\n')),
    'is not a complete backup': (path) => writeFile(path, ''),
  }
  for (const [reason, damage] of Object.entries(damages)) {
    const damaged = join(folder, 'damaged.backup.gz')
    await copyFile(file, damaged)
    await damage(damaged)
    await expect(verifyBackup(damaged), reason).rejects.toThrow(DamagedBackup)
    await expect(restoreBackup(used.sql, damaged, { replace: true }), reason).rejects.toThrow(reason)
    expect(await contentOf(used)).toEqual(before)
  }
  await expect(verifyBackup(join(folder, 'nothing'))).rejects.toThrow('There is no file')
})

test('every missing byte at the end is detected', async () => {
  const original = await openDatabase()
  await writeBackup(original.sql, file, draft)
  const bytes = await readFile(file)
  const cut = join(folder, 'cut.backup.gz')
  for (let length = 0; length < bytes.length; length += length < bytes.length - 40 ? 23 : 1) {
    await writeFile(cut, bytes.subarray(0, length))
    await expect(verifyBackup(cut), `${length} of ${bytes.length} bytes`).rejects.toThrow(DamagedBackup)
  }
})

test('a failed restore changes nothing', async () => {
  const original = await openDatabase()
  await fill(original)
  await writeBackup(original.sql, file, draft)
  const used = await openDatabase()
  await used.sql`INSERT INTO projects (id, key, name, created_at) VALUES (gen_random_uuid(), 'other', 'Other', now())`
  const before = { content: await contentOf(used), shape: await shapeOf(used) }

  const failing: Migration = { name: '9002_failing', hash: 'failing', statements: ['SELECT 1 / 0'] }
  await expect(
    restoreBackup(used.sql, file, { replace: true, migrations: [...known, failing] }),
  ).rejects.toThrow('9002_failing')
  expect({ content: await contentOf(used), shape: await shapeOf(used) }).toEqual(before)

  // A row that the tables reject, in a complete file: once rejected by COPY itself, once by a foreign key.
  const text = gunzipSync(await readFile(file)).toString()
  await writeFile(file, gzipSync(resealed(text.replace(/\tadmin\t[^\t\n]+/, '\tadmin\tyesterdayish'))))
  await expect(restoreBackup(used.sql, file, { replace: true })).rejects.toThrow('invalid input syntax')
  expect({ content: await contentOf(used), shape: await shapeOf(used) }).toEqual(before)

  const orphan = text.replace(
    /^(01900000-0000-7000-8000-000000000002)(\t01900000)/m,
    '01900000-0000-7000-8000-00000000000f$2',
  )
  expect(orphan).not.toBe(text)
  await writeFile(file, gzipSync(resealed(orphan)))
  await expect(restoreBackup(used.sql, file, { replace: true })).rejects.toThrow('memberships_project_id')
  expect({ content: await contentOf(used), shape: await shapeOf(used) }).toEqual(before)

  // The pool is still usable.
  await Promise.all(Array.from({ length: 20 }, () => used.sql`SELECT 1`))
})

/** Recalculates the footer's checksum for a deliberately modified file. */
function resealed(text: string): string {
  const at = text.lastIndexOf('\n', text.length - 2) + 1
  const content = text.slice(0, at)
  const footer = JSON.parse(text.slice(at))
  const sha256 = createHash('sha256').update(content).digest('hex')
  return `${content}${JSON.stringify({ ...footer, sha256 })}\n`
}

test('writes during a backup do not affect it', async () => {
  const busy = await openDatabase()
  await busy.sql`INSERT INTO users (id, email, name, password_hash, role, created_at)
    VALUES ('01900000-0000-7000-8000-000000000001', 'a@example.com', 'A', 'h', 'owner', now())`
  let writing = true
  let written = 0
  // Each transaction adds a project with one membership, so every snapshot contains equal numbers of both.
  const writer = (async () => {
    while (writing) {
      await busy.sql.begin(async (transaction) => {
        const [project] = await transaction`
          INSERT INTO projects (id, key, name, created_at)
          VALUES (gen_random_uuid(), ${`p${written}`}, 'P', now()) RETURNING id`
        await transaction`
          INSERT INTO memberships (project_id, user_id, role, created_at)
          VALUES (${project?.id}, '01900000-0000-7000-8000-000000000001', 'admin', now())`
      })
      written++
    }
  })()
  const seen = new Set<number>()
  for (let round = 0; round < 8; round++) {
    const { rows } = await writeBackup(busy.sql, join(folder, `${round}.backup.gz`), draft)
    expect(rows.memberships).toBe(rows.projects)
    seen.add(rows.projects ?? 0)
  }
  writing = false
  await writer
  expect(seen.size).toBeGreaterThan(1)
})

test('a failed backup leaves nothing behind, and the pool usable', async () => {
  const original = await openDatabase()
  await fill(original)
  // The folder may disappear at any point of the copy.
  for (let round = 0; round < 10; round++) {
    const nowhere = join(folder, 'no', 'such', 'folder.backup.gz')
    await expect(writeBackup(original.sql, nowhere, draft)).rejects.toThrow('ENOENT')
  }
  expect(await readdir(folder)).toEqual([])
  await Promise.all(Array.from({ length: 20 }, () => original.sql`SELECT 1`))
  await writeBackup(original.sql, file, draft)
})

test('a database without an installation is not backed up', async () => {
  const empty = await openWithoutTables()
  await expect(writeBackup(empty.sql, file, draft)).rejects.toThrow('Nothing to back up')
  expect(await readdir(folder)).toEqual([])
})
