// The integrations, in the newest Fastify and Express and in handlers as Next.js calls them.

import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener, request as send } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { AnsweredRequest, FlagContext } from './client.ts'
import { type ExpressRequest, telltaleErrors, telltaleRequests } from './express.ts'
import { telltaleFastify } from './fastify.ts'
import type { RequestReporter } from './measured-request.ts'
import { telltaleHandler } from './next.ts'
import { createScopes } from './telemetry/scopes.ts'

interface Recorded {
  reporter: RequestReporter
  requests: (AnsweredRequest & { user: string | undefined; trace: string | undefined })[]
  errors: { error: unknown; user: string | undefined }[]
  /** Emits `never` when that route is asked. */
  reached: EventEmitter
}

function record(): Recorded {
  const scopes = createScopes(() => undefined)
  const user = () => scopes.current()?.subject()
  const requests: Recorded['requests'] = []
  const errors: Recorded['errors'] = []
  const reporter: RequestReporter = {
    withContext: scopes.run,
    captureRequest: (request) =>
      requests.push({ ...request, user: user(), trace: scopes.current()?.traceId() }),
    captureError: (error) => errors.push({ error, user: user() }),
  }
  return { reporter, requests, errors, reached: new EventEmitter() }
}

const userOf = ({ headers }: { headers: Record<string, unknown> }): FlagContext | undefined =>
  typeof headers['x-user'] === 'string' ? { targetingKey: headers['x-user'] } : undefined

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Asks, and hangs up before the answer. */
async function hangUp(url: string, { reached }: Recorded): Promise<void> {
  const asked = send(url)
  asked.on('error', () => undefined)
  const isReached = once(reached, 'never')
  asked.end()
  await isReached
  asked.destroy()
}

const seen = async ({ requests }: Recorded, count: number) => {
  await expect.poll(() => requests.length, { interval: 5 }).toBe(count)
  return requests.map(({ method, route, status, user }) => [method, route, status, user])
}

async function openFastify(recorded: Recorded): Promise<string> {
  const app = Fastify()
  await app.register(
    telltaleFastify<FastifyRequest>(recorded.reporter, {
      context: userOf,
      ignore: ({ url }) => url === '/health',
    }),
  )
  app.get('/health', () => 'ok')
  app.get('/orders/:id', () => 'ok')
  app.head('/head', () => '')
  app.options('/orders/:id', () => '')
  app.post('/orders', ({ body }) => {
    // In the scope of the request, although its body was parsed before.
    recorded.reporter.captureError(body)
    return 'ok'
  })
  app.get('/fails', () => {
    throw new Error('fails')
  })
  app.get('/refuses', () => {
    throw Object.assign(new Error('refuses'), { statusCode: 403 })
  })
  app.get('/stream', () => {
    const parts = async function* () {
      yield 'one'
      await pause(30)
      yield 'two'
    }
    return Readable.from(parts())
  })
  app.get('/never', () => {
    recorded.reached.emit('never')
    return new Promise(() => undefined)
  })
  await app.ready()
  return listen(app.routing)
}

interface ExpressApp {
  use(...handlers: unknown[]): void
  get(path: string, handler: (request: ExpressRequest, response: Sent) => unknown): void
  post(path: string, handler: (request: ExpressRequest & { body: unknown }, response: Sent) => unknown): void
}
interface Sent {
  send(body: string): void
  write(body: string): void
  end(body?: string): void
}
type Express = (() => ExpressApp & RequestListener) & {
  json(): unknown
  Router(options: object): ExpressApp
}

async function openExpress(recorded: Recorded): Promise<string> {
  const express: Express = createRequire(import.meta.url)('express')
  const app = express()
  app.use(
    telltaleRequests<ExpressRequest & { headers: Record<string, unknown> }>(recorded.reporter, {
      context: userOf,
      ignore: ({ url }) => url === '/health',
    }),
    express.json(),
  )
  app.get('/health', (_request, response) => response.send('ok'))
  const orders = express.Router({ mergeParams: true })
  orders.get('/orders/:id', (_request, response) => response.send('ok'))
  app.use('/shops/:shop', orders)
  app.post('/orders', ({ body }, response) => {
    recorded.reporter.captureError(body)
    response.send('ok')
  })
  app.get('/fails', async () => {
    throw new Error('fails')
  })
  app.get('/refuses', () => {
    throw Object.assign(new Error('refuses'), { status: 403 })
  })
  app.get('/stream', async (_request, response) => {
    response.write('one')
    await pause(30)
    response.end('two')
  })
  app.get('/never', () => recorded.reached.emit('never'))
  app.use(telltaleErrors(recorded.reporter))
  return listen(app)
}

