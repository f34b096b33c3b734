import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as newId } from 'uuid'
import { expect, type inject, onTestFinished, test } from 'vitest'
import { always, createKey, placeOf, saveFlag } from '../../../../test/contracts/flags.ts'
import { context, send, toLines, views } from '../../../../test/intake/visitor.ts'
import { startTelltale } from '../../../../test/start.ts'

const bulk = '/ofrep/v1/evaluate/flags'

// The address of an external server cannot be taken away from it.
test.skipIf(process.env.TELLTALE_TEST_DATABASE_URL !== undefined)(
  'a server that starts while PostgreSQL is unavailable serves its stored flags, and the rest later',
  async () => {
    const first = await startTelltale()
    onTestFinished(() => first[Symbol.asyncDispose]())
    await first.project('shop')
    const place = await placeOf(first, 'shop', 'production')
    const flag = { key: 'banner', valueType: 'string' as const, values: { a: 'A', b: 'B' } }
    await saveFlag(first, place, { ...flag, config: always('a') })
    const key = await createKey(first, 'client')
    const headers = { authorization: `Bearer ${key.value}` }
    const requested = { headers, body: { context: { targetingKey: 'ada' } } }
    const before = await first.request('POST', `${bulk}/banner`, requested)
    expect(before.body).toMatchObject({ value: 'A' })
    const as = await first.person({ role: 'owner' })
    await first.running.stop()

    const { folder, database, open } = await closedDoor(first.database)
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const second = await startTelltale({ again: { after: first, database } })
    onTestFinished(() => second.running.stop())

    expect((await second.request('POST', `${bulk}/banner`, requested)).body).toEqual(before.body)
    expect((await second.request('GET', '/health/ready')).body).toMatchObject({
      ready: true,
      degraded: ['postgres'],
    })
    const refused = await second.request('GET', '/api/v1/projects', { as })
    expect(refused.status).toBe(503)
    expect(refused.body.type).toBe('/errors/engine-unavailable')

    await open()
    const patience = { timeout: 20_000 }
    await expect
      .poll(async () => (await second.request('GET', '/api/v1/projects', { as })).status, patience)
      .toBe(200)
    expect((await second.request('GET', '/health/ready')).body).toMatchObject({ degraded: [] })
    await saveFlag(second, place, { ...flag, config: always('b') })
    await expect
      .poll(async () => (await second.request('POST', `${bulk}/banner`, requested)).body.value, patience)
      .toBe('B')
  },
)

test.skipIf(process.env.TELLTALE_TEST_DATABASE_URL !== undefined)(
  'while PostgreSQL is unavailable telemetry of known keys is accepted, other clients are told to retry, and everything is stored once',
  async () => {
    // With an external database, another server may have the batch already, so the check must wait for
    // PostgreSQL.
    const settings = { DATABASE_URL: 'postgres://shared.example/telltale' }
    const first = await startTelltale({ telemetry: true, settings })
    onTestFinished(() => first[Symbol.asyncDispose]())
    await first.project('shop')
    await placeOf(first, 'shop', 'production')
    const { value: key } = await createKey(first, 'client')
    expect((await send(first.url, toLines([context(), ...views(1)]), { key })).status).toBe(202)
    await first.running.stop()

    const { folder, database, open } = await closedDoor(first.database)
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const second = await startTelltale({ again: { after: first, database }, settings })
    onTestFinished(() => second.running.stop())

    const { session, ...rest } = context()
    const lines = toLines([{ session, ...rest }, ...views(5)])
    const batch = newId()
    expect((await send(second.url, lines, { key, batch })).status).toBe(202)
    expect((await send(second.url, lines, { key, batch })).body).toMatchObject({ repeated: true })
    const unknown = await send(second.url, lines, { key: 'somebody-elses-key' })
    expect(unknown).toMatchObject({ status: 503, body: { type: '/errors/engine-unavailable' } })
    expect(Number(unknown.headers.get('retry-after'))).toBeGreaterThan(0)

    await open()
    const patience = { timeout: 40_000 }
    const stored = async () => {
      const text = 'SELECT count() AS n FROM events WHERE session_id = {session:UUID}'
      const found = await second.running.services.telemetry.read<{ n: string }>(text, { values: { session } })
      return found[0]?.n
    }
    await expect.poll(stored, patience).toBe('5')
    await expect
      .poll(async () => (await send(second.url, lines, { key: 'somebody-elses-key' })).status, patience)
      .toBe(401)
    expect(await stored()).toBe('5')
  },
)

test('a new server does not start while PostgreSQL is unavailable', async () => {
  const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const first = await startTelltale()
  onTestFinished(() => first[Symbol.asyncDispose]())
  await first.running.stop()
  const database = { kind: 'url' as const, url: settings.DATABASE_URL }
  await expect(startTelltale({ again: { after: first, database } })).rejects.toThrow('ECONNREFUSED')
})

/** A proxy to PostgreSQL on a socket, closed until it is opened. */
async function closedDoor(target: ReturnType<typeof inject<'postgres'>>) {
  if (target.kind !== 'socket') throw new Error('only a socket has a door')
  const folder = await mkdtemp(join(tmpdir(), 'telltale-door-'))
  const host = join(folder, 's')
  return {
    folder,
    database: { ...target, host },
    open: () => symlink(target.host, host),
  }
}
