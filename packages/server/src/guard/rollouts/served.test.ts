import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '../../../../../test/contracts/flags.ts'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { splitEpochs } from '../../platform/engines/postgres/schema.ts'
import { noGuard, type Release, stage, startRelease } from './testing/release.ts'

let release: Release
let other: Telltale
let client: Record<string, string>
let server: Record<string, string>
const well = { 'users-with-an-error': 'healthy' as const }

beforeAll(async () => {
  release = await startRelease()
  other = await startTelltale({ beside: release.telltale, settings: noGuard })
  const keyOf = async (kind: 'client' | 'server') => ({
    authorization: `Bearer ${(await createKey(release.telltale, kind)).value}`,
  })
  client = await keyOf('client')
  server = await keyOf('server')
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await release[Symbol.asyncDispose]()
})

const people = Array.from({ length: 200 }, (_, index) => `person-${index}`)

interface Served {
  variation: string
  epoch: number | undefined
  version: string
}

async function ofrep(from: Telltale, key: string, targetingKey: string): Promise<Served> {
  const { status, body } = await from.request('POST', `/ofrep/v1/evaluate/flags/${key}`, {
    headers: client,
    body: { context: { targetingKey } },
  })
  expect(status).toBe(200)
  return { variation: body.variant, epoch: body.metadata.epoch, version: body.metadata.version }
}

/** Users with the treatment, once both servers serve this epoch. */
async function treated(key: string, epoch: number): Promise<Set<string>> {
  for (const from of [release.telltale, other])
    await expect.poll(async () => (await ofrep(from, key, 'anybody')).epoch, { timeout: 10_000 }).toBe(epoch)
  const served = await Promise.all(
    people.map(async (person, index) => ({
      person,
      ...(await ofrep(index % 2 === 0 ? release.telltale : other, key, person)),
    })),
  )
  expect(new Set(served.map((each) => each.epoch))).toEqual(new Set([epoch]))
  return new Set(served.filter(({ variation }) => variation === 'on').map(({ person }) => person))
}

test('users stay as it grows, on every server; after a rollback none has it, and a new rollout reaches the same', async () => {
  const at = await release.flag('nested', {}, 'production')
  const stages = [stage(20_000), stage(60_000), stage(100_000)]
  const rollout = await release.start(at, { stages })
  const first = await treated('nested', 1)
  expect(first.size).toBeGreaterThan(15)
  const { version } = await ofrep(other, 'nested', 'anybody')

  await release.look(rollout, { states: well })
  await release.look(rollout, { states: well })
  const second = await treated('nested', 2)
  expect(second.size).toBeGreaterThan(first.size)
  expect([...first].filter((person) => !second.has(person))).toEqual([])
  // A stage does not create a version.
  expect((await ofrep(other, 'nested', 'anybody')).version).toBe(version)

  await release.act(rollout, 'roll-back')
  expect(await treated('nested', 3)).toEqual(new Set())

  await release.start(at, { stages })
  expect(await treated('nested', 4)).toEqual(first)
})

test('a stage conflicts with no draft, and saving something else keeps it', async () => {
  const at = await release.flag('drafted', {}, 'production')
  const rollout = await release.start(at, { stages: [stage(20_000), stage(60_000)] })
  const { body } = await release.ask('GET', `${at}/config`)
  await release.look(rollout, { states: well })
  await release.look(rollout, { states: well })
  const { salt: _salt, savedAt: _savedAt, ...config } = body
  const saved = await release.ask('PUT', `${at}/config`, { ...config, offVariation: 'on' })
  expect(saved.status).toBe(200)
  expect((await treated('drafted', 2)).size).toBeGreaterThan(80)
  expect(await release.read(rollout)).toMatchObject({ state: 'running', stage: 1, weight: 60_000 })

  // Evaluating a draft returns what saving it would serve.
  const evaluate = '/environments/production/evaluate'
  const context = { targetingKey: 'person-1' }
  const [now, tried] = await Promise.all([
    release.ask('POST', evaluate, { context, flags: ['drafted'] }),
    release.ask('POST', evaluate, { context, flags: ['drafted'], draft: draftOf(saved.body) }),
  ])
  expect(tried.body.items[0].variation).toBe(now.body.items[0].variation)
})