const traced = '4bf92f3577b34da6a3ce929d0e0e4736'
const frameworks = { fastify: openFastify, express: openExpress }
const order = { fastify: '/orders/17', express: '/shops/17/orders/4' }
const orderRoute = { fastify: '/orders/:id', express: '/shops/:id/orders/:id' }

test.each(['fastify', 'express'] as const)(
  '%s: requests are measured with route, status and user',
  async (name) => {
    const recorded = record()
    const url = await frameworks[name](recorded)
    const headers = { 'x-user': 'mara', traceparent: `00-${traced}-00f067aa0ba902b7-01` }
    const ask = (path: string, more: RequestInit = {}) =>
      fetch(url + path, { headers, ...more }).then((answer) => answer.text())
    await ask(`${order[name]}?secret=1`)
    await ask(order[name], { method: 'HEAD' })
    await ask(order[name], { method: 'OPTIONS' })
    await ask('/health')
    await ask('/nowhere/at/all', { headers: {} })
    await ask('/orders', {
      method: 'POST',
      body: JSON.stringify({ body: 'x'.repeat(100_000) }),
      headers: { ...headers, 'content-type': 'application/json' },
    })
    expect(await seen(recorded, 4)).toEqual([
      ['GET', orderRoute[name], 200, 'mara'],
      ['HEAD', orderRoute[name], 200, 'mara'],
      ['GET', undefined, 404, undefined],
      ['POST', '/orders', 200, 'mara'],
    ])
    expect(recorded.errors.map(({ user }) => user)).toEqual(['mara'])
    expect(recorded.requests.map(({ trace }) => trace)).toEqual([traced, traced, undefined, traced])
  },
)

test.each(['fastify', 'express'] as const)(
  '%s: errors of the server are captured once, with their user',
  async (name) => {
    const recorded = record()
    const url = await frameworks[name](recorded)
    for (const path of ['/fails', '/refuses']) {
      await fetch(url + path, { headers: { 'x-user': 'mara' } }).then((answer) => answer.text())
    }
    expect(await seen(recorded, 2)).toEqual([
      ['GET', '/fails', 500, 'mara'],
      ['GET', '/refuses', 403, 'mara'],
    ])
    expect(recorded.errors).toEqual([{ error: new Error('fails'), user: 'mara' }])
  },
)

test.each(['fastify', 'express'] as const)(
  '%s: streams count to their end, and clients that hang up are seen',
  async (name) => {
    const recorded = record()
    const url = await frameworks[name](recorded)
    await fetch(`${url}/stream`).then((answer) => answer.text())
    await seen(recorded, 1)
    expect(recorded.requests[0]?.duration).toBeGreaterThanOrEqual(25)
    await hangUp(`${url}/never`, recorded)
    expect((await seen(recorded, 2))[1]).toEqual(['GET', '/never', 499, undefined])
  },
)

test('a route handler is measured, and what Next.js throws to redirect is no error', async () => {
  const recorded = record()
  const wrap = (answer: () => Response) =>
    telltaleHandler(
      recorded.reporter,
      {
        route: '/orders/[id]',
        context: (request: Request) => userOf({ headers: Object.fromEntries(request.headers) }),
      },
      async (_request, _more: { params: object }) => answer(),
    )
  const digest = (text: string) => () => {
    throw Object.assign(new Error('NEXT'), { digest: text })
  }
  const fails = () => {
    throw new Error('fails')
  }
  const asked = new Request('http://shop.example/orders/17?secret=1', { headers: { 'x-user': 'mara' } })
  const answers = [
    () => new Response('ok', { status: 201 }),
    fails,
    digest('NEXT_REDIRECT;replace;/login;307;'),
    digest('NEXT_HTTP_ERROR_FALLBACK;404'),
  ]
  const settled = await Promise.allSettled(answers.map((answer) => wrap(answer)(asked, { params: {} })))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  expect((await seen(recorded, 4)).map(([, , status, user]) => [status, user])).toEqual([
    [201, 'mara'],
    [500, 'mara'],
    [307, 'mara'],
    [404, 'mara'],
  ])
  expect(recorded.requests[0]?.url).toBe('/orders/17')
  expect(recorded.errors).toEqual([{ error: new Error('fails'), user: 'mara' }])
})
