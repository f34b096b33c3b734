import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, type Place, placeOf } from '../../../../../test/contracts/flags.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { editRuleSet, emptyRuleSet } from './build-rule-set.ts'
import { readEverything } from './read-changes.ts'
import { findEdit } from './rule-set-edit.ts'

let telltale: Telltale
let place: Place
let owner: SomePerson
let headers: Record<string, string>

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  place = await placeOf(telltale, 'shop', 'production')
  owner = await telltale.person({ role: 'owner' })
  headers = { authorization: `Bearer ${(await createKey(telltale, 'server')).value}` }
})

afterAll(async () => telltale?.[Symbol.asyncDispose]())

const project = '/api/v1/projects/shop'
const overrides = `${project}/environments/production/flags/a/overrides`
const flag = { name: 'A', valueType: 'boolean' }
const vips = { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'vip' }] }

async function send(method: string, path: string, body?: unknown) {
  const answer = await telltale.request(method, path, { as: owner, ...(body === undefined ? {} : { body }) })
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

/** The version of the database content, read as a whole. */
async function presentVersion(): Promise<string> {
  const { source } = await readEverything(telltale.running.services.db, place.environment.id)
  const empty = emptyRuleSet(source.environment, 0)
  return editRuleSet(empty, await findEdit(empty, source), 0).next.version
}

async function ruleSet(since = '') {
  return (await telltale.request('GET', `/sdk/v1/ruleset${since && `?since=${since}`}`, { headers })).body
}

test('applying changes incrementally equals a full read', async () => {
  let { version } = await ruleSet()
  const follow = async () => {
    const wanted = await presentVersion()
    expect(wanted).not.toBe(version)
    await expect.poll(async () => (await ruleSet()).version, { interval: 5 }).toBe(wanted)
    const delta = await ruleSet(version)
    expect(delta).toMatchObject({ since: version, version: wanted })
    version = wanted
    return delta
  }

  await send('POST', `${project}/flags`, { key: 'a', ...flag })
  expect((await follow()).flags).toMatchObject([{ key: 'a', overrides: {} }])

  await send('PUT', `${overrides}/ann`, { variation: 'on' })
  await send('PUT', `${overrides}/bob`, { variation: 'off' })
  expect(await follow()).toMatchObject({ flags: [], overrides: { a: { ann: 'on', bob: 'off' } } })

  await send('DELETE', `${overrides}/bob`)
  expect((await follow()).overrides).toEqual({ a: { bob: null } })

  await send('PATCH', `${project}/flags/a`, { clientVisible: true })
  const { flags } = await follow()
  expect(flags).toMatchObject([{ key: 'a', clientVisible: true }])
  expect(flags[0]).not.toHaveProperty('overrides')

  await send('POST', `${project}/flags/a/archive`)
  expect((await follow()).removedFlags).toEqual(['a'])
  await send('POST', `${project}/flags/a/restore`)
  expect((await follow()).flags).toMatchObject([{ key: 'a', overrides: { ann: 'on' } }])

  await send('POST', `${project}/segments`, { key: 'vips', name: 'VIPs', when: vips })
  expect((await follow()).segments).toMatchObject([{ key: 'vips' }])
  await send('DELETE', `${project}/segments/vips`)
  expect((await follow()).removedSegments).toEqual(['vips'])

  await send('POST', `${project}/flags/a/archive`)
  await follow()
  await send('DELETE', `${project}/flags/a?confirm=a`)
  await send('POST', `${project}/flags`, { key: 'a', ...flag })
  expect((await follow()).flags).toMatchObject([{ key: 'a', overrides: {} }])
})

test('an unknown version gets everything, the current one nothing', async () => {
  const whole = await ruleSet()
  expect(whole.environment).toBe('production')
  expect(await ruleSet('long-forgotten')).toEqual(whole)
  const { version } = whole
  expect(await ruleSet(version)).toMatchObject({ since: version, version, flags: [], overrides: {} })
  const unchanged = await telltale.request('GET', `/sdk/v1/ruleset?since=${version}`, {
    headers: { ...headers, 'if-none-match': `"${version}"` },
  })
  expect(unchanged.status).toBe(304)
})
