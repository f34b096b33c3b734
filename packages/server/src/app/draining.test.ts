// A server that is about to stop, as a load balancer and its clients see it.

import { request as send } from 'node:http'
import { expect, test } from 'vitest'
import { startTelltale } from '../../../../test/start.ts'

const streams = 10

test('it reports that it is not ready, still answers, closes connections, and ends streams one after another', async () => {
  await using telltale = await startTelltale({ settings: { TELLTALE_DRAIN_TIME: '1500' } })
  await telltale.project('shop')
  const as = await telltale.person({ role: 'owner' })
  const keys = '/api/v1/projects/shop/environments/development/keys'
  const { body } = await telltale.request('GET', keys, { as })
  const { value } = body.items.find(({ kind }: { kind: string }) => kind === 'client')
  const opened = await Promise.all(
    Array.from({ length: streams }, () => fetch(`${telltale.url}/sdk/v1/stream?key=${value}`)),
  )
  const ends = opened.map(async (stream) => {
    for await (const _ of stream.body ?? []);
    return performance.now()
  })
  expect((await telltale.request('GET', '/health/ready')).status).toBe(200)

  const drained = telltale.running.drain()
  expect(await telltale.request('GET', '/health/ready')).toMatchObject({
    status: 503,
    body: { ready: false },
  })
  expect(await connectionAfter(`${telltale.url}/sdk/v1/config?key=${value}`)).toBe('200 close')
  await drained
  const at = await Promise.all(ends)
  expect(Math.max(...at) - Math.min(...at)).toBeGreaterThan(500)
})

/** `fetch` hides what is said about the connection. */
function connectionAfter(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = send(url, { agent: false, headers: { connection: 'keep-alive' } }, (answer) => {
      answer.resume()
      resolve(`${answer.statusCode} ${answer.headers.connection}`)
    })
    sent.on('error', reject)
    sent.end()
  })
}
