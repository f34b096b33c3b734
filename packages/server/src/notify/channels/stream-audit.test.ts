import type { AuditEntry } from '@telltale/core/contract/audit'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { sealEntries } from '../../organisation/audit/seal-entries.ts'
import { auditStreams, deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import { streamAudit } from './stream-audit.ts'
import { openReceiver, type Receiver } from './testing/receiver.ts'

const day = 86_400_000

let telltale: Telltale
let admin: SomePerson
beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_WEBHOOK_NETWORKS: '127.0.0.1' } })
  await telltale.project('shop')
  admin = await telltale.person({ in: { shop: 'admin' } })
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

const db = () => telltale.running.services.db
const channels = '/api/v1/projects/shop/channels'
const events = ['audit.recorded']

async function send(method: 'POST' | 'PATCH', path: string, body: object) {
  const answer = await telltale.request(method, path, { as: admin, body })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}
const subscribe = async (url: string): Promise<string> =>
  (await send('POST', channels, { kind: 'webhook', name: url, url, events })).channel.id
const createFlag = (key: string) =>
  send('POST', '/api/v1/projects/shop/flags', { key, name: key, valueType: 'boolean' })

const entriesOf = ({ received }: Receiver): AuditEntry[] =>
  received.flatMap(({ body }) => JSON.parse(body).data.entries)
const flagsIn = (entries: AuditEntry[]) =>
  entries.filter(({ action }) => action === 'flag.create').map(({ entity }) => entity.name)

test('entries arrive in the order of the chain, after failures too, and without a gap', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => response.writeHead(500).end())
  const channel = await subscribe(receiver.url)
  await createFlag('first')
  const { body: failed } = await receiver.request(1)
  await createFlag('second')
  await createFlag('third')
  await sealEntries(db())
  await streamAudit(db(), telltale.running.services.clock())
  // What waits is not queued, and a delivery out of attempts holds up the later ones.
  expect(await db().$count(deliveries, eq(deliveries.channelId, channel))).toBe(1)
  await db().update(deliveries).set({ state: 'failed' }).where(eq(deliveries.channelId, channel))

  receiver.answer((response) => void response.end())
  const before = receiver.received.length
  await expect
    .poll(
      () => {
        telltale.passTime(day / 4)
        return flagsIn(entriesOf(receiver)).at(-1)
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe('third')
  const arrived = receiver.received.slice(before)
  expect(arrived[0]?.body).toBe(failed)
  const entries = arrived.flatMap(({ body }): AuditEntry[] => JSON.parse(body).data.entries)
  expect(flagsIn(entries)).toEqual(['first', 'second', 'third'])
  const positions = entries.map(({ seal }) => seal?.position ?? 0)
  expect(positions).toEqual([...new Set(positions)].sort((one, other) => one - other))

  // While it is off, entries wait in the log.
  await send('PATCH', `${channels}/${channel}`, { enabled: false })
  await createFlag('fourth')
  await send('PATCH', `${channels}/${channel}`, { enabled: true })
  await expect.poll(() => flagsIn(entriesOf(receiver)).at(-1), { timeout: 20_000 }).toBe('fourth')

  await send('PATCH', `${channels}/${channel}`, { events: [] })
  expect(await db().$count(auditStreams)).toBe(0)
})

test('a stream that fails does not delay the others', async () => {
  await using receiver = await openReceiver()
  const broken = await subscribe(`${receiver.url}/broken`)
  const refusing = sql.raw(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON deliveries FOR EACH ROW
      WHEN (NEW.channel_id = '${broken}') EXECUTE FUNCTION refuse()`)
  await db().execute(refusing)
  await subscribe(`${receiver.url}/working`)
  await createFlag('fifth')
  await expect.poll(() => flagsIn(entriesOf(receiver)), { timeout: 20_000 }).toEqual(['fifth'])
  expect(receiver.received.every(({ path }) => path === '/working')).toBe(true)
})

test('only a webhook can subscribe', async () => {
  const body = { kind: 'slack', name: 'slack', url: 'https://hooks.example.com/x', events }
  const answer = await telltale.request('POST', channels, { as: admin, body })
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toMatchObject([{ pointer: '/events' }])
})
