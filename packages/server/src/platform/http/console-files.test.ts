import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindConsole } from './console-files.ts'
import { sendProblem, toProblem } from './problems.ts'

const script = 'export const console = 1\n'
let folder: string
let server: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'))
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, 'replay-player'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Console</title>')
  await writeFile(join(folder, 'replay-player/index.html'), '<!doctype html><title>Player</title>')
  await writeFile(join(folder, 'assets/main-abc.js'), script)
  await writeFile(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script))
  server = Fastify()
  server.setErrorHandler((error, request, reply) => sendProblem(request, reply, toProblem(error, request)))
  await bindConsole(server, {
    folder,
    refuseMethod: () => {},
    isSignedIn: async ({ headers }) => headers.cookie === 'valid',
  })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const ask = (
  url: string,
  more: { method?: 'GET' | 'HEAD' | 'POST'; headers?: Record<string, string> } = {},
) => server.inject({ method: 'GET', url, ...more })

test('a hashed file is cached forever, negotiates its encoding, and answers HEAD', async () => {
  const plain = await ask('/assets/main-abc.js')
  expect(plain.body).toBe(script)
  expect(plain.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  const packed = await ask('/assets/main-abc.js', { headers: { 'accept-encoding': 'br' } })
  expect(packed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': plain.headers['content-type'],
    'cache-control': plain.headers['cache-control'],
  })
  const head = await ask('/assets/main-abc.js', { method: 'HEAD' })
  expect([head.statusCode, head.body]).toEqual([200, ''])
  const known = { 'if-none-match': String(plain.headers.etag) }
  expect((await ask('/assets/main-abc.js', { headers: known })).statusCode).toBe(304)
})

test.each([
  '/assets/',
  '/assets/main-abd.js',
  '/assets/..%2findex.html',
  '/assets/%2e%2e%2findex.html',
  '/assets/..%5cindex.html',
  '/assets/main-abc.js/',
  '/assets/%00',
])('only assets are found below their path: %s', async (url) => {
  const { statusCode, json } = await ask(url)
  expect([statusCode, json().type]).toEqual([404, '/errors/not-found'])
})

test('every URL of the console serves its page, which is revalidated each time', async () => {
  const page = await ask('/p/shop/flags')
  expect(page.body).toContain('<title>Console</title>')
  expect(page.headers['cache-control']).toBe('no-cache')
})

test('a signed-in browser requests the account and the environments while it loads the code', async () => {
  const preload = (call: string) => `</api/v1/${call}>; rel=preload; as=fetch; crossorigin`
  const linked = async (url: string, cookie = 'valid') =>
    (await ask(url, { headers: { cookie } })).headers.link
  expect(await linked('/p/shop/flags?env=production')).toBe(
    `${preload('account')}, ${preload('projects/shop/environments')}`,
  )
  expect(await linked('/admin')).toBe(preload('account'))
  expect(await linked('/p/sh%22op/flags')).toBe(preload('account'))
  expect(await linked('/p/shop/flags', 'ended')).toBeUndefined()
})
