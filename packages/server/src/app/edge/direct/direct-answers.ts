// Answers on the socket, in front of Node's HTTP server: most of the time of a small answer is spent there. Only
// requests that arrive in one piece, in the plainest form, and that can be answered at once. Anything else, from the
// first unusual byte on, leaves the connection to Node's server, which answers the same. So nothing here waits for bytes,
// and no request has two readings.

import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

export interface DirectHead {
  url: string
  /** By lower-case name. No name occurs twice. */
  headers: ReadonlyMap<string, string>
}

export interface DirectAnswer {
  status: number
  /** Header lines, each with its line end. */
  lines: string
  /** Text is ASCII. */
  body: string | Buffer
}

export interface DirectRoutes<Request> {
  /** What a head asks for; undefined when it is for Node's server. Remembered by the head. */
  read(head: DirectHead): Request | undefined
  /** Undefined when the answer is for Node's server, a promise when it takes time. */
  answer(request: Request, body: Buffer): DirectAnswer | Promise<DirectAnswer> | undefined
}

interface DirectOptions {
  /** While it is true, connections are left to Node's server, which closes them. */
  isClosing(): boolean
  /** Milliseconds without a request until a connection is closed. */
  idleTimeout: number
}

interface KnownHead<Request> {
  request: Request
  bodyLength: number
}

const headEnd = Buffer.from('\r\n\r\n')
/** A longer head is not remembered, and is for Node's server. */
const longestHead = 2_048
const longestBody = 16_384
const headsRemembered = 5_000

/** Puts itself in front of what listens for connections now. */
export function answerDirectly<Request>(
  server: Server,
  routes: DirectRoutes<Request>,
  options: DirectOptions,
): void {
  const usual = server.listeners('connection')
  server.removeAllListeners('connection')
  const leave = (socket: Socket) => {
    for (const listener of usual) listener.call(server, socket)
  }
  const heads = new Map<string, KnownHead<Request> | 'unusual'>()
  const find = (text: string) => {
    const known = heads.get(text)
    if (known !== undefined) return known
    if (heads.size >= headsRemembered) heads.clear()
    const read = readHead(text, routes)
    heads.set(text, read)
    return read
  }
  const begin = createBeginnings(options.idleTimeout)

  server.on('connection', (socket: Socket) => {
    /** The bytes of the last head: most clients repeat it. */
    let last: (KnownHead<Request> & { bytes: Buffer }) | undefined

    const knownIn = (chunk: Buffer) => {
      if (last !== undefined && isSameHead(chunk, last)) return last
      const end = chunk.subarray(0, longestHead).indexOf(headEnd)
      const found = end < 0 ? 'unusual' : find(chunk.toString('latin1', 0, end))
      if (found === 'unusual') return undefined
      const length = end + headEnd.length
      if (chunk.length !== length + found.bodyLength) return undefined
      last = { ...found, bytes: Buffer.from(chunk.subarray(0, length)) }
      return last
    }
    const write = ({ status, lines, body }: DirectAnswer) => {
      const head = begin(status) + lines
      if (typeof body === 'string') return socket.write(head + body, 'latin1')
      socket.cork()
      socket.write(head, 'latin1')
      const isRead = socket.write(body)
      socket.uncork()
      return isRead
    }
    /** The next request waits until a slow client has read the answer. */
    const afterwards = (isRead: boolean) => {
      if (isRead) return
      socket.pause()
      socket.once('drain', () => socket.resume())
    }
    const onData = (chunk: Buffer) => {
      const known = options.isClosing() ? undefined : knownIn(chunk)
      const answer = known && routes.answer(known.request, chunk.subarray(known.bytes.length))
      if (answer === undefined) return handOver(chunk)
      if (!(answer instanceof Promise)) return afterwards(write(answer))
      socket.pause()
      answer.then(
        (ready) => {
          if (socket.destroyed) return
          socket.resume()
          afterwards(write(ready))
        },
        () => socket.destroy(),
      )
    }
    const onEnd = () => socket.end()
    const onFault = () => socket.destroy()
    const handOver = (chunk: Buffer) => {
      socket.off('data', onData).off('end', onEnd).off('error', onFault).off('timeout', onFault)
      socket.setTimeout(0)
      socket.pause()
      socket.unshift(chunk)
      leave(socket)
      socket.resume()
    }
    socket.setTimeout(options.idleTimeout)
    socket.on('data', onData).on('end', onEnd).on('error', onFault).on('timeout', onFault)
  })
}

function isSameHead(chunk: Buffer, { bytes, bodyLength }: { bytes: Buffer; bodyLength: number }): boolean {
  const { length } = bytes
  return chunk.length === length + bodyLength && chunk.compare(bytes, 0, length, 0, length) === 0
}

/** The first lines of an answer, whose date changes every second. */
function createBeginnings(idleTimeout: number): (status: number) => string {
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(idleTimeout / 1_000)}\r\n`
  let second = 0
  let beginnings = new Map<number, string>()
  return (status) => {
    const now = Math.floor(Date.now() / 1_000)
    if (now !== second) {
      second = now
      beginnings = new Map()
    }
    const known = beginnings.get(status)
    if (known !== undefined) return known
    const date = new Date(now * 1_000).toUTCString()
    const text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nDate: ${date}\r\n${keepAlive}`
    beginnings.set(status, text)
    return text
  }
}

const requestLine = /^POST (\/[!-~]*) HTTP\/1\.1$/
/** Names are tokens; values are printable ASCII, without a line end of any kind. */
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([ -~]*?)[ \t]*$/
/** They change how a request is read or answered. */
const unusual = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'trailer',
  'te',
  'http2-settings',
])

function readHead<Request>(text: string, { read }: DirectRoutes<Request>): KnownHead<Request> | 'unusual' {
  const [first = '', ...lines] = text.split('\r\n')
  const url = requestLine.exec(first)?.[1]
  if (url === undefined) return 'unusual'
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? []
    const lowerName = name?.toLowerCase()
    if (lowerName === undefined || headers.has(lowerName) || unusual.has(lowerName)) return 'unusual'
    headers.set(lowerName, value)
  }
  const length = headers.get('content-length') ?? ''
  const connection = headers.get('connection')?.toLowerCase() ?? 'keep-alive'
  const bodyLength = /^\d{1,5}$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY
  if (!headers.has('host') || connection !== 'keep-alive' || bodyLength > longestBody) return 'unusual'
  const request = read({ url, headers })
  return request === undefined ? 'unusual' : { request, bodyLength }
}
