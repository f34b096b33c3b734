import { createServer, type RequestListener } from 'node:http'
import { limits } from '@telltale/core/limits'
import { expect, test } from 'vitest'
import { createGuardedFetch, Unanswered } from './guarded-fetch.ts'

async function listen(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const local = createGuardedFetch(['127.0.0.1'])
const get = { method: 'GET', headers: {} }

test('a response is passed on with its status, and redirects are not followed', async () => {
  await using server = await listen((request, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(request.method)
  })
  const response = await local(server.url, { ...get, method: 'POST', body: new URLSearchParams('a=b') })
  expect([response.status, await response.text()]).toEqual([302, 'POST'])
})

test('a host that does not answer in time, answers too much or is private is unanswered', async () => {
  await using silent = await listen(() => undefined)
  await expect(local(silent.url, { ...get, signal: AbortSignal.timeout(50) })).rejects.toThrow(
    'no response in time',
  )
  await using stalled = await listen((_request, response) => response.write('half'))
  await expect(local(stalled.url, { ...get, signal: AbortSignal.timeout(50) })).rejects.toThrow(Unanswered)
  await using endless = await listen((_request, response) =>
    response.end(Buffer.alloc(limits.providerAnswerSize + 1)),
  )
  await expect(local(endless.url, get)).rejects.toThrow('more than')
  await expect(createGuardedFetch([])(endless.url, get)).rejects.toThrow('private or reserved')
})
