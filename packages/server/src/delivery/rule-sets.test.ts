import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, halves, type Place, placeOf, saveFlag } from '../../../../test/contracts/flags.ts'
import { startTelltale, type Telltale } from '../../../../test/start.ts'
import { openPostgres } from '../engines/postgres/open.ts'
import { buildRuleSet } from './build-rule-set.ts'
import type { RuleSetFlag } from './rule-set-file.ts'
import { createRuleSets } from './rule-sets.ts'
import { storedFiles } from './stored-file.ts'

const flag = (key: string, more: Partial<RuleSetFlag> = {}, prerequisite?: string): RuleSetFlag => ({
  key,
  version: 1,
  valueType: 'boolean',
  clientVisible: true,
  variations: [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ],
  overrides: {},
  config: {
    enabled: true,
    offVariation: 'off',
    prerequisites: prerequisite === undefined ? [] : [{ flag: prerequisite, variation: 'on' }],
    rules: [],
    fallthrough: { variation: 'on' },
    salt: key,
  },
  ...more,
})

test('the version changes with the rules and with nothing else, and what stayed is not compiled again', () => {
  const source = { flags: [flag('a'), flag('b')], segments: [] }
  const first = buildRuleSet(source, { now: 0 }).next
  expect(buildRuleSet(structuredClone(source), { previous: first, now: 1 })).toEqual({ next: first })

  const changed = { flags: [flag('a'), flag('b', { version: 2 })], segments: [] }
  const { next, change } = buildRuleSet(changed, { previous: first, now: 1 })
  expect(next.version).not.toBe(first.version)
  expect(change?.flags).toEqual(new Set(['b']))
  expect(next.flags.get('a')).toBe(first.flags.get('a'))
  expect(buildRuleSet(source, { previous: next, now: 2 }).next.version).toBe(first.version)
})

test('a change reaches the flags that stand on it; what is hidden from clients is not named to them', () => {
  const hidden = { clientVisible: false }
  const source = { flags: [flag('a', hidden), flag('b', {}, 'a'), flag('c')], segments: [] }
  const previous = buildRuleSet(source, { now: 0 }).next
  const next = { ...source, flags: [flag('a', { ...hidden, version: 2 }), ...source.flags.slice(1)] }
  const { change } = buildRuleSet(next, { previous, now: 1 })
  expect(change?.flags).toEqual(new Set(['a', 'b']))
  expect(change?.visible).toEqual(new Set(['b']))

  const gone = buildRuleSet({ flags: source.flags.slice(0, 2), segments: [] }, { previous, now: 1 })
  expect(gone.change?.visible).toEqual(new Set(['c']))
  const segment = { key: 'vips', when: { match: 'all' as const, of: [] } }
  expect(
    buildRuleSet({ ...source, segments: [segment] }, { previous, now: 1 }).change?.visible,
  ).toBeUndefined()
})

let telltale: Telltale
let place: Place

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  place = await placeOf(telltale, 'shop', 'production')
  await saveFlag(telltale, place, {
    key: 'half',
    valueType: 'string',
    values: { a: 'A', b: 'B' },
    config: { fallthrough: halves('a', 'b') },
  })
})

afterAll(async () => telltale?.[Symbol.asyncDispose]())

test('without PostgreSQL the rule set comes from the disk, the same as it was', async () => {
  const key = await createKey(telltale, 'server')
  const headers = { authorization: `Bearer ${key.value}` }
  const { body } = await telltale.request('GET', '/sdk/v1/ruleset', { headers })
  const { services } = telltale.running
  const files = storedFiles(services.config.dataFolder)
  const fileName = `${place.environment.id}.json`
  await expect.poll(() => files.read(fileName)).toEqual(body)

  const away = openPostgres({ kind: 'url', url: 'postgres://nobody@127.0.0.1:1/none' })
  const ruleSets = createRuleSets(
    { ...services, db: away.db },
    { files, environmentsOf: () => new Set(), onChange: () => undefined },
  )
  expect((await ruleSets.get(place.environment.id)).version).toBe(body.version)
  ruleSets.stop()
  await away.close()
})
