// The part of ClickHouse's HTTP interface that its official client uses: one statement per request, settings only in
// its text, and every failure as an exception with ClickHouse's code.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { limits } from '@telltale/core/limits'
import { PoolBusy } from './pool.ts'
import type { Runner } from './run-statement.ts'
import { StatementRefused, scanStatement } from './scan-statement.ts'

const bodyBytes = limits.telemetryInsertSize
const knownParameters = new Set(['query', 'query_id', 'database', 'default_format'])

export type Credentials = { username: string; password: string }

class Unauthorised extends Error {}
class TooLarge extends Error {}

export function answerRequests(runner: Runner, credentials: Credentials): RequestListener {
  const expected = digest(`Basic ${btoa(`${credentials.username}:${credentials.password}`)}`)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', 'http://engine')
    if (address.pathname === '/ping') {
      await runner.ping()
      response.end('Ok.\n')
      return
    }
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) throw new Unauthorised()

    requireKnown(address.searchParams, request)
    const query = address.searchParams.get('query')
    const body = await readBody(request)
    const statement = scanStatement(query ?? body)
    const rows = query === null || body === '' ? undefined : body
    if (rows !== undefined && statement.kind !== 'insert') {
      throw new StatementRefused(62, 'SYNTAX_ERROR', 'Only an INSERT has a body beside its query')
    }

    const gone = new AbortController()
    response.on('close', () => gone.abort(new Error('the client hung up')))
    const found = await runner.run({
      statement,
      rows,
      parameters: parametersOf(address.searchParams),
      database: address.searchParams.get('database') ?? undefined,
      signal: gone.signal,
    })
    response.setHeader('x-clickhouse-query-id', address.searchParams.get('query_id') ?? '')
    response.end(found)
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, error))
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function requireKnown(parameters: URLSearchParams, request: IncomingMessage): void {
  for (const name of parameters.keys()) {
    if (knownParameters.has(name) || name.startsWith('param_')) continue
    throw new StatementRefused(115, 'UNKNOWN_SETTING', `Setting ${name} belongs in the statement's text`)
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined) {
    throw new StatementRefused(48, 'NOT_IMPLEMENTED', `Bodies must be uncompressed, not ${encoding}`)
  }
}

function parametersOf(parameters: URLSearchParams): Map<string, string> {
  return new Map(
    [...parameters].flatMap(([name, value]) =>
      name.startsWith('param_') ? [[name.slice('param_'.length), value]] : [],
    ),
  )
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the body is not made of bytes')
    sizeBytes += chunk.length
    if (sizeBytes > bodyBytes) throw new TooLarge()
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  // The engine stops reading at this character and silently ignores the rest.
  if (body.includes(0)) throw new StatementRefused(62, 'SYNTAX_ERROR', 'The body holds a zero byte')
  return body.toString('utf8')
}

type Refusal = { status: number; code: number; text: string }

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return
  const { status, code, text } = describe(error)
  response.writeHead(status, {
    'content-type': 'text/plain; charset=UTF-8',
    'x-clickhouse-exception-code': String(code),
    // The rest of a body that is too large is not read.
    ...(status === 413 && { connection: 'close' }),
  })
  response.end(`${text}\n`)
}

function describe(error: unknown): Refusal {
  if (error instanceof StatementRefused) {
    return exception(400, error.code, `${error.message}. (${error.label})`)
  }
  if (error instanceof Unauthorised) {
    return exception(403, 516, 'Authentication failed. (AUTHENTICATION_FAILED)')
  }
  if (error instanceof TooLarge) {
    return exception(413, 396, `More than ${bodyBytes} bytes. (TOO_MANY_ROWS_OR_BYTES)`)
  }
  if (error instanceof PoolBusy) {
    return exception(503, 202, `${error.message}. (TOO_MANY_SIMULTANEOUS_QUERIES)`)
  }
  const message = error instanceof Error ? error.message : String(error)
  const code = Number(/Code: (\d+)\./.exec(message)?.[1])
  if (code > 0) return { status: 500, code, text: message }
  return exception(500, 1002, `${message}. (UNKNOWN_EXCEPTION)`)
}

const exception = (status: number, code: number, text: string): Refusal => ({
  status,
  code,
  text: `Code: ${code}. DB::Exception: ${text}`,
})
