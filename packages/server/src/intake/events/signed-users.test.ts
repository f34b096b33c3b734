// Users that a browser names without a signature, in telemetry.

import { createHmac } from 'node:crypto'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { segment, sendAttachment } from '../../../../../test/intake/attachments.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage
let key = ''
let secret = ''

const path = `${environments}/development/signed-users`
const send = (method: string, rest = '', body?: object) =>
  stage.telltale.request(method, path + rest, { as: stage.owner, ...(body && { body }) })

beforeAll(async () => {
  stage = await openIntakeStage()
  key = await sampleEverything(stage)
  secret = (await send('POST', '/secrets')).body.value
})
afterAll(() => stage?.[Symbol.asyncDispose]())

function sign(targetingKey: string, expiresAt: number | '' = ''): string {
  const code = createHmac('sha256', secret).update(`v1.${expiresAt}.${targetingKey}`).digest('base64url')
  return `v1.${expiresAt}.${code}`
}
const anonymousId = '4294967295-0-17-123456789'

/** The events of one session, each with a context of its own, in order. */
async function storedAll(contexts: readonly Line[]): Promise<Line[]> {
  const session = newId()
  const now = Date.now()
  const lines = contexts.flatMap((given, index) => [
    context({ session, index, anonymousId, ...given }),
    event('view', { context: index, at: now - contexts.length + index }),
  ])
  expect((await stage.post(toLines(lines))).status).toBe(202)
  return stage.untilStored(session, contexts.length)
}
const stored = async (given: Line) => (await storedAll([given]))[0]
const telemetryCounts = async () => {
  await stage.telltale.running.services.signedUserCounts.flush()
  return (await send('GET')).body.days[0]?.telemetry
}

test('counted while counting; where required, events of an unsigned user become anonymous', async () => {
  await send('PUT', '', { mode: 'count' })
  expect(await stored({ userKey: 'ada', sessionUserKey: 'ada' })).toMatchObject({ user_key: 'ada' })
  expect(await telemetryCounts()).toEqual({ signed: 0, unsigned: 1, invalid: 0, expired: 0 })

  await send('PUT', '', { mode: 'require' })
  const signature = sign('ada')
  const ada = { userKey: 'ada', sessionUserKey: 'ada' }
  const signed = await stored({ ...ada, signature, sessionSignature: signature })
  expect(signed).toMatchObject({ user_key: 'ada', anonymous_id: anonymousId })
  const wrong = sign('bob')
  const unsigned = await stored({ ...ada, signature: wrong, sessionSignature: wrong })
  expect(unsigned).toMatchObject({
    user_key: '',
    anonymous_id: anonymousId,
    attrs: { 'telltale.user': 'invalid' },
  })
  expect(unsigned?.user_hash).not.toBe(signed?.user_hash)
  expect(unsigned?.user_hash).toBe((await stored({}))?.user_hash)

  // An offline browser sends late.
  const hourAgo = Math.floor(Date.now() / 1_000) - 3_600
  expect(await stored({ userKey: 'ada', signature: sign('ada', hourAgo) })).toMatchObject({ user_key: 'ada' })
  // Neither as an anonymous id.
  const disguised = await stored({ anonymousId: 'ada' })
  expect(disguised?.anonymous_id).not.toBe('ada')
  expect(disguised?.user_hash).not.toBe(signed?.user_hash)
})

test('every user of a session needs their own signature', async () => {
  await send('PUT', '', { mode: 'require' })
  const [ada, bob] = [sign('ada'), sign('bob')]
  const first = { sessionUserKey: 'ada', sessionSignature: ada }
  const rows = await storedAll([
    { userKey: 'ada', signature: ada, ...first },
    { userKey: 'bob', signature: ada, ...first },
    { userKey: 'bob', signature: bob, ...first },
    { userKey: 'bob', signature: bob, sessionUserKey: 'ada', sessionSignature: bob },
  ])
  expect(rows.map(({ user_key }) => user_key)).toEqual(['ada', '', 'bob', 'bob'])
  const [hash, , , ofOther] = rows.map(({ user_hash }) => user_hash)
  expect(rows.map(({ user_hash }) => user_hash)).toEqual([hash, hash, hash, ofOther])
  expect(ofOther).toBe((await stored({}))?.user_hash)
})

test('a page counts only for its own user in splits on the targeting key', async () => {
  await send('PUT', '', { mode: 'require' })
  const split = { flag: 'menu', variation: 'on', split: '7', epoch: 1 }
  const ada = { userKey: 'ada', signature: sign('ada') }
  const of = (unit: string, by = 'targetingKey') => ({ ...ada, reads: [{ ...split, by, unit }] })
  // Other attributes are not signed.
  const rows = await storedAll([of('ada'), of(anonymousId), of('bob'), of('acme', 'account')])
  expect(rows.map(({ flags }) => flags)).toEqual(Array(4).fill(['menu=on']))
  expect(rows.map(({ arms }) => (Array.isArray(arms) ? arms.length : arms))).toEqual([1, 1, 0, 1])
})

test('replays count for the same user as their events', async () => {
  await send('PUT', '', { mode: 'require' })
  const signature = sign('ada')
  const hashOf = async (given: Line) => {
    const session = newId()
    const body = segment({ session, context: { anonymousId, ...given } })
    expect((await sendAttachment(stage.telltale.url, { kind: 'replay', body, key })).body.accepted).toBe(1)
    const read = () =>
      stage.read<Line>('SELECT user_hash FROM replay_segments WHERE session_id = {session:UUID}', { session })
    await expect.poll(read, { timeout: 20_000, interval: 50 }).toHaveLength(1)
    return (await read())[0]?.user_hash
  }
  const ofUser = (value: string) =>
    unitHash({ environment: stage.environment, attribute: 'targetingKey', value })
  const ada = { userKey: 'ada', sessionUserKey: 'ada' }
  expect(await hashOf({ ...ada, signature, sessionSignature: signature })).toBe(ofUser('ada'))
  expect(await hashOf(ada)).toBe(ofUser(anonymousId))
})
