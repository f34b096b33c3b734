import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSeal, hashEntry, sealEntry } from '@telltale/core/audit/chain'
import type { AuditEntry } from '@telltale/core/contract/audit'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../../test/postgres.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { restoreBackup } from '../../platform/backups/restore-backup.ts'
import { writeBackup } from '../../platform/backups/write-backup.ts'
import { advisoryLocks } from '../../platform/engines/postgres/advisory-locks.ts'
import { auditEntries, auditUnsealed } from '../../platform/engines/postgres/audit-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { openPostgres } from '../../platform/engines/postgres/open.ts'
import { sha256 } from './entry.ts'
import { sealBatch, sealEntries } from './seal-entries.ts'
import { type BrokenEntry, verifyAudit } from './verify-audit.ts'

let telltale: Telltale
let owner: SomePerson
beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})
afterAll(() => telltale[Symbol.asyncDispose]())

const db = () => telltale.running.services.db
const actor = { kind: 'system', id: null, name: 'test' } as const

const things = change(async (_context, names: string[]) => ({
  reply: null,
  changes: names.map((name) => ({
    action: 'thing.create' as const,
    entity: { kind: 'thing', id: newId(), name },
    after: { name },
  })),
}))
const write = (names: string[], to = db()) =>
  things(to, { actor, requestId: null, now: telltale.running.services.clock() }, names)

/** The server seals regularly, too: waits until one of both is done. */
async function sealed(): Promise<void> {
  await expect
    .poll(
      async () => {
        await sealEntries(db())
        return db().$count(auditUnsealed)
      },
      { timeout: 20_000 },
    )
    .toBe(0)
}

/** As the owner of the database, past its triggers. */
async function tamper(statement: string): Promise<void> {
  await db().execute(sql.raw(`BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`))
}

test('changes on two servers at the same time are all in the chain, each once', async () => {
  await using other = await startTelltale({ beside: telltale })
  const writers = Array.from({ length: 40 }, (_, index) =>
    write([`one ${index}`, `two ${index}`], (index % 2 ? telltale : other).running.services.db),
  )
  const sealers = Array.from({ length: 4 }, (_, index) =>
    sealEntries((index % 2 ? telltale : other).running.services.db),
  )
  await Promise.all([...writers, ...sealers])
  await sealed()

  const verdict = await verifyAudit(db())
  expect(verdict).toMatchObject({ broken: undefined, unsealed: 0, erased: 0 })
  expect(verdict.end.position).toBe(await db().$count(auditEntries))
  expect(await verifyAudit(db(), { head: verdict.end.hash })).toEqual(verdict)
})

/** Runs while no server can seal, as if all had crashed. */
async function withoutSealers(work: () => Promise<void>): Promise<void> {
  await telltale.running.services.sql.begin(async (transaction) => {
    await transaction`SELECT pg_advisory_xact_lock(${advisoryLocks.auditSeals})`
    await work()
  })
}

