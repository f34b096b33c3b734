// The live tail over HTTP, on the real engine: accepted events appear at once, for authorised readers only.

import type { LiveEvent } from '@telltale/core/contract/live'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedTail, openTail } from '../../../../../test/intake/open-tail.ts'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, toLines, views } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const tailOf = (filter?: string) =>
  openTail(stage.telltale.url, stage.owner, filter === undefined ? {} : { filter })

const isNew = ({ session }: { session: string }) => {
  return (found: LiveEvent) => found.session === session
}

test('accepted events are shown with page, flags and arms', async () => {
  await using tail = await tailOf()
  const session = newId()
  const read = { flag: 'checkout', variation: 'new', split: '7', epoch: 2, by: 'targetingKey', unit: 'mara' }
  const own = context({ session, userKey: 'mara', reads: [read, { flag: 'banner', variation: 'off' }] })
  await stage.post(
    toLines([
      { ...own, attributes: { plan: 'pro' } },
      event('error', { source: 'uncaught', type: 'TypeError', message: 'No card', handled: false }),
      event('exposure', { flag: 'checkout' }),
      event('view_state', {
        rev: 1,
        startedAt: Date.now(),
        duration: 1,
        active: true,
        actions: 0,
        resources: 0,
        errors: 0,
        longFrames: 0,
        frustrations: 0,
      }),
    ]),
  )
  await tail.until(() => tail.events().filter(isNew({ session })).length === 2)
  expect(tail.events().filter(isNew({ session }))).toMatchObject([
    {
      kind: 'error',
      errorType: 'TypeError',
      errorMessage: 'No card',
      handled: false,
      userKey: 'mara',
      page: '/cart/:id',
      flags: ['checkout=new', 'banner=off'],
      arms: [{ split: '7', epoch: 2, arm: 'new' }],
      attributes: { plan: 'pro' },
      cut: false,
    },
    { kind: 'exposure', name: 'checkout' },
  ])
})

test('a tail starts with the newest stored events, oldest first, as received', async () => {
  const session = newId()
  await using before = await tailOf(`session:${session}`)
  const [first, second] = [event('view'), event('custom', { name: 'bought', at: Date.now() + 5 })]
  await stage.post(toLines([context({ session, reads: [{ flag: 'a', variation: 'b' }] }), first, second]))
  await before.until(() => before.events().length === 2)
  await stage.untilStored(session, 2)

  await using tail = await tailOf(`session:${session} -kind:error flag:a=b`)
  await tail.until(() => tail.messages.some((message) => message.type === 'events' && message.earlier))
  expect(tail.events()).toEqual(before.events())
})

test('only events that match the filter are sent', async () => {
  await using tail = await tailOf('kind:error,exposure flag:checkout=new "out of stock"')
  const of = (variation: string) => context({ reads: [{ flag: 'checkout', variation }] })
  const error = (message: string) => event('error', { source: 'uncaught', message, handled: true })
  await stage.post(toLines([of('old'), error('Out of stock')]))
  await stage.post(toLines([of('new'), error('Something else'), event('custom', { name: 'out of stock' })]))
  const wanted = of('new')
  await stage.post(toLines([wanted, error('It was out of stock')]))
  await tail.until(() => tail.events().length > 0)
  expect(tail.events()).toMatchObject([{ session: wanted.session, errorMessage: 'It was out of stock' }])
  expect(tail.dropped()).toBe(0)
})

test('other environments are invisible', async () => {
  await using elsewhere = await openTail(stage.telltale.url, stage.owner, { env: 'production' })
  await using here = await tailOf()
  const seen = () => here.events().length
  const before = seen()
  await stage.post(toLines([context(), ...views(3)]))
  await here.until(() => seen() >= before + 3)
  expect(elsewhere.events()).toEqual([])
})

test('an invalid or session-level filter is rejected with its faults', async () => {
  for (const [filter, message] of [
    ['colour:red', 'there is no field "colour"'],
    ['errors:>3', 'is a session field'],
  ] as const) {
    const tail = await tailOf(filter)
    expect(tail.status).toBe(400)
    const { errors } = JSON.parse(await tail.text())
    expect(errors[0]).toEqual({ pointer: '?filter', message: expect.stringContaining(message) })
  }
})

test('the number of open tails per environment is limited', async () => {
  const { telltale, owner } = stage
  const open: OpenedTail[] = []
  for (let count = 0; count < limits.liveTails; count += 1) {
    open.push(await openTail(telltale.url, owner, { env: 'staging' }))
  }
  const refused = await openTail(telltale.url, owner, { env: 'staging' })
  expect(refused.status).toBe(503)
  expect(JSON.parse(await refused.text()).type).toBe('/errors/too-many-streams')
  for (const tail of open) await tail[Symbol.asyncDispose]()
  const again = async () => {
    await using tail = await openTail(telltale.url, owner, { env: 'staging' })
    return tail.status
  }
  await expect.poll(again, { timeout: 20_000 }).toBe(200)
})

test('twenty thousand events at once: a few are shown, with the number of omitted ones', async () => {
  await using tail = await tailOf('page:"/cart/:id" kind:view')
  await tail.until(() => tail.messages.some((message) => message.type === 'events' && message.earlier))
  const before = tail.events().length
  const count = 20_000
  const batch = toLines([context(), ...views(5_000)])
  for (let sent = 0; sent < count; sent += 5_000) {
    const { body } = await stage.post(batch.replaceAll(/"id":"[^"]+"/g, () => `"id":"${newId()}"`))
    expect(body.accepted).toBe(5_000)
  }
  await tail.until(() => tail.dropped() + tail.events().length - before === count)
  expect(tail.events().length - before).toBeLessThan(count / 20)
})
