import type { Readable } from 'node:stream'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import compress from '@fastify/compress'
import Fastify, { type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createMemoryBudget } from './memory-budget.ts'
import { openRequestMemory, readRequest } from './read-request.ts'

test.each([
  ['br', brotliCompressSync],
  ['gzip', gzipSync],
] as const)('a refused body is not unpacked any further: %s', async (coding, pack) => {
  const memory = createMemoryBudget(1_000_000)
  const payloads: Readable[] = []
  const server = Fastify({ bodyLimit: 100_000 })
  await server.register(compress)
  server.removeAllContentTypeParsers()
  server.addHook('onRequest', async (request, reply) => openRequestMemory(memory, { request, reply }))
  server.addContentTypeParser('text/plain', async (request: FastifyRequest, payload: Readable) => {
    payloads.push(payload)
    return String(await readRequest(request, payload))
  })
  server.post('/', async ({ body }) => body)
  const send = (text: string) =>
    server.inject({
      method: 'POST',
      url: '/',
      payload: pack(text),
      headers: { 'content-type': 'text/plain', 'content-encoding': coding },
    })
  const bomb = await send('y'.repeat(20_000_000))
  expect(bomb.statusCode).not.toBe(200)
  expect(bomb.body).toContain('at most 100000 bytes')
  expect(payloads.map(({ destroyed }) => destroyed)).toEqual([true])
  expect((await send('small')).body).toBe('small')
  expect(memory.condition().usedBytes).toBe(0)
  await server.close()
})