test('entries that were not sealed before a crash are sealed later, once', async () => {
  await sealed()
  const before = (await verifyAudit(db())).end
  await withoutSealers(async () => {
    await write(['before a crash', 'and another'])
    await sealEntries(db())
    expect(await verifyAudit(db())).toMatchObject({ broken: undefined, unsealed: 2, end: before })
  })
  const crash = db().transaction(async (transaction) => {
    await transaction.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.auditSeals})`)
    await write(['before another crash'])
    expect(await sealBatch(transaction)).toBeGreaterThan(0)
    throw new Error('a crash while sealing')
  })
  await expect(crash).rejects.toThrow('a crash while sealing')
  await sealed()
  expect(await verifyAudit(db(), { head: before.hash })).toMatchObject({
    broken: undefined,
    end: { position: before.position + 3 },
  })
})

test('an entry that is removed before it is sealed is missed, as long as the queue names it', async () => {
  await sealed()
  await withoutSealers(async () => {
    await write(['removed early'])
    await tamper(`CREATE TABLE kept AS SELECT * FROM audit_entries WHERE entity_name = 'removed early';
      DELETE FROM audit_entries WHERE entity_name = 'removed early'`)
  })
  await sealEntries(db())
  expect((await verifyAudit(db())).broken).toMatchObject({ fault: 'missing-entry', position: null })
  await tamper('INSERT INTO audit_entries SELECT * FROM kept; DROP TABLE kept')
  await sealed()
  expect((await verifyAudit(db())).broken).toBeUndefined()
})

test('an end that is cut off is found by a hash that was kept', async () => {
  await write(['cut off'])
  await sealed()
  const { end } = await verifyAudit(db())
  await tamper(`DELETE FROM audit_entries WHERE entity_name = 'cut off';
    DELETE FROM audit_seals WHERE position = ${end.position}`)

  expect((await verifyAudit(db())).broken).toBeUndefined()
  expect((await verifyAudit(db(), { head: end.hash })).broken).toMatchObject({ fault: 'missing-head' })
})

test('a backup has the chain, and the log that follows its restoration is in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-audit-'))
  await using restored = await openEmptyDatabase()
  const file = join(folder, 'copy.backup.gz')
  await withoutSealers(async () => {
    await write(['not sealed yet'])
    await writeBackup(telltale.running.services.sql, file, { version: '0.1.0', now: new Date() })
  })
  await sealed()
  const { end } = await verifyAudit(db())
  await restoreBackup(restored.sql, file)
  await rm(folder, { recursive: true })

  expect(await verifyAudit(restored.db)).toMatchObject({ broken: undefined, unsealed: 1 })
  await write(['after the restoration'], restored.db)
  await sealEntries(restored.db)
  // The entry that waited got the same place, with the same hash.
  expect(await verifyAudit(restored.db, { head: end.hash })).toMatchObject({
    broken: undefined,
    unsealed: 0,
    end: { position: end.position + 1 },
  })
})

async function openEmptyDatabase() {
  const { target, drop } = await createDatabase(inject('postgres'), 'template0')
  const { db, sql, close } = openPostgres(target)
  return { db, sql, [Symbol.asyncDispose]: () => close().then(drop) }
}

test('the log stays intact when an erasure changes the texts of an entry', async () => {
  await write(['ada@example.com'])
  await sealed()
  await db().transaction(async (transaction) => {
    await transaction.execute(sql`SELECT set_config('telltale.erasing', 'on', true)`)
    await transaction
      .update(auditEntries)
      .set({ entityName: 'a pseudonym', changes: [] })
      .where(eq(auditEntries.entityName, 'ada@example.com'))
  })
  expect((await verifyAudit(db())).broken).toBeUndefined()
  await sealed()
  expect(await verifyAudit(db())).toMatchObject({ broken: undefined, erased: 1 })
})

const words = async (query: string): Promise<string[]> => {
  const { body } = await telltale.request('GET', `/api/v1/audit?${query}`, { as: owner })
  return body.items.map(({ entity }: AuditEntry) => entity.name)
}

test('a search finds all words in the actor, the action and the name', async () => {
  await write(['Checkout-Größe', "=cmd|' /C calc'!A0"])
  expect(await words('q=check')).toEqual(['Checkout-Größe'])
  expect(await words(`q=${encodeURIComponent('GRÖSSE größ test create')}`)).toEqual([])
  expect(await words(`q=${encodeURIComponent('größ test thing.cre')}`)).toEqual(['Checkout-Größe'])
  expect(await words(`q=${encodeURIComponent("|'  calc'!")}`)).toEqual(["=cmd|' /C calc'!A0"])
  expect(await words(`q=${encodeURIComponent('%_\\')}`)).toEqual([])
  expect(await words('action=project.create&project=shop')).toEqual(['shop'])
  expect(await words('project=shop&environment=staging&entity=environment')).toEqual(['staging'])
})

async function exported(path: string): Promise<string> {
  const answer = await fetch(`${telltale.url}${path}`, { headers: owner.headers })
  expect(answer.status).toBe(200)
  return answer.text()
}

test('an export has every entry with its hashes, is safe in a spreadsheet, and is audited', async () => {
  await sealed()
  const text = await exported('/api/v1/audit/export')
  const entries: AuditEntry[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.length).toBe(await db().$count(auditEntries))
  expect(entries.at(-1)).toMatchObject({ action: 'audit.export', entity: { name: 'installation' } })
  for (const { seal, ...entry } of entries.slice(0, -1)) {
    if (seal === null) throw new Error(`${entry.id} has no seal`)
    const { previousHash, ...link } = seal
    const before = { position: seal.position - 1, hash: previousHash }
    const full = { ...link, entryId: entry.id, ...hashEntry(entry, sha256) }
    expect(checkSeal(before, { seal: full, entry, isReplaced: false }, sha256)).toBeUndefined()
    expect(sealEntry(before, entry, sha256).hash).toBe(seal.hash)
  }

  const csv = await exported('/api/v1/audit/export?format=csv&q=cmd')
  expect(csv.split('\r\n')).toHaveLength(3)
  expect(csv).toContain(`,'=cmd|' /C calc'!A0,`)
  await write(['＝cmd full-width'])
  expect(await exported('/api/v1/audit/export?format=csv&q=full-width')).toContain(`,'＝cmd full-width,`)
  const ofProject = await exported('/api/v1/projects/shop/audit/export?entity=project')
  expect(
    ofProject
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).action),
  ).toEqual(['project.create'])
})

