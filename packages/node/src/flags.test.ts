import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/server-sdk'
import type { RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import { eq, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  always,
  createKey,
  halves,
  type Place,
  placeOf,
  type SomeFlag,
  saveFlag,
} from '../../../test/contracts/flags.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../test/start.ts'
import {
  flags as flagTable,
  identityOverrides,
  segments,
} from '../../server/src/platform/engines/postgres/schema.ts'
import type { Exposure, Flags, FlagsOptions } from './client.ts'
import { startFlags } from './flags.ts'
import { type Timing, usualTiming } from './follow.ts'
import { TelltaleProvider } from './openfeature.ts'
import { startClient } from './start-client.ts'
import { usualDelivery } from './telemetry/deliver.ts'
import { openGate } from './testing/gate.ts'
import { openIntake } from './testing/recorded-intake.ts'

let telltale: Telltale
let place: Place
let owner: SomePerson
let key: string

const colours = { red: 'R', blue: 'B' }
const save = (flag: string, config: SomeFlag['config'] = always('red')) =>
  saveFlag(telltale, place, { key: flag, valueType: 'string', values: colours, config })
const flagsPath = '/api/v1/projects/shop/environments/production/flags'
const override = (flag: string, targetingKey: string, variation: string) =>
  telltale.request('PUT', `${flagsPath}/${flag}/overrides/${targetingKey}`, {
    as: owner,
    body: { variation },
  })

/** Delays that are long in production are short here. */
const quick: Timing = { ...usualTiming, longestBackoff: 200, poll: 200, reaction: 10 }

function start(options: Partial<FlagsOptions> = {}, timing = quick): Flags {
  const flags = startClient({ url: telltale.url, key, ...options }, timing)
  onTestFinished(() => flags.close())
  return flags
}

/** The server follows its database with a small delay. */
const knows = async (flags: Flags, flag: string) => {
  await expect.poll(() => flags.getString(flag, 'none'), { interval: 5 }).toBe('R')
}

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  place = await placeOf(telltale, 'shop', 'production')
  owner = await telltale.person({ role: 'owner' })
  key = (await createKey(telltale, 'server')).value
  await save('colour')
  await save('half', { fallthrough: halves('red', 'blue') })
})

afterAll(async () => telltale?.[Symbol.asyncDispose]())

test('without a rule set the fallback is served with its reason', async () => {
  const flags = startFlags({ url: telltale.url, key })
  onTestFinished(() => flags.close())
  expect(flags.getDetails('colour', 'none')).toMatchObject({
    value: 'none',
    reason: 'ERROR',
    errorCode: 'PROVIDER_NOT_READY',
  })
  expect(await flags.whenReady()).toBe('ready')
  expect(flags.getString('colour', 'none')).toBe('R')
})

test('values include the telemetry metadata, and errors their code', async () => {
  const flags = start()
  await flags.whenReady()
  expect(flags.getDetails('half', 'none', { targetingKey: 'ann' })).toEqual({
    key: 'half',
    value: expect.stringMatching(/^[RB]$/),
    variant: expect.stringMatching(/^(red|blue)$/),
    reason: 'SPLIT',
    metadata: {
      flagSetId: 'production',
      version: '1',
      valueType: 'string',
      split: '7',
      epoch: 3,
      unit: 'targetingKey',
      contextId: 'ann',
    },
    errorCode: undefined,
    errorDetails: undefined,
  })
  expect(flags.getDetails('half', 'none').errorCode).toBe('TARGETING_KEY_MISSING')
  expect(flags.getDetails('colour', true)).toMatchObject({ value: true, errorCode: 'TYPE_MISMATCH' })
  expect(flags.getDetails('nowhere', 1)).toMatchObject({ value: 1, errorCode: 'FLAG_NOT_FOUND' })
})

test('an unreadable context never throws', async () => {
  const flags = start()
  await flags.whenReady()
  flags.onExposure(() => undefined)
  const unreadable = () => {
    throw new Error('not for you')
  }
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const contexts = [Object.defineProperty({}, 'targetingKey', { get: unreadable }), revoked.proxy]
  for (const context of [...contexts, new Proxy({}, { get: unreadable })]) {
    expect(flags.getDetails('half', 'none', context).errorCode).toBe('GENERAL')
    expect(flags.getDetails('colour', 'none', context).reason).toMatch(/STATIC|ERROR/)
    expect(flags.allFlags(context).length).toBeGreaterThan(1)
    expect(JSON.parse(flags.bootstrapFor(context)).flags.length).toBeGreaterThan(1)
  }
})

