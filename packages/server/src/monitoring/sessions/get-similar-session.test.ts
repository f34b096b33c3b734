import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
const base = '/api/v1/projects/shop/environments/staging'
const ask = async (path: string) => telltale.request('GET', base + path, { as: owner })
const idOf = (number: number) => `0190b3a4-0000-7000-8000-${String(number).padStart(12, '0')}`

interface Visit {
  variations: string[]
  pages: string[]
  device?: string
  hoursLater?: number
  isRecorded?: boolean
}

const way = ['/', '/bikes', '/cart', '/pay']
const visits: Visit[] = [
  { variations: ['on'], pages: way },
  { variations: ['off'], pages: way, device: 'desktop' },
  { variations: ['off'], pages: ['/', '/help', '/jobs'] },
  { variations: ['off'], pages: ['/', '/bikes', '/help', '/cart', '/pay'], hoursLater: 2 },
  { variations: ['off', 'on'], pages: way },
  { variations: ['off'], pages: way, isRecorded: false },
  { variations: ['blue'], pages: ['/far'] },
]

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  const { id: environment } = (await ask('')).body
  const began =
    Math.floor(telltale.running.services.clock().getTime() / 3_600_000) * 3_600_000 - 6 * 3_600_000
  const rows = visits.flatMap(
    ({ variations, pages, device = 'mobile', hoursLater = 0, isRecorded = true }, index) =>
      pages.map((page, step) => {
        const at = began + hoursLater * 3_600_000 + index * 60_000 + step * 1_000
        const flags = variations.map((variation) => `'checkout=${variation}'`).join(', ')
        return `('${environment}', 'view', fromUnixTimestamp64Milli(toInt64(${at})), generateUUIDv4(), '${idOf(index + 1)}', '${page}', '${device}', 'DE', 'Safari', ${isRecorded ? 1 : 0}, [${flags}])`
      }),
  )
  await telltale.running.services.telemetry.command(
    `INSERT INTO events (environment_id, kind, ts, event_id, session_id, page, device, country, browser, has_replay, flags) VALUES ${rows.join(', ')}`,
  )
})
afterAll(() => telltale[Symbol.asyncDispose]())

test('the similar session took the same path on the same kind of device, with a score', async () => {
  const { status, body } = await ask(`/sessions/${idOf(1)}/similar?flag=checkout&control=off`)
  expect(status).toBe(200)
  expect(body.lookedAt).toBe(3)
  expect(body.similar).toMatchObject({
    session: idOf(4),
    isClose: true,
    pages: 0.8,
    sameDevice: true,
    sameCountry: true,
    sameBrowser: true,
  })
  expect(body.similar.hoursApart).toBeGreaterThan(1.9)
  expect(body.similar.closeness).toBeLessThan(1)
})

test('a session with another path is not close, and without any there is none', async () => {
  const far = await ask(`/sessions/${idOf(1)}/similar?flag=checkout&control=blue`)
  expect(far.body.similar).toMatchObject({ session: idOf(7), isClose: false, pages: 0 })
  const none = await ask(`/sessions/${idOf(1)}/similar?flag=checkout&control=green`)
  expect(none.body).toEqual({ lookedAt: 0, similar: null })
  expect((await ask(`/sessions/${idOf(99)}/similar?flag=checkout&control=off`)).status).toBe(404)
})