const victim = `(SELECT id FROM audit_entries WHERE entity_name = 'victim')`
const place = `(SELECT position FROM audit_seals WHERE entry_id = ${victim})`
const remembered = `CREATE TEMPORARY TABLE at ON COMMIT DROP AS SELECT ${victim} AS id, ${place} AS place,
  (SELECT entry_id FROM audit_seals WHERE position = ${place} + 1) AS next`

/** What the owner of the database could run, and the fault by which it is found at the place of the victim. */
const attacks: [name: string, statements: string, fault: BrokenEntry['fault']][] = [
  ['a changed actor', `UPDATE audit_entries SET actor = '{}' WHERE id = ${victim}`, 'changed-entry'],
  ['a changed text', `UPDATE audit_entries SET reason = 'fine' WHERE id = ${victim}`, 'changed-entry'],
  [
    'an earlier time',
    `UPDATE audit_entries SET at = at - interval '1 ms' WHERE id = ${victim}`,
    'changed-entry',
  ],
  ['a removed entry', `DELETE FROM audit_entries WHERE id = ${victim}`, 'missing-entry'],
  [
    'an entry removed with its place',
    `${remembered}; DELETE FROM audit_entries WHERE id = ${victim};
      DELETE FROM audit_seals WHERE position = (SELECT place FROM at)`,
    'missing-seal',
  ],
  [
    'an entry removed with its place, and later ones moved up',
    `${remembered}; DELETE FROM audit_entries WHERE id = ${victim};
      DELETE FROM audit_seals WHERE position = (SELECT place FROM at);
      UPDATE audit_seals SET position = -position WHERE position > (SELECT place FROM at);
      UPDATE audit_seals SET position = -position - 1 WHERE position < 0`,
    'changed-seal',
  ],
  [
    'two places in another order',
    `${remembered}; UPDATE audit_seals SET position = -1 WHERE position = (SELECT place FROM at);
      UPDATE audit_seals SET position = position - 1 WHERE position = (SELECT place + 1 FROM at);
      UPDATE audit_seals SET position = (SELECT place + 1 FROM at) WHERE position = -1`,
    'changed-seal',
  ],
  [
    'two entries in another order',
    `${remembered}; UPDATE audit_seals SET entry_id = CASE WHEN entry_id = at.id THEN at.next ELSE at.id END
      FROM at WHERE entry_id IN (at.id, at.next)`,
    'changed-seal',
  ],
  [
    'a place inserted before others',
    `${remembered}; UPDATE audit_seals SET position = -position WHERE position >= (SELECT place FROM at);
      UPDATE audit_seals SET position = 1 - position WHERE position < 0;
      INSERT INTO audit_seals SELECT place, next, facts_hash, details_hash, hash
        FROM at JOIN audit_seals ON position = place + 2`,
    'changed-seal',
  ],
]

test.each(attacks)('%s is found', async (_name, statements, fault) => {
  await tamper('TRUNCATE audit_entries, audit_seals, audit_unsealed')
  await write(['honest', 'victim', 'last'])
  await sealed()
  const [found] = await telltale.running.services.sql.unsafe<{ at: string }[]>(`SELECT ${place} AS at`)
  await tamper(statements)
  expect((await verifyAudit(db())).broken).toMatchObject({ fault, position: Number(found?.at) })
})

test('an entry that was added around the chain is found', async () => {
  await tamper('TRUNCATE audit_entries, audit_seals, audit_unsealed')
  await write(['honest'])
  await sealed()
  const [, ...columns] = Object.values(getTableColumns(auditEntries)).map(({ name }) => name)
  await tamper(`INSERT INTO audit_entries SELECT gen_random_uuid(), ${columns.join()} FROM audit_entries`)
  expect((await verifyAudit(db())).broken).toMatchObject({ fault: 'unchained-entry', position: null })
})
