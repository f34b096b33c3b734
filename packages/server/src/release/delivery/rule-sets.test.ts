import type { FlagText } from '@telltale/core/contract/rule-set-file'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, halves, type Place, placeOf, saveFlag } from '../../../../../test/contracts/flags.ts'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { storedFiles } from '../../platform/data-folder/stored-file.ts'
import { openPostgres } from '../../platform/engines/postgres/open.ts'
import { editRuleSet, emptyRuleSet } from './build-rule-set.ts'
import { findEdit, type RuleSetSource } from './rule-set-edit.ts'
import { createRuleSets } from './rule-sets.ts'

const flag = (key: string, more: Partial<FlagText> = {}, prerequisite?: string): FlagText => ({
  key,
  version: 1,
  valueType: 'boolean',
  clientVisible: true,
  variations: [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ],
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

const build = async (source: RuleSetSource, previous = emptyRuleSet('production', 0)) =>
  editRuleSet(previous, await findEdit(previous, source), 1)

const sourceOf = (flags: FlagText[], more: Partial<RuleSetSource> = {}): RuleSetSource => ({
  environment: 'production',
  flags,
  segments: [],
  overrides: new Map(),
  ...more,
})

test('the version changes with the rules only, and unchanged flags are not recompiled', async () => {
  const source = sourceOf([flag('a'), flag('b')])
  const first = (await build(source)).next
  expect(await build(structuredClone(source), first)).toEqual({ next: first })

  const { next, change } = await build(sourceOf([flag('a'), flag('b', { version: 2 })]), first)
  expect(next.version).not.toBe(first.version)
  expect(change?.flags).toEqual(new Set(['b']))
  expect(next.flags.get('a')).toBe(first.flags.get('a'))
  expect((await build(source, next)).next.version).toBe(first.version)
})

test('an override changes the version and its subject, and compiles nothing', async () => {
  const flags = [flag('a'), flag('b')]
  const first = (await build(sourceOf(flags))).next
  const overrides = new Map([['a', new Map([['ann', 'off']])]])
  const { next, change } = await build(sourceOf(flags, { overrides }), first)
  expect(change?.flags).toEqual(new Set(['a']))
  expect(next.flags.get('a')).toBe(first.flags.get('a'))
  expect(evaluate(next.ruleSet, 'a', { targetingKey: 'ann' }).value).toBe(false)
  expect(evaluate(next.ruleSet, 'a', { targetingKey: 'bob' }).value).toBe(true)
  expect((await build(sourceOf(flags), next)).next.version).toBe(first.version)
})

test('a change affects dependent flags; hidden ones are not named to clients', async () => {
  const hidden = { clientVisible: false }
  const source = sourceOf([flag('a', hidden), flag('b', {}, 'a'), flag('c')])
  const previous = (await build(source)).next
  const next = sourceOf([flag('a', { ...hidden, version: 2 }), ...source.flags.slice(1)])
  const { change } = await build(next, previous)
  expect(change?.flags).toEqual(new Set(['a', 'b']))
  expect(change?.visible).toEqual(new Set(['b']))

  const gone = await build(sourceOf(source.flags.slice(0, 2)), previous)
  expect(gone.change?.visible).toEqual(new Set(['c']))
  const segments = [{ key: 'vips', when: { match: 'all' as const, of: [] } }]
  expect((await build({ ...source, segments }, previous)).change?.visible).toBeUndefined()
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

test('without PostgreSQL the same rule set is read from disk', async () => {
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
