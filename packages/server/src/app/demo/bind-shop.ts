// Serves the demo's shop: its built page below /demo, with the client key in it, and its API below /demo/api.

import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import staticFiles from '@fastify/static'
import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Demo, ServedRequest } from './demo.ts'

interface ShopParts {
  answer: Demo['answerShop']
  /** The folder of the built page. */
  folder: string
  /** The key for browsers; undefined while there is no project. */
  clientKey(): Promise<string | undefined>
  /** A request with a trace was answered. */
  report(served: ServedRequest): void
}

const yearSeconds = 31_536_000
const chances = 2 ** 32
/** Delayed responses at a time. Above this, responses are sent without delay. */
const mostWaiting = 200
/** W3C Trace Context, of sampled requests. */
const traceparent = /^00-(?<trace>[0-9a-f]{32})-(?<parent>[0-9a-f]{16})-01$/
const place = '<meta name="telltale-key" content="" />'

export async function bindShop(server: FastifyInstance, parts: ShopParts): Promise<void> {
  const { folder } = parts
  if (!existsSync(join(folder, 'index.html'))) return bindApi(server, parts)

  await server.register(staticFiles, {
    root: join(folder, 'assets'),
    prefix: '/demo/assets/',
    decorateReply: false,
    preCompressed: true,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders: (response) => {
      response.setHeader('vary', 'accept-encoding')
      response.setHeader('cache-control', `public, max-age=${yearSeconds}, immutable`)
    },
  })
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const sendPage = async (_request: FastifyRequest, reply: FastifyReply) => {
    const key = (await parts.clientKey()) ?? ''
    const named = page.replace(place, `<meta name="telltale-key" content="${encodeURIComponent(key)}" />`)
    return reply
      .header('cache-control', 'no-store')
      .header('document-policy', 'js-profiling')
      .type('text/html; charset=utf-8')
      .send(named)
  }
  server.get('/demo', sendPage)
  server.get('/demo/*', sendPage)
  server.get('/demo/assets/*', async () => {
    throw problem('not-found')
  })
  await bindApi(server, parts)
}

async function bindApi(server: FastifyInstance, { answer, report }: ShopParts): Promise<void> {
  let waiting = 0

  await server.register((scope, _options, done) => {
    scope.route<{ Params: { '*': string } }>({
      method: ['GET', 'POST'],
      url: '/demo/api/*',
      handler: async ({ method, url, params, headers }, reply) => {
        const startedAt = Date.now()
        const query = new URL(url, 'http://shop.invalid').searchParams
        const chance = randomInt(chances) / chances
        const found = answer({ method: method === 'HEAD' ? 'GET' : method, path: params['*'], query, chance })
        if (found === undefined) throw problem('not-found')

        if (waiting < mostWaiting) {
          waiting += 1
          await pause(found.delay).finally(() => {
            waiting -= 1
          })
        }
        const traced = traceparent.exec(String(headers.traceparent ?? ''))?.groups
        if (traced?.trace !== undefined && traced.parent !== undefined) {
          const { trace, parent } = traced
          const duration = Math.max(1, Date.now() - startedAt)
          const isHybrid = query.get('mode') === 'hybrid'
          const anonymous = { session: '', user: '' }
          const of = { trace, parent, method, path: params['*'], status: found.status }
          report({ ...of, startedAt, duration, isHybrid, ...anonymous })
        }
        return reply.code(found.status).type(found.type).header('cache-control', 'no-store').send(found.body)
      },
    })
    done()
  })
}