function draftOf({ enabled, offVariation, prerequisites, rules, fallthrough }: Record<string, unknown>) {
  return { enabled, offVariation, prerequisites, rules, fallthrough }
}

test('servers with their own rule set get the stage, and its epoch is the latest of the split', async () => {
  const at = await release.flag('ruleset', {}, 'production')
  await release.start(at, { stages: [stage(20_000), stage(60_000)] })
  const serves = async () => {
    const { body } = await other.request('GET', '/sdk/v1/ruleset', { headers: server })
    return body.flags.find(({ key }: { key: string }) => key === 'ruleset')?.config.fallthrough.split
  }
  await expect
    .poll(async () => (await serves())?.arms, { timeout: 10_000 })
    .toMatchObject([{ weight: 80_000 }, { weight: 20_000 }])
  const rollout = `/rollouts/${(await release.ask('GET', '/rollouts?flag=ruleset')).body.items[0].id}`
  await release.look(rollout, { states: well })
  await release.look(rollout, { states: well })
  await expect
    .poll(async () => (await serves())?.arms, { timeout: 10_000 })
    .toMatchObject([{ weight: 40_000 }, { weight: 60_000 }])
  const { id, epoch } = await serves()
  const { db } = release.telltale.running.services
  const [last] = await db
    .select()
    .from(splitEpochs)
    .where(eq(splitEpochs.splitId, BigInt(id)))
    .orderBy(desc(splitEpochs.epoch))
  expect([epoch, last?.endedAt]).toEqual([last?.epoch, null])
})

test('the API returns both saved and served shares', async () => {
  const at = await release.flag('both-shares', {}, 'development')
  const stages = [stage(1), stage(50_000), stage(100_000)]
  const rollout = await release.start(at, { stages })
  await release.look(rollout, { states: well })
  await release.look(rollout, { states: well })
  const { status, body } = await release.ask('GET', `${at}/served`)
  expect(status).toBe(200)
  const shares = (off: number, on: number) => [
    { variation: 'off', weight: off },
    { variation: 'on', weight: on },
  ]
  expect(body.places).toEqual([
    {
      place: 'fallthrough',
      by: 'targetingKey',
      saved: shares(99_999, 1),
      served: shares(50_000, 50_000),
      rollout: {
        id: rollout.split('/').at(-1),
        state: 'running',
        control: 'off',
        treatment: 'on',
        stage: 1,
        stages: 3,
      },
    },
  ])
})

test('with a new salt other users get the treatment, on every server, and stay as it grows', async () => {
  const at = await release.flag('fresh', {}, 'production')
  const stages = [stage(20_000), stage(60_000), stage(100_000)]
  const first = await release.start(at, { stages })
  const before = await treated('fresh', 1)
  await release.act(first, 'roll-back')

  const again = await release.start(at, { stages, freshDraw: true })
  const drawn = await treated('fresh', 3)
  expect(drawn.size).toBeGreaterThan(15)
  const inCommon = [...drawn].filter((person) => before.has(person)).length
  // With independent bucketing, one in five of the earlier users gets it again.
  expect(inCommon).toBeLessThan(drawn.size * 0.6)
  await release.look(again, { states: well })
  await release.look(again, { states: well })
  const grown = await treated('fresh', 4)
  expect([...drawn].filter((person) => !grown.has(person))).toEqual([])
  await release.act(again, 'roll-back')
  expect(await treated('fresh', 5)).toEqual(new Set())
  // Later rollouts get the same users again, unless they also reassign buckets.
  await release.start(at, { stages })
  expect(await treated('fresh', 6)).toEqual(drawn)
})