interface Cases {
  ruleSet: Omit<RuleSetDefinition, 'flags'> & {
    flags: (Omit<SomeFlag, 'values' | 'hidden'> & {
      variations: { key: string; value: unknown }[]
      clientVisible: boolean
      overrides?: Record<string, string>
    })[]
  }
  cases: { context: unknown }[]
}

test('every flag evaluates as on the server over OFREP, for any context', async () => {
  const file: Cases = JSON.parse(
    readFileSync(new URL('../../core/src/evaluation/cases.json', import.meta.url), 'utf8'),
  )
  const { db, clock } = telltale.running.services
  await telltale.project('cases')
  const cases = await placeOf(telltale, 'cases', 'production')
  const createdAt = clock()
  for (const { key: segment, when } of file.ruleSet.segments) {
    const row = { id: newId(), projectId: cases.project.id, key: segment, name: segment, description: '' }
    await db.insert(segments).values({ ...row, conditions: when, createdAt })
  }
  for (const { variations, overrides = {}, clientVisible, ...flag } of file.ruleSet.flags) {
    const values = Object.fromEntries(variations.map((each) => [each.key, each.value]))
    await saveFlag(telltale, cases, { ...flag, values, hidden: !clientVisible })
    const [row] = await db.select().from(flagTable).where(eq(flagTable.key, flag.key))
    for (const [targetingKey, variation] of Object.entries(overrides)) {
      const ref = { environmentId: cases.environment.id, flagId: row?.id ?? '', targetingKey }
      await db.insert(identityOverrides).values({ ...ref, variation, createdAt })
    }
  }
  const serverKey = (await createKey(telltale, 'server', { project: 'cases' })).value
  const clientKey = (await createKey(telltale, 'client', { project: 'cases' })).value
  const flags = start({ key: serverKey })
  await flags.whenReady()

  const contexts = file.cases
    .map(({ context }) => context)
    .filter((context) => typeof context === 'object' && context !== null && !Array.isArray(context))
  expect(contexts.length).toBeGreaterThan(50)
  for (const context of contexts) {
    // As it arrives over HTTP.
    const given = JSON.parse(JSON.stringify(context))
    const ask = async (headers: Record<string, string>) =>
      (await telltale.request('POST', '/ofrep/v1/evaluate/flags', { headers, body: { context: given } })).body
    const whole = await ask({ authorization: `Bearer ${serverKey}` })
    if (whole.errorCode === 'INVALID_CONTEXT') {
      expect(new Set(flags.allFlags(given).map(({ errorCode }) => errorCode))).toEqual(
        new Set(['INVALID_CONTEXT']),
      )
      continue
    }
    const withoutWords = ({ errorDetails: _words, ...answer }: { errorDetails?: string }) => answer
    expect(flags.allFlags(given).map(withoutWords)).toEqual(whole.flags.map(withoutWords))

    const { eventStreams: _streams, ...page } = await ask({ authorization: `Bearer ${clientKey}` })
    expect(JSON.parse(flags.bootstrapFor(given))).toEqual(page)
    expect(flags.bootstrapValuesFor(given)).toEqual(page)
  }
})

test('values for a page do not reveal server-only prerequisites', async () => {
  const secret: SomeFlag = { key: 'gate', valueType: 'string', values: colours, config: always('blue') }
  await saveFlag(telltale, place, { ...secret, hidden: true })
  await save('gated', { ...always('red'), prerequisites: [{ flag: 'gate', variation: 'red' }] })
  const flags = start()
  await flags.whenReady()
  await expect.poll(() => flags.getDetails('gated', 'none').reason).toBe('DISABLED')
  expect(flags.bootstrapFor({ targetingKey: 'ann' })).toContain('"gated"')
  expect(flags.bootstrapFor({ targetingKey: 'ann' })).not.toContain('"gate"')
})

