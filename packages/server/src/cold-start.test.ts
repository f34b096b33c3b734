import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type inject, onTestFinished, test } from 'vitest'
import { always, createKey, placeOf, saveFlag } from '../../../test/contracts/flags.ts'
import { startTelltale } from '../../../test/start.ts'

const bulk = '/ofrep/v1/evaluate/flags'

// The address of a server that is not ours can't be taken away from it.
test.skipIf(process.env.TELLTALE_TEST_DATABASE_URL !== undefined)(
  'a server that starts while PostgreSQL is away serves the flags it kept, and the rest when it can',
  async () => {
    const first = await startTelltale()
    onTestFinished(() => first[Symbol.asyncDispose]())
    await first.project('shop')
    const place = await placeOf(first, 'shop', 'production')
    const flag = { key: 'banner', valueType: 'string' as const, values: { a: 'A', b: 'B' } }
    await saveFlag(first, place, { ...flag, config: always('a') })
    const key = await createKey(first, 'client')
    const headers = { authorization: `Bearer ${key.value}` }
    const asked = { headers, body: { context: { targetingKey: 'ada' } } }
    const before = await first.request('POST', `${bulk}/banner`, asked)
    expect(before.body).toMatchObject({ value: 'A' })
    const as = await first.person({ role: 'owner' })
    await first.running.stop()

    const { folder, database, open } = await closedDoor(first.database)
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const second = await startTelltale({ again: { after: first, database } })
    onTestFinished(() => second.running.stop())

    expect((await second.request('POST', `${bulk}/banner`, asked)).body).toEqual(before.body)
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
      .poll(async () => (await second.request('POST', `${bulk}/banner`, asked)).body.value, patience)
      .toBe('B')
  },
)

test('a server that was never here before does not start while PostgreSQL is away', async () => {
  const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const first = await startTelltale()
  onTestFinished(() => first[Symbol.asyncDispose]())
  await first.running.stop()
  const database = { kind: 'url' as const, url: settings.DATABASE_URL }
  await expect(startTelltale({ again: { after: first, database } })).rejects.toThrow('ECONNREFUSED')
})

/** The way to a PostgreSQL on a socket, closed until it is opened. */
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
