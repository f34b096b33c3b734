import { expect, test, vi } from 'vitest'
import type { Segment } from './segment.ts'
import { createUpload } from './upload.ts'

const mebibyte = 1024 * 1024
const segment = (id: string, { full = false, sizeBytes = 1, session = id } = {}): Segment => ({
  ...{ id, startedAt: 1, endedAt: 2, full, sizeBytes, records: 1, assets: [] },
  context: { kind: 'context', index: 0, session, tab: 'tab', reads: [], attributes: { a: 'b' } },
  body: [new Uint8Array(sizeBytes > mebibyte ? 1 : sizeBytes)],
})

/** Answers what it is told to; until then it is away. */
function startServer() {
  const sent: { id: string; header: string; keepalive: boolean }[] = []
  const answers: [number, string][] = []
  const fetch = async (address: string | URL | Request, { body, keepalive }: RequestInit = {}) => {
    const [header = ''] = (await new Response(body ?? null).text()).split('\n', 1)
    const id = new URL(`${address}`).searchParams.get('batch') ?? ''
    sent.push({ id, header, keepalive: keepalive === true })
    const [status, text] = answers.shift() ?? [202, '{"accepted":1,"dropped":[]}']
    if (status === 0) throw new TypeError('no server')
    return new Response(text, { status })
  }
  return {
    server: {
      url: 'http://server.example',
      key: 'key',
      fetch: fetch as typeof globalThis.fetch,
      fetched: new Set<string>(),
    },
    sent,
    answers,
  }
}

function start(server: Parameters<typeof createUpload>[0]) {
  const lost: boolean[] = []
  const stopped: string[] = []
  const upload = createUpload(server, {
    reason: () => 'sampled',
    onLost: (isBroken) => lost.push(isBroken),
    onStop: (why) => stopped.push(why),
  })
  return { upload, lost, stopped }
}

test('segments go in their order, in words that are short, and small ones outlive their page', async () => {
  const { server, sent } = startServer()
  const { upload, lost } = start(server)
  upload.push(segment('a', { sizeBytes: 10 }))
  upload.push(segment('b', { sizeBytes: 40 * 1024 }))
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent.map(({ id, keepalive }) => [id, keepalive])).toEqual([
    ['a', true],
    ['b', false],
  ])
  expect(JSON.parse(sent[0]?.header ?? '').context).toEqual({
    ...{ kind: 'context', index: 0, session: 'a', tab: 'tab' },
  })
  expect(lost).toEqual([])
})

test('what look-back keeps has room, and what came last stays', async () => {
  const { server, sent, answers } = startServer()
  const { upload, lost } = start(server)
  answers.push([0, ''])
  upload.push(segment('a', { full: true, sizeBytes: 2 * mebibyte }))
  upload.push(segment('b', { sizeBytes: mebibyte }))
  expect(lost).toEqual([])
  upload.push(segment('c', { full: true, sizeBytes: 9 * mebibyte }))
  // The first is under way, and the last can be played by itself.
  expect(lost).toEqual([false])
  await vi.waitFor(() => expect(sent.map(({ id }) => id)).toEqual(['a', 'a', 'c']), { timeout: 5_000 })
})

test('a new beginning is asked for once, as long as none came', async () => {
  const { server, answers } = startServer()
  const { upload, lost } = start(server)
  answers.push([500, ''])
  for (let count = 0; count < 5; count++) upload.push(segment(`${count}`, { sizeBytes: 2 * mebibyte }))
  expect(lost).toEqual([true, false, false])
})

test('a page that is too large is told, and one refusal is no end', async () => {
  const { server, answers } = startServer()
  const { upload, lost, stopped } = start(server)
  answers.push([400, ''])
  answers.push([202, '{"accepted":0,"dropped":[{"reason":"malformed","count":1}]}'])
  upload.push(segment('a'))
  upload.push(segment('b', { full: true }))
  upload.push(segment('c', { full: true }))
  await vi.waitFor(() => expect(lost).toEqual([false, false]))
  expect(stopped).toEqual([])
  answers.push([413, ''])
  upload.push(segment('d', { full: true }))
  await vi.waitFor(() => expect(stopped).toEqual(['too-large']))
})

test('a server that refuses again and again is left alone', async () => {
  const { server, answers, sent } = startServer()
  const { upload, stopped } = start(server)
  for (let count = 0; count < 9; count++) answers.push([400, ''])
  for (let count = 0; count < 5; count++) upload.push(segment(`${count}`))
  await vi.waitFor(() => expect(stopped).toEqual(['refused']))
  expect(sent).toHaveLength(3)
})

test('what is on its way since the page was left is not sent twice by a page that stays', async () => {
  const { server, sent } = startServer()
  const { fetch } = server
  const idsOf = () => sent.map(({ id }) => id)
  server.fetch = async (address, options) => {
    const answer = await fetch(address, options)
    // Those that are sent as the page is left are on their way until the next one has come.
    if (/batch=[bc]/.test(`${address}`)) await vi.waitFor(() => expect(idsOf()).toContain('d'))
    return answer
  }
  const { upload } = start(server)
  for (const id of ['a', 'b', 'c']) upload.push(segment(id))
  upload.exit()
  upload.push(segment('d'))
  await vi.waitFor(() => expect(idsOf()).toContain('d'))
  expect(idsOf().sort()).toEqual(['a', 'b', 'c', 'd'])
})
