// More concurrent telemetry than slots and queue: the intake refuses it, and flag requests are still answered.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments } from '../../../../../test/intake/stage.ts'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'

const clients = 400

let telltale: Telltale
let key: string

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  const owner = await telltale.person({ role: 'owner' })
  const { body } = await telltale.request('GET', `${environments}/development/keys`, { as: owner })
  key = body.items.find(({ kind }: { kind: string }) => kind === 'client').value
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

/** A batch whose end never arrives. */
async function beginBatch(): Promise<Socket> {
  const { hostname, port } = new URL(telltale.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    `POST /intake/v1/events?key=${key} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 1000\r\n\r\n{"kind":`,
  )
  return socket
}

test('under overload the intake is rejected with Retry-After, and flags are not', async () => {
  const { admission } = telltale.running.services.intake
  const heads: string[] = []
  const sockets = await Promise.all(Array.from({ length: clients }, beginBatch))
  for (const socket of sockets) socket.once('data', (chunk) => heads.push(String(chunk)))
  try {
    await expect.poll(() => heads.length, { timeout: 20_000, interval: 20 }).toBeGreaterThan(20)
    const evaluate = await fetch(`${telltale.url}/ofrep/v1/evaluate/flags`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: '{"context":{"targetingKey":"ada"}}',
    })
    expect(evaluate.status).toBe(200)
    // Meanwhile, others still wait for a slot.
    expect(admission.condition().waiting).toBeGreaterThan(0)
    for (const head of heads) {
      expect(head).toMatch(/^HTTP\/1\.1 503 /)
      expect(head).toMatch(/^retry-after: [1-9]\d*\r$/im)
    }
    const metrics = await (await fetch(`${telltale.url}/metrics`)).text()
    expect(metrics).toMatch(/^telltale_intake_refused_requests [1-9]/m)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
