// The event streams of OFREP and of our own clients, from one server and from another beside it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../start.ts'
import { always, createKey, type Place, placeOf, type SomeFlag, saveFlag } from './flags.ts'

const onOrOff = { valueType: 'boolean', values: { on: true, off: false }, config: always('on') } as const
const menu: SomeFlag = { key: 'new-menu', ...onOrOff }
const secret: SomeFlag = { key: 'secret', ...onOrOff, hidden: true }

let telltale: Telltale
let place: Place
let serverKey: string
let clientKey: string

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  place = await placeOf(telltale, 'shop', 'production')
  for (const flag of [menu, secret]) await saveFlag(telltale, place, flag)
  serverKey = (await createKey(telltale, 'server')).value
  clientKey = (await createKey(telltale, 'client')).value
})

afterAll(() => telltale?.[Symbol.asyncDispose]())

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Collects what a stream says. */
async function listen(url: string, headers: Record<string, string> = {}) {
  const stop = new AbortController()
  const response = await fetch(url, { headers, signal: stop.signal })
  const heard: string[] = []
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) heard.push(decoder.decode(bytes))
  })().catch(() => undefined)
  return {
    status: response.status,
    text: () => heard.join(''),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await reading
    },
  }
}

const streamOf = async (at: Telltale, key: string) => {
  const answer = await at.request('POST', '/ofrep/v1/evaluate/flags', { body: {}, headers: bearer(key) })
  return at.url + answer.body.eventStreams[0].endpoint.requestUri
}
const saveMenu = (variation: string) => saveFlag(telltale, place, { ...menu, config: always(variation) })
const readMenu = async () => {
  const path = '/ofrep/v1/evaluate/flags/new-menu'
  return (await telltale.request('POST', path, { headers: bearer(clientKey) })).body.value
}

test('a change on another server arrives within a second, and is served', async () => {
  await using another = await startTelltale({ beside: telltale })
  await using standard = await listen(await streamOf(another, clientKey))
  await using own = await listen(`${another.url}/sdk/v1/stream?key=${clientKey}`)
  expect([standard.status, own.status]).toEqual([200, 200])
  const before = standard.text().length

  await saveMenu('off')
  await expect
    .poll(() => standard.text().slice(before), { timeout: 1_000, interval: 10 })
    .toContain('refetchEvaluation')
  await expect.poll(() => own.text(), { timeout: 1_000 }).toContain('"flags":["new-menu"]')
  const answer = await another.request('POST', '/ofrep/v1/evaluate/flags/new-menu', {
    headers: bearer(clientKey),
  })
  expect(answer.body.value).toBe(false)
  await saveMenu('on')
})

test('a client key gets no announcements of server-only flags', async () => {
  await using heard = await listen(`${telltale.url}/sdk/v1/stream?key=${clientKey}`)
  await using serverHeard = await listen(`${telltale.url}/sdk/v1/stream`, bearer(serverKey))
  await saveFlag(telltale, place, { ...secret, config: always('off') })
  await expect.poll(() => serverHeard.text()).toContain('secret')
  expect(heard.text()).not.toContain('secret')
})

test('after a disconnection missed changes arrive, or a full refresh', async () => {
  const url = `${telltale.url}/sdk/v1/stream?key=${clientKey}`
  let id = ''
  {
    await using first = await listen(url)
    await expect.poll(() => first.text()).toContain('id: ')
    await saveMenu('off')
    await expect.poll(() => first.text()).toContain('new-menu')
    id = first.text().match(/id: (\S+)\n[^\n]*\n[^\n]*new-menu/)?.[1] ?? ''
  }
  await saveMenu('on')
  await expect.poll(readMenu).toBe(true)
  await using again = await listen(url, { 'last-event-id': id })
  await expect.poll(() => again.text()).toContain('"flags":["new-menu"]')
  await using lost = await listen(url, { 'last-event-id': 'long-ago' })
  await expect.poll(() => lost.text()).toContain('"resync":true')
})

test('a forged token is rejected; an expired one gets a refresh', async () => {
  await using another = await startTelltale({ beside: telltale })
  const url = await streamOf(another, clientKey)
  expect((await fetch(`${url}x`)).status).toBe(401)
  expect((await fetch(`${another.url}/ofrep/v1/stream?token=a.b.c`)).status).toBe(401)

  another.passTime(3 * 3_600_000)
  await using old = await listen(url)
  expect(old.status).toBe(200)
  await expect.poll(() => old.text()).toContain('refetchEvaluation')
})

test("an open stream does not block the server's stop", async () => {
  const another = await startTelltale({ beside: telltale })
  await using heard = await listen(await streamOf(another, clientKey))
  const start = performance.now()
  await another[Symbol.asyncDispose]()
  expect(performance.now() - start).toBeLessThan(3_000)
  expect(heard.status).toBe(200)
})
