import { expect, test } from 'vitest'
import { type HarDetail, writeHar } from './har.ts'

const body = { state: 'none', size: 0, mime: '', text: '' } as const
const at = Date.parse('2026-11-01T10:00:00.000Z')
const resource = {
  view: 'v1',
  at,
  type: 'fetch',
  method: 'GET',
  url: 'https://a.example/x',
  status: 200,
  duration: 40,
  size: 99,
}
const detail = (startedAt: number, change: Partial<HarDetail> = {}): HarDetail => ({
  kind: 'fetch',
  method: 'GET',
  address: 'https://a.example/x?q',
  status: 200,
  duration: 40,
  startedAt,
  request: { headers: [['accept', '*/*']], body },
  response: {
    headers: [['content-type', 'application/json']],
    body: { state: 'cut', size: 20_000, mime: 'application/json', text: '{"total":1' },
  },
  ...change,
})
const write = (details: HarDetail[], resources = [resource]) =>
  JSON.parse(
    JSON.stringify(
      writeHar({ views: [{ id: 'v1', title: '/shop', at: at - 100 }], resources, details, version: '1.0' }),
    ),
  ).log

test('a request has what its event and its recorded details say', () => {
  const { entries, pages, ...log } = write([detail(at + 900), detail(at + 20, { status: 201 })])
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'Telltale', version: '1.0' } })
  expect(pages).toEqual([
    {
      startedDateTime: '2026-11-01T09:59:59.900Z',
      id: 'v1',
      title: '/shop',
      pageTimings: { onContentLoad: -1, onLoad: -1 },
    },
  ])
  expect(entries).toHaveLength(2)
  expect(entries[0]).toMatchObject({
    pageref: 'v1',
    startedDateTime: '2026-11-01T10:00:00.000Z',
    time: 40,
    request: {
      method: 'GET',
      url: 'https://a.example/x',
      headers: [{ name: 'accept', value: '*/*' }],
      queryString: [{ name: 'q', value: '' }],
      cookies: [],
    },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: {
        size: 20_000,
        mimeType: 'application/json',
        text: '{"total":1',
        comment: expect.stringContaining('beginning'),
      },
      bodySize: 99,
    },
    timings: { send: 0, wait: 40, receive: 0 },
  })
})

test('each recorded request is used once, for the event that is nearest in time', () => {
  const later = { ...resource, at: at + 600 }
  const details = [
    detail(at + 590, { request: { headers: [['n', '2']], body } }),
    detail(at + 10, { request: { headers: [['n', '1']], body } }),
  ]
  const { entries } = write(details, [resource, later])
  expect(entries.map(({ request }: { request: { headers: unknown } }) => request.headers)).toEqual([
    [{ name: 'n', value: '1' }],
    [{ name: 'n', value: '2' }],
  ])
})

test('a request without an event, and one without details, are in it', () => {
  const { entries } = write([detail(at + 5_000, { method: 'POST', status: 0 })])
  expect(entries).toHaveLength(2)
  expect(entries[0]).toMatchObject({ request: { headers: [], bodySize: -1 }, response: { bodySize: 99 } })
  expect(entries[1]).toMatchObject({ pageref: 'v1', request: { method: 'POST' }, response: { status: 0 } })
})
