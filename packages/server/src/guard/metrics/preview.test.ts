// The preview of a metric on the real engine, compared with a count by hand.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

const url = '/api/v1/projects/shop/environments/production/metric-preview'
const day = 86_400_000
let telltale: Telltale
let owner: SomePerson

interface Sent {
  user: number
  kind?: 'view' | 'custom'
  value?: number
  browser?: string
  ago?: number
}
/** Ten users visited and four paid: one of them several times, one in Safari, and one too long ago. */
const sent: Sent[] = [
  ...Array.from({ length: 10 }, (_, user): Sent => ({ user, kind: 'view', ago: user % 2 })),
  { user: 1, value: 10 },
  ...Array.from({ length: 6 }, (): Sent => ({ user: 2, value: 20 })),
  { user: 3, value: 40, browser: 'Safari', ago: 1 },
  { user: 4, value: 80, ago: 3 },
  { user: 5, value: 999, ago: 30 },
]

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  const { body } = await telltale.request('GET', '/api/v1/projects/shop/environments/production', {
    as: owner,
  })
  const rows = sent.map(({ user, kind = 'custom', value = 0, browser = 'Chrome', ago = 0 }, index) => [
    body.id,
    kind,
    new Date(Date.now() - ago * day - 60_000).toISOString().replace('T', ' ').replace('Z', ''),
    `0190b3a4-0000-7000-8000-${String(index).padStart(12, '0')}`,
    `0190b3a4-0000-7000-8001-${String(user).padStart(12, '0')}`,
    user,
    kind === 'custom' ? 'paid' : 'load',
    value,
    browser,
  ])
  const columns = [
    'environment_id',
    'kind',
    'ts',
    'event_id',
    'session_id',
    'user_hash',
    'name',
    'value',
    'browser',
  ] as const
  const text = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))
  await telltale.running.services.telemetry.insert({ table: 'events', columns, rows: text, token: 'preview' })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const preview = async (query: Record<string, string>) =>
  telltale.request('GET', `${url}?${new URLSearchParams({ event: 'paid', ...query })}`, { as: owner })

test.each([
  ['the share of users who paid', { aggregation: 'proportion' }, 0.4],
  ['the mean of what they paid', { aggregation: 'mean' }, (10 + 6 * 20 + 40 + 80) / 9],
  ['how often, for each session', { aggregation: 'count' }, 9 / 10],
  ['how often, with a cap', { aggregation: 'count', cap: '2' }, 5 / 10],
  ['the median of what they paid', { aggregation: 'quantile', quantile: '0.5' }, 20],
])('%s', async (_what, query, value) => {
  const { status, body } = await preview(query)
  expect(status).toBe(200)
  expect(body).toMatchObject({ events: 9, users: 4, ofUsers: 10, unfiltered: 9 })
  expect(body.value).toBeCloseTo(value, 6)
})

test('a filter selects events, and shows of how many', async () => {
  const { body } = await preview({ aggregation: 'mean', filter: '-browser:Safari value:>10' })
  expect(body).toMatchObject({ events: 7, users: 2, unfiltered: 9, value: 200 / 7 })
  const none = await preview({ aggregation: 'mean', filter: 'browser:Netscape' })
  expect(none.body).toMatchObject({ events: 0, users: 0, unfiltered: 9, value: null })
  expect((await preview({ aggregation: 'mean', filter: 'flag:checkout=new' })).status).toBe(400)
})

test('each day separately, and an event that is never sent', async () => {
  const { body } = await preview({ aggregation: 'proportion' })
  const { days, events } = body
  expect(days.length).toBeGreaterThanOrEqual(3)
  expect(days.map(({ day: at }: { day: string }) => at)).toEqual(
    days.map(({ day: at }: { day: string }) => at).toSorted(),
  )
  expect(days.reduce((sum: number, one: { events: number }) => sum + one.events, 0)).toBe(events)
  const unknown = await preview({ event: 'nobody sends it', aggregation: 'proportion' })
  expect(unknown.body).toMatchObject({ events: 0, unfiltered: 0, ofUsers: 10, value: 0 })
})
