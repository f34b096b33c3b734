// On real sockets: what is answered directly, what is left to Node's server, and in which order.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answerDirectly } from './direct-answers.ts'

let port = 0
let isClosing = false
const server = createServer(async (request, response) => {
  let size = 0
  for await (const part of request) size += part.length
  response.end(`usual ${request.method} ${request.url} ${size}.`)
})
answerDirectly<string>(
  server,
  {
    read: ({ url, headers }) =>
      url.startsWith('/direct') ? `${url} ${headers.get('x-name') ?? ''}` : undefined,
    answer(request, body) {
      const text = `direct ${request} ${body.length}.`
      const answer = { status: 200, lines: `content-length: ${text.length}\r\n\r\n`, body: text }
      if (request.startsWith('/direct/none')) return undefined
      if (request.startsWith('/direct/bytes')) return { ...answer, body: Buffer.from(text) }
      return request.startsWith('/direct/later') ? turn(answer) : answer
    },
  },
  { isClosing: () => isClosing, idleTimeout: 72_000 },
)

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())
beforeEach(() => {
  isClosing = false
})

async function open() {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.setEncoding('latin1')
  return socket
}

const post = (url: string, { headers = [] as string[], body = 'body' } = {}) =>
  [`POST ${url} HTTP/1.1`, 'host: here', `content-length: ${body.length}`, ...headers, '', body].join('\r\n')

/** The bodies of the answers, once there are so many, or the connection ends. */
async function bodiesOf(socket: Socket, count: number): Promise<string[]> {
  let text = ''
  const found = () => [...text.matchAll(/(?:direct|usual) [^.]*\.|HTTP\/1\.1 400/g)].map(([each]) => each)
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    text += part
    if (found().length >= count) break
  }
  return found()
}

async function ask(...pieces: string[]): Promise<string | undefined> {
  const socket = await open()
  for (const piece of pieces) {
    socket.write(piece)
    await turn()
    await turn()
  }
  const [body] = await bodiesOf(socket, 1)
  socket.destroy()
  return body
}

test('a plain request in one piece is answered directly', async () => {
  expect(await ask(post('/direct/a', { headers: ['X-Name:  Mara \t'] }))).toBe('direct /direct/a Mara 4.')
  expect(await ask(post('/direct/bytes'))).toBe('direct /direct/bytes  4.')
  expect(await ask(post('/direct/later', { body: '' }))).toBe('direct /direct/later  0.')
})

test('anything else gets the answer of the usual server', async () => {
  const whole = post('/direct/a')
  expect(await ask(post('/other'))).toBe('usual POST /other 4.')
  expect(await ask(post('/direct/none'))).toBe('usual POST /direct/none 4.')
  expect(await ask(whole.replace('POST', 'GET'))).toBe('usual GET /direct/a 4.')
  expect(await ask(whole.slice(0, -2), whole.slice(-2))).toBe('usual POST /direct/a 4.')
  expect(await ask(whole.slice(0, 9), whole.slice(9))).toBe('usual POST /direct/a 4.')
  expect(await ask(post('/direct/a', { body: 'x'.repeat(20_000) }))).toBe('usual POST /direct/a 20000.')
  for (const header of [
    'connection: close',
    'expect: 100-continue',
    'content-encoding: gzip',
    'x-name: 1\r\nX-Name: 2',
    'x-name: \u00e9',
    `x-name: ${'y'.repeat(3_000)}`,
  ])
    expect(await ask(post('/direct/a', { headers: [header] })), header).toBe('usual POST /direct/a 4.')
  const chunked =
    'POST /direct/a HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n'
  expect(await ask(chunked)).toBe('usual POST /direct/a 4.')
  isClosing = true
  expect(await ask(whole)).toBe('usual POST /direct/a 4.')
})

test('what a proxy could read in another way is refused as by the usual server', async () => {
  const whole = post('/direct/a')
  for (const faulty of [
    whole.replace('content-length: 4', 'content-length: 4\r\ncontent-length: 5'),
    whole.replace('content-length: 4', 'content-length: 4\r\ntransfer-encoding: chunked'),
    whole.replace('content-length: 4', 'content-length: +4'),
    whole.replace('host: here', 'host : here'),
    whole.replace('host: here\r\n', ''),
    whole.replace('host: here', 'host: here\r\n folded'),
    whole.replace('host: here', 'host: here\rx: y'),
  ])
    expect(await ask(faulty), JSON.stringify(faulty)).toBe('HTTP/1.1 400')
})

test('answers on one connection keep the order of their requests', async () => {
  const socket = await open()
  const bodies: string[] = []
  for (const url of ['/direct/a', '/direct/later', '/direct/a', '/other', '/direct/a']) {
    socket.write(post(url))
    bodies.push(...(await bodiesOf(socket, 1)))
  }
  expect(bodies).toEqual([
    'direct /direct/a  4.',
    'direct /direct/later  4.',
    'direct /direct/a  4.',
    'usual POST /other 4.',
    'usual POST /direct/a 4.',
  ])
  socket.destroy()

  const pipelined = await open()
  pipelined.write(post('/direct/later'))
  pipelined.write(post('/direct/a') + post('/other') + post('/direct/a'))
  const [first, ...rest] = await bodiesOf(pipelined, 4)
  expect([first?.slice(6), ...rest.map((each) => each.replace('usual POST', 'usual'))]).toEqual([
    expect.stringContaining('/direct/later'),
    'usual /direct/a 4.',
    'usual /other 4.',
    'usual /direct/a 4.',
  ])
  pipelined.end()
  await once(pipelined, 'close')
})

test('a client that ends its side is answered, and its connection ends', async () => {
  const socket = await open()
  socket.end(post('/direct/a'))
  expect(await bodiesOf(socket, 1)).toEqual(['direct /direct/a  4.'])
  await once(socket.resume(), 'close')
})
