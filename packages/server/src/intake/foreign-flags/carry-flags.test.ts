import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { v4 as newId } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatadogVisitor, sendDatadog } from '../../../../../test/intake/datadog-visitor.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import type { Line } from '../../../../../test/intake/visitor.ts'
import { startTelltale } from '../../../../../test/start.ts'
import { loadForSubject } from '../../release/flags/load-rule-set.ts'

let stage: IntakeStage
let key: string

beforeAll(async () => {
  stage = await openIntakeStage({ DATABASE_URL: 'postgres://shared.example/telltale' })
  key = await stage.clientKey('development')
  await flag('checkout', [
    { variation: 'on', weight: 50_000 },
    { variation: 'off', weight: 50_000 },
  ])
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const at = `${environments}/development/flags`

async function ask(method: string, path: string, body?: unknown) {
  const answer = await stage.telltale.request(method, path, { as: stage.owner, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function flag(name: string, split: object[], more: object = {}) {
  await ask('POST', '/api/v1/projects/shop/flags', { key: name, name, valueType: 'boolean', ...more })
  await save(name, { fallthrough: { split } })
}

async function save(name: string, changes: object) {
  const { version, salt: _salt, savedAt: _savedAt, ...config } = await ask('GET', `${at}/${name}/config`)
  return ask('PUT', `${at}/${name}/config`, { ...config, enabled: true, ...changes, version })
}

/** The values that the server serves to this user. */
async function served(name: string, context: { targetingKey: string }) {
  const { db } = stage.telltale.running.services
  const ruleSet = compileRuleSet(await loadForSubject(db, stage.environment, context.targetingKey))
  return evaluate(ruleSet, name, context)
}

const post = async (...events: Line[]) => {
  expect(await sendDatadog({ url: stage.telltale.url, key }, events)).toBe(202)
}
const stored = async (visitor: DatadogVisitor, count: number) => {
  const rows = await stage.untilStored(visitor.session, count)
  return {
    of: (kind: string) => rows.filter((row) => row.kind === kind),
    flags: rows.map(({ kind, flags }) => `${kind} ${[flags].flat().join(' ')}`.trim()),
  }
}
const second = 1_000

describe('flags are carried forward', () => {
  test('to later views, and marked there: the client empties them at every view', async () => {
    const visitor = new DatadogVisitor()
    const [first, next] = [newId(), newId()]
    const now = Date.now() - 10 * second
    await post(
      visitor.action(first, { at: now + 1 }),
      visitor.view(first, { at: now, flags: { theme: 'dark' } }),
    )
    await post(
      visitor.action(next, { at: now + 3 * second }),
      visitor.view(next, { at: now + 2 * second, loading: 'route_change' }),
    )
    const { of, flags } = await stored(visitor, 5)
    expect(flags.sort()).toEqual([
      ...['action theme=dark', 'action theme=dark', 'exposure theme=dark'],
      ...['view theme=dark', 'view theme=dark'],
    ])
    const carried = of('view').map(({ view_id, attrs }) => [
      view_id,
      Reflect.get(Object(attrs), 'carried_flags'),
    ])
    expect(Object.fromEntries(carried)).toEqual({ [first]: undefined, [next]: 'theme' })
  })

  test('to events that arrive before their report', async () => {
    const visitor = new DatadogVisitor()
    const view = newId()
    const now = Date.now() - 10 * second
    await post(visitor.view(view, { at: now + 5 * second, flags: { theme: 'late' } }))
    await post(
      visitor.action(newId(), { at: now + 3 * second }),
      visitor.error(newId(), { at: now + 2 * second, flags: { theme: 'early' } }),
    )
    const { of } = await stored(visitor, 5)
    expect(of('action')[0]?.flags).toEqual(['theme=early'])
    expect(of('view')[0]?.flags).toEqual(['theme=late'])
    expect(of('exposure').map(({ flags }) => flags)).toEqual([['theme=early'], ['theme=late']])
  })

  test('not to another session of the same user, and not to another user of the same session', async () => {
    const visitor = new DatadogVisitor()
    visitor.usr = { id: `anna-${newId()}` }
    await post(visitor.view(newId(), { flags: { theme: 'dark' } }))
    const renewed = new DatadogVisitor()
    renewed.usr = visitor.usr
    await post(renewed.view(newId(), { loading: 'session_renewal' }))
    visitor.usr = { id: `ben-${newId()}` }
    await post(visitor.action(newId(), { at: Date.now() + 1 }))
    expect((await stored(renewed, 1)).flags).toEqual(['view'])
    expect((await stored(visitor, 3)).of('action')[0]?.flags).toEqual([])
  })

  test('by another server, which reads them from the telemetry store', async () => {
    const visitor = new DatadogVisitor()
    const now = Date.now() - 10 * second
    await post(visitor.view(newId(), { at: now, flags: { theme: 'dark' } }))
    await stored(visitor, 2)
    await using other = await startTelltale({
      beside: stage.telltale,
      settings: { DATABASE_URL: 'postgres://shared.example/telltale' },
    })
    const view = visitor.view(newId(), { at: now + second, flags: { theme: 'dark' } })
    expect(
      await sendDatadog({ url: other.url, key }, [visitor.action(newId(), { at: now + second }), view]),
    ).toBe(202)
    // No second exposure.
    const { of, flags } = await stored(visitor, 4)
    expect(of('exposure')).toHaveLength(1)
    expect(flags.every((each) => each.endsWith('theme=dark'))).toBe(true)
  })
})

test("only the first 500 of a view's 60,000 flags are kept", async () => {
  const visitor = new DatadogVisitor()
  const flags = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`flag-${index}`, true]))
  await post(visitor.view(newId(), { flags }))
  const { of } = await stored(visitor, 501)
  expect(of('exposure')).toHaveLength(500)
  expect([of('view')[0]?.flags].flat().length).toBeLessThanOrEqual(500)
})

describe('a value', () => {
  test('matches its variation; an unknown one is shown unchanged', async () => {
    const visitor = new DatadogVisitor()
    const flags = { checkout: true, banner: { b: 2, a: [1] }, price: 4.5, none: null, 'a=b': 'x' }
    await post(visitor.view(newId(), { flags }))
    const { of } = await stored(visitor, 6)
    expect(of('view')[0]?.flags).toEqual([
      ...['checkout=on', 'banner={"a":[1],"b":2}', 'price=4.5', 'none=null', 'a_b=x'],
    ])
  })

  test("may be a variation's key", async () => {
    const visitor = new DatadogVisitor()
    await post(visitor.view(newId(), { flags: { checkout: 'off' } }))
    expect((await stored(visitor, 2)).of('view')[0]?.flags).toEqual(['checkout=off'])
  })
})

describe('an arm', () => {
  test('is derived for users who saw what the split serves, from the exposure on', async () => {
    const { fallthrough } = await ask('GET', `${at}/checkout/config`)
    const people = Array.from({ length: 6 }, () => new DatadogVisitor())
    const arms = new Map<DatadogVisitor, Line>()
    for (const [index, visitor] of people.entries()) {
      const targetingKey = `buyer-${index}-${newId()}`
      const { value, variation } = await served('checkout', { targetingKey })
      const view = newId()
      // Identified a moment after the page began, as applications do.
      const early = visitor.action(view)
      visitor.usr = { id: targetingKey }
      await post(early, visitor.view(view, { flags: { checkout: value }, at: Date.now() - 10 }))
      arms.set(visitor, {
        split: fallthrough.split.id,
        epoch: fallthrough.split.epoch,
        arm: variation,
        unit: unitHash({ environment: stage.environment, attribute: 'targetingKey', value: targetingKey }),
      })
    }
    for (const [visitor, arm] of arms) {
      const { of } = await stored(visitor, 3)
      for (const kind of ['view', 'exposure', 'action']) expect(of(kind)).toMatchObject([{ arms: [arm] }])
    }
  })

  test('is not derived for users with another value, which is counted', async () => {
    const visitor = new DatadogVisitor()
    visitor.usr = { id: `buyer-${newId()}` }
    const { value } = await served('checkout', { targetingKey: String(visitor.usr.id) })
    await post(visitor.view(newId(), { flags: { checkout: !value } }))
    const { of } = await stored(visitor, 2)
    expect([of('view')[0]?.arms, of('exposure')[0]?.arms]).toEqual([[], []])
    const { totals } = stage.telltale.running.services.intake.outcomes
    expect(totals().get('arm_other_variation')).toBeGreaterThan(0)
  })

  test('is that of the stage in which the value was seen, each exposed once', async () => {
    const weights = (on: number) => [
      { variation: 'on', weight: on },
      { variation: 'off', weight: 100_000 - on },
    ]
    await flag('stages', weights(0))
    const visitor = new DatadogVisitor()
    visitor.usr = { id: `buyer-${newId()}` }
    const before = Date.now()
    await post(visitor.view(newId(), { at: before, spent: 0, flags: { stages: false } }))
    const { fallthrough } = await save('stages', { fallthrough: { split: weights(100_000) } })
    const after = Date.now() + 5
    // The page keeps its value until it fetches flags again.
    await post(visitor.action(newId(), { at: after }))
    await post(visitor.error(newId(), { at: after + 5, flags: { stages: true } }))
    const { of } = await stored(visitor, 5)
    const last = fallthrough.split.epoch
    expect(of('action')).toMatchObject([{ arms: [{ arm: 'off', epoch: last - 1 }] }])
    expect(of('error')).toMatchObject([{ arms: [{ arm: 'on', epoch: last }] }])
    expect(of('exposure')).toMatchObject([
      { arms: [{ arm: 'off', epoch: last - 1 }] },
      { arms: [{ arm: 'on', epoch: last }] },
    ])
  })

  test('is not derived for users with an override', async () => {
    const targetingKey = `guest-${newId()}`
    const { value, variation } = await served('checkout', { targetingKey })
    await ask('PUT', `${at}/checkout/overrides/${targetingKey}`, { variation })
    const visitor = new DatadogVisitor()
    visitor.usr = { id: targetingKey }
    await post(visitor.view(newId(), { flags: { checkout: value } }))
    expect((await stored(visitor, 2)).of('view')).toMatchObject([
      { arms: [], flags: [`checkout=${variation}`] },
    ])
  })
})