test('values for a page as an object contain no server-only flags', async () => {
  const secret: SomeFlag = { key: 'price-rule', valueType: 'string', values: colours, config: always('blue') }
  await saveFlag(telltale, place, { ...secret, hidden: true })
  const flags = start()
  await flags.whenReady()
  await expect.poll(() => flags.getString('price-rule', 'none')).toBe('B')
  const given = flags.bootstrapValuesFor({ targetingKey: 'ann' })
  expect(given.flags.map(({ key }) => key)).toContain('colour')
  expect(JSON.stringify(given)).not.toContain('price-rule')
})

test('values for a page cannot end their script', async () => {
  const flags = start()
  await flags.whenReady()
  const text = flags.bootstrapFor({ targetingKey: '</script><!--\u2028&' })
  expect(text).not.toMatch(/[<>&\u2028]/)
  expect(JSON.parse(text).flags[0].metadata.contextId).toBe('</script><!--\u2028&')
})

test('changes of a flag and an override arrive within a second, by key', async () => {
  await save('live')
  const flags = start({}, { ...usualTiming })
  await knows(flags, 'live')
  const heard: string[][] = []
  flags.onChange((keys) => heard.push([...keys]))

  await save('live', always('blue'))
  await expect.poll(() => flags.getString('live', 'none'), { timeout: 1_000, interval: 5 }).toBe('B')
  expect(heard).toEqual([['live']])

  await override('live', 'ann', 'red')
  const ann = { targetingKey: 'ann' }
  await expect.poll(() => flags.getString('live', 'none', ann), { timeout: 1_000, interval: 5 }).toBe('R')
  expect(flags.getString('live', 'none', { targetingKey: 'bob' })).toBe('B')

  await telltale.request('DELETE', `${flagsPath}/live/overrides/ann`, { as: owner })
  await expect.poll(() => flags.getString('live', 'none', ann), { timeout: 1_000, interval: 5 }).toBe('B')
  expect(heard).toEqual([['live'], ['live'], ['live']])
})

test('while the server is unavailable the last values stay; afterwards missed changes arrive', async () => {
  await save('away')
  await using gate = await openGate(telltale.url)
  const flags = start({ url: gate.url })
  await knows(flags, 'away')

  await gate.close()
  await expect.poll(flags.status).toBe('stale')
  await save('away', always('blue'))
  expect(flags.getString('away', 'none')).toBe('R')

  await gate.open()
  await expect.poll(flags.status).toBe('ready')
  await expect.poll(() => flags.getString('away', 'none')).toBe('B')
})

test('without a server, the copy on disk or the given rule set is served', async () => {
  await save('cold')
  const copy = join(await mkdtemp(join(tmpdir(), 'telltale-copy-')), 'rules.json')
  const first = start({ copy })
  await knows(first, 'cold')
  await first.close()

  const nowhere = 'http://127.0.0.1:1'
  const second = start({ url: nowhere, copy })
  await knows(second, 'cold')
  expect(await second.whenReady(50)).toBe('stale')

  const third = start({ url: nowhere, bootstrap: JSON.parse(readFileSync(copy, 'utf8')) })
  expect(third.getString('cold', 'none')).toBe('R')
})

test('an invalid key is reported immediately; a revoked one keeps the last values', async () => {
  const faults: Error[] = []
  const wrong = start({ key: 'ser.wrong', onFault: (fault) => faults.push(fault) })
  expect(await wrong.whenReady()).toBe('refused')
  expect(wrong.getString('colour', 'none')).toBe('none')
  expect(faults.map(({ message }) => message)).toEqual(['The Telltale server refused the key (401).'])

  const short = await createKey(telltale, 'server')
  const flags = start({ key: short.value }, { ...quick, check: 100 })
  await flags.whenReady()
  const path = `/api/v1/projects/shop/environments/production/keys/${short.id}`
  expect((await telltale.request('DELETE', path, { as: owner })).status).toBeLessThan(300)
  await expect.poll(flags.status).toBe('refused')
  expect(flags.getString('colour', 'none')).toBe('R')
})

