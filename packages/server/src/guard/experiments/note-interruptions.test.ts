import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { noteInterruptions } from './note-interruptions.ts'

let telltale: Telltale
let owner: SomePerson
const project = '/api/v1/projects/shop'
const flagUrl = `${project}/environments/staging/flags/seats`
const split = ['off', 'on'].map((variation) => ({ variation, weight: 50_000 }))

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  const flag = { key: 'seats', name: 'Seats', valueType: 'boolean', clientVisible: true }
  await ask('POST', `${project}/flags`, flag)
  await serve({ split })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const request = (method: string, path: string, body?: unknown) =>
  telltale.request(method, path, { as: owner, body })
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await request(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function serve(fallthrough: object, enabled = true): Promise<void> {
  const { version } = await ask('GET', `${flagUrl}/config`)
  const rest = { enabled, offVariation: 'off', prerequisites: [], rules: [] }
  await ask('PUT', `${flagUrl}/config`, { ...rest, fallthrough, version })
}

test('channels hear once that an experiment no longer gets users, and once that it does again', async () => {
  const webhook = { kind: 'webhook', url: 'https://hooks.example/telltale' }
  const events = ['experiment.interrupted', 'experiment.resumed']
  const { channel } = await ask('POST', `${project}/channels`, { name: 'Hook', ...webhook, events })
  const goals = [{ metric: 'lcp', gain: 0.1, margin: 0.05 }]
  const { id } = await ask('POST', `${flagUrl}/experiments`, { name: 'Seats', goals })
  await ask('POST', `${project}/experiments/${id}/start`)
  const found = async () => {
    const { flagArchived, splitRemoved, flagOff, goneVariations } = await ask(
      'GET',
      `${project}/experiments/${id}`,
    )
    return { flagArchived, splitRemoved, flagOff, goneVariations }
  }
  const none = { flagArchived: false, splitRemoved: false, flagOff: false, goneVariations: [] }
  const heard = async () => {
    const { services } = telltale.running
    // Two servers at once, and again.
    await Promise.all([noteInterruptions(services), noteInterruptions(services)])
    await noteInterruptions(services)
    const { items } = await ask('GET', `${project}/channels/${channel.id}/deliveries`)
    return items.map(({ event }: { event: string }) => event).toReversed()
  }
  const [interrupted, resumed] = events

  expect(await found()).toEqual(none)
  expect(await heard()).toEqual([])
  await serve({ split: split.map((arm, index) => ({ ...arm, weight: index === 0 ? 100_000 : 0 })) })
  expect(await found()).toEqual({ ...none, goneVariations: ['on'] })
  expect(await heard()).toEqual([interrupted])
  // Another reason is no other state.
  await serve({ split }, false)
  expect(await found()).toEqual({ ...none, flagOff: true })
  expect(await heard()).toEqual([interrupted])
  await serve({ split })
  expect(await heard()).toEqual([interrupted, resumed])
  await ask('POST', `${project}/flags/seats/archive`)
  expect(await found()).toMatchObject({ flagArchived: true })
  expect(await heard()).toEqual([interrupted, resumed, interrupted])
  const { items } = await ask('GET', `${project}/audit?q=Seats`)
  expect(items[0]).toMatchObject({
    action: 'experiment.interrupt',
    reason: 'The flag seats is archived.',
    actor: { kind: 'system', name: 'schedule' },
  })
  await ask('POST', `${project}/flags/seats/restore`)
  await serve({ variation: 'off' })
  expect(await found()).toEqual({ ...none, splitRemoved: true })
  await heard()
  await ask('POST', `${project}/experiments/${id}/end`, { variation: null })
  await serve({ split })
  expect((await heard()).filter((event: string) => event === resumed)).toHaveLength(1)
})
