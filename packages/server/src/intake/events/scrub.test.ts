// An environment's scrubbing rules keep hidden values out of the tables, within a second on every server.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, send, toLines } from '../../../../../test/intake/visitor.ts'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'

const settings = { DATABASE_URL: 'postgres://shared.example/telltale' }
let stage: IntakeStage
let other: Telltale

beforeAll(async () => {
  stage = await openIntakeStage(settings)
  other = await startTelltale({ beside: stage.telltale, settings })
})
afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const patch = (scrub: Line) =>
  stage.telltale.request('PATCH', `${environments}/development`, { as: stage.owner, body: { scrub } })

test('rules hide parameters, attributes and whatever matches, on every server', async () => {
  const { body } = await patch({
    parameters: ['Voucher', 'utm_term'],
    attributes: ['iban'],
    expressions: ['cust-[0-9]{4,8}', String.raw`\bSSN\b.{0,12}`],
  })
  expect(body.scrub).toEqual({
    parameters: ['voucher', 'utm_term'],
    attributes: ['iban'],
    expressions: ['cust-[0-9]{4,8}', String.raw`\bSSN\b.{0,12}`],
  })
  const key = await stage.clientKey('development')
  for (const { url } of [stage.telltale, other]) {
    // The announcement takes a moment: what was sent before belongs to another session.
    let session = newId()
    const hand = async () => {
      session = newId()
      await send(url, toLines(pageOf(session)), { key })
      const rows = await stage.untilStored(session, 4)
      return rows.find(({ kind }) => kind === 'action')?.name
    }
    await expect.poll(hand, { timeout: 20_000 }).toBe('Open [hidden]')
    const rows = await stage.untilStored(session, 4)
    const of = (wanted: string) => rows.find(({ kind }) => kind === wanted)
    expect(of('view')).toMatchObject({
      page: '/people/[hidden]',
      url: 'https://shop.example/people/[hidden]?utm_source=mail&utm_term=[hidden]',
      attrs: { plan: 'pro', note: 'from [hidden]' },
    })
    expect(of('error')).toMatchObject({
      err_message: 'refused: voucher=[hidden] for [hidden]',
      err_stack: 'Error\n    at /pay:3:4',
    })
    expect(of('resource')).toMatchObject({
      target: 'https://api.shop.example/people/[hidden]/orders',
      res_endpoint: '/people/[hidden]/orders',
    })
  }
})

function pageOf(session: string) {
  return [
    context({
      session,
      url: 'https://shop.example/people/cust-12345?utm_source=mail&utm_term=mara',
      attributes: { plan: 'pro', IBAN: 'DE02', note: 'from cust-55555' },
    }),
    event('view'),
    event('action', { name: 'Open cust-12345' }),
    event('resource', {
      type: 'fetch',
      url: 'https://api.shop.example/people/cust-12345/orders',
      duration: 1,
    }),
    event('error', {
      source: 'uncaught',
      message: 'refused: voucher=SUMMER-4711 for cust-12345',
      stack: 'Error\n    at /pay?Voucher=SUMMER-4711:3:4',
      handled: false,
    }),
  ]
}

test.each([
  [{ expressions: ['a('] }, '/scrub/expressions/0'],
  [{ expressions: ['ok', 'x*'] }, '/scrub/expressions/1'],
  [{ expressions: ['(?:[a-z]{1,40}){1,40}'] }, '/scrub/expressions/0'],
  [{ expressions: ['a', 'b', 'c'].map((letter) => `${letter}{200}`) }, '/scrub/expressions'],
  [{ parameters: ['a=b'] }, '/scrub/parameters/0'],
  [{ parameters: Array.from({ length: 51 }, (_, index) => `p${index}`) }, '/scrub/parameters'],
])('rules that cannot be used, or cost too much, are refused by name: %j', async (scrub, pointer) => {
  const { status, body } = await patch(scrub)
  expect([status, body.type]).toEqual([400, '/errors/invalid-request'])
  expect(body.errors[0].pointer).toBe(pointer)
})
