import { expect, test } from 'vitest'
import { isAllowed, type Resolve, refuseLiteral, resolveBySystem } from '../../platform/http/reach.ts'
import { post } from './post.ts'
import { pauseAfter } from './settle.ts'
import { openReceiver } from './testing/receiver.ts'

const refused = [
  '127.0.0.1',
  '127.8.9.1',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::127.0.0.1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2001::1',
  '2002:7f00:1::',
  '100::1',
]

test.each(refused)('%s is refused', (address) => {
  expect(isAllowed(address, [])).toBe(false)
})

test.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is', (address) => {
  expect(isAllowed(address, [])).toBe(true)
})

test('the installation can allow one network only', () => {
  expect(isAllowed('10.1.2.3', ['10.1.0.0/16'])).toBe(true)
  expect(isAllowed('::ffff:10.1.2.3', ['10.1.0.0/16'])).toBe(true)
  expect(isAllowed('10.2.0.1', ['10.1.0.0/16'])).toBe(false)
  expect(isAllowed('169.254.169.254', ['10.0.0.0/8'])).toBe(false)
})

test.each([
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://0/',
  'http://[::ffff:7f00:1]/',
  'http://[::]/',
  'http://localhost/',
  'http://localhost./',
  'http://app.localhost/',
  'http://①②⑦.⓪.⓪.①/',
  'http://169.254.169.254/latest/meta-data/',
])('%s is recognised as local', async (url) => {
  expect(refuseLiteral(new URL(url).hostname, [])).toBeTypeOf('string')
  const outcome = await post({ url, headers: {}, body: '{}' }, { networks: [], resolve: resolveBySystem })
  expect(outcome.status).toBeNull()
  expect(outcome.failure).toMatch(/private or reserved/)
})

test('a name that resolves to a public address first and to this machine later is refused', async () => {
  await using receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  let requested = 0
  const rebinding: Resolve = async () => {
    requested += 1
    return [{ address: requested === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]
  }
  const posting = { url: `http://rebind.example:${port}/`, headers: {}, body: '{}' }
  // Documentation addresses are reserved; allowing the network makes the first one look public.
  const ways = { networks: ['192.0.2.0/24'], resolve: rebinding, timeout: 300 }
  const first = await post(posting, ways)
  expect(first.status).toBeNull()
  expect(requested).toBe(1)
  const second = await post(posting, ways)
  expect(second.failure).toContain('127.0.0.1')
  expect(receiver.received).toHaveLength(0)
})

test('one private address among public ones refuses the name', async () => {
  const mixed: Resolve = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ]
  const outcome = await post(
    { url: 'http://mixed.example/', headers: {}, body: '{}' },
    { networks: [], resolve: mixed },
  )
  expect(outcome.failure).toContain('10.0.0.1')
})

test('the connection goes to the address that was checked, whatever the name', async () => {
  await using receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const outcome = await post(
    { url: `http://nobody-has-this-name.invalid:${port}/in`, headers: {}, body: '{}' },
    { networks: ['127.0.0.1'], resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  )
  expect(outcome).toEqual({ status: 200, failure: null, answer: 'ok' })
  expect(receiver.received[0]).toMatchObject({
    path: '/in',
    headers: { host: `nobody-has-this-name.invalid:${port}` },
  })
})

const local = { networks: ['127.0.0.1'], resolve: resolveBySystem }

test('an endless answer is cut off, and its status counts', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => {
    const chunk = 'x'.repeat(16_384)
    const flood = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', flood)
    flood()
  })
  const outcome = await post({ url: receiver.url, headers: {}, body: '{}' }, local)
  expect(outcome.status).toBe(200)
  expect(outcome.answer).toHaveLength(2_048)
})

test('a hanging receiver times out, before or within its answer', async () => {
  await using receiver = await openReceiver()
  receiver.answer(() => undefined)
  const silent = await post({ url: receiver.url, headers: {}, body: '{}' }, { ...local, timeout: 200 })
  expect(silent).toMatchObject({ status: null, failure: expect.stringContaining('No response within') })
  receiver.answer((response) => void response.writeHead(200).write('half'))
  const half = await post({ url: receiver.url, headers: {}, body: '{}' }, { ...local, timeout: 200 })
  expect(half).toMatchObject({ status: 200, failure: null, answer: 'half' })
})

test('a hanging lookup times out', async () => {
  const outcome = await post(
    { url: 'http://slow.example/', headers: {}, body: '' },
    { networks: [], timeout: 100, resolve: () => new Promise(() => undefined) },
  )
  expect(outcome.failure).toContain('No response within')
})

test('a redirect is not followed, and reported', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => response.writeHead(301, { location: 'http://169.254.169.254/' }).end())
  const outcome = await post({ url: receiver.url, headers: {}, body: '{}' }, local)
  expect(outcome).toMatchObject({
    status: 301,
    failure: 'Responded with 301 to http://169.254.169.254/: redirects are not followed.',
  })
  expect(receiver.received).toHaveLength(1)
})

test.each([
  [{ 'retry-after': '120' }, 120_000],
  [{ 'retry-after': '99999999' }, 4 * 3_600_000],
  [{ 'retry-after': 'Sun, 22 Nov 2026 10:01:30 GMT', date: 'Sun, 22 Nov 2026 10:00:00 GMT' }, 90_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{}, undefined],
])('a requested delay is respected: %o', async (headers, span) => {
  await using receiver = await openReceiver()
  receiver.answer((response) => response.writeHead(429, headers).end())
  const outcome = await post({ url: receiver.url, headers: {}, body: '{}' }, local)
  expect(outcome).toMatchObject({ status: 429, failure: 'Responded with 429.' })
  expect(outcome.retryAfter).toBe(span)
})

test('a connection closed before any answer is not delivered', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => void response.destroy())
  const outcome = await post({ url: receiver.url, headers: {}, body: '{}' }, local)
  expect(outcome).toEqual({ status: null, failure: 'The connection was closed.', answer: '' })
})

test('an answer that is not HTTP, or not TLS, is reported', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => response.socket?.end('SSH-2.0-nothing\r\n'))
  const other = await post({ url: receiver.url, headers: {}, body: '{}' }, local)
  expect(other.failure).toMatch(/^The response is not HTTP \(/)
  const url = receiver.url.replace('http:', 'https:')
  const plain = await post({ url, headers: {}, body: '{}' }, local)
  expect(plain.failure).toBe('The server does not support TLS, which https:// requires.')
})

test('a protocol switch is not delivered', async () => {
  await using receiver = await openReceiver()
  receiver.answer((response) => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'
    response.socket?.write(head)
  })
  const outcome = await post({ url: receiver.url, headers: {}, body: '{}' }, local)
  expect(outcome).toEqual({ status: 101, failure: 'Responded with 101.', answer: '' })
})

test('delays grow to their bound, with jitter', () => {
  const pauses = [1, 2, 3, 4, 12].map((tries) => pauseAfter(tries, 0.5))
  expect(pauses).toEqual([10_000, 30_000, 90_000, 270_000, 14_400_000])
  expect(pauseAfter(1, 0)).toBe(8_000)
  expect(pauseAfter(1, 1)).toBe(12_000)
})