test('each variation is reported once per subject, with its arm', async () => {
  const flags = start()
  await flags.whenReady()
  const reported: Exposure[] = []
  flags.onExposure((exposure) => reported.push(exposure))
  for (const targetingKey of ['ann', 'bob', 'ann']) flags.getString('half', 'none', { targetingKey })
  flags.getString('colour', 'none', { targetingKey: 'ann' })
  flags.getString('nowhere', 'none', { targetingKey: 'ann' })
  flags.allFlags({ targetingKey: 'eve' })

  expect(reported.map(({ flag, targetingKey }) => [flag, targetingKey])).toEqual([
    ['half', 'ann'],
    ['half', 'bob'],
    ['colour', 'ann'],
  ])
  expect(reported[0]).toMatchObject({
    environment: 'production',
    arm: { split: '7', epoch: 3, attribute: 'targetingKey', unit: 'ann' },
  })
  expect(reported[2]?.arm).toBeUndefined()
})

test('with 200,000 overrides a change is a few hundred bytes', async () => {
  await telltale.project('large')
  const large = await placeOf(telltale, 'large', 'production')
  await saveFlag(telltale, large, {
    key: 'many',
    valueType: 'string',
    values: colours,
    config: always('red'),
  })
  await telltale.running.services.db.execute(sql`
    INSERT INTO identity_overrides (environment_id, flag_id, targeting_key, variation, created_at)
    SELECT ${large.environment.id}::uuid, id, 'user-' || n, 'blue', now()
    FROM flags, generate_series(1, 199999) n WHERE key = 'many'`)
  await using gate = await openGate(telltale.url)
  const serverKey = (await createKey(telltale, 'server', { project: 'large' })).value
  const flags = start({ url: gate.url, key: serverKey })
  expect(await flags.whenReady(30_000)).toBe('ready')
  expect(flags.getString('many', 'none', { targetingKey: 'user-77777' })).toBe('B')

  const whole = gate.received()
  const path = '/api/v1/projects/large/environments/production/flags/many/overrides/last'
  await telltale.request('PUT', path, { as: owner, body: { variation: 'blue' } })
  await expect.poll(() => flags.getString('many', 'none', { targetingKey: 'last' })).toBe('B')
  expect((gate.received() - whole) * 100).toBeLessThan(whole)
})

test('OpenFeature: ready, values, changes by key, and shutdown', async () => {
  await save('open')
  await using gate = await openGate(telltale.url)
  const domain = 'telltale-test'
  const own = start({ url: gate.url })
  await knows(own, 'open')
  await OpenFeature.setProviderAndWait(domain, new TelltaleProvider(own))
  onTestFinished(() => OpenFeature.close())
  const client = OpenFeature.getClient(domain)
  expect(client.providerStatus).toBe(ProviderStatus.READY)
  const changed = new Promise<readonly string[] | undefined>((resolve) =>
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => resolve(event?.flagsChanged)),
  )

  expect(await client.getStringDetails('open', 'none', { targetingKey: 'ann' })).toMatchObject({
    value: 'R',
    variant: 'red',
    reason: 'STATIC',
    flagMetadata: { flagSetId: 'production', version: '1', contextId: 'ann' },
  })
  expect(await client.getBooleanDetails('open', true)).toMatchObject({ errorCode: 'TYPE_MISMATCH' })
  await save('open', always('blue'))
  expect(await changed).toEqual(['open'])
  expect(await client.getStringValue('open', 'none')).toBe('B')

  await gate.close()
  await expect.poll(() => client.providerStatus).toBe(ProviderStatus.STALE)
  await gate.open()
  await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY)

  await using intake = await openIntake()
  const reporting = startClient({ url: intake.url, key: 'ser.k' }, quick, { ...usualDelivery, collect: 10 })
  onTestFinished(() => reporting.close())
  const provider = new TelltaleProvider(reporting)
  provider.track('order', { targetingKey: 'ann' }, { value: 12, plan: 'pro', lines: [{ id: 'a' }] })
  await expect
    .poll(() => intake.events)
    .toMatchObject([
      { kind: 'custom', name: 'order', userKey: 'ann', value: 12, attributes: { plan: 'pro' } },
    ])

  const refused = new TelltaleProvider({ url: telltale.url, key: 'ser.wrong' })
  await expect(OpenFeature.setProviderAndWait('refused', refused)).rejects.toThrow(/refused the key/)
})
