// The generated week is reproducible, every event is accepted by the intake, and its flags are exactly what the
// evaluator serves.

import { EventContext, eventSchemas } from '@telltale/core/contract/events'
import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import type { FlagDefinition } from '@telltale/core/evaluation/rule-set'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { project } from '../project.ts'
import { type GeneratedVisit, generateHistory } from './generate-history'
import { busyness } from './rhythm.ts'

const day = 86_400_000
const until = Date.UTC(2026, 10, 19, 13, 32)

const flag = (key: string, served: FlagDefinition['variations'], weight: number): FlagDefinition => ({
  key,
  valueType: 'string',
  variations: served,
  clientVisible: true,
  config: {
    enabled: true,
    offVariation: served[0]?.key ?? '',
    prerequisites: [],
    rules: [],
    salt: `salt of ${key}`,
    fallthrough: {
      split: {
        id: '7',
        epoch: weight === 0 ? 1 : 2,
        by: 'targetingKey',
        arms: served.map(({ key: variation }, index) => ({
          variation,
          weight: index === 0 ? 100_000 - weight : weight,
          ranges: [index === 0 ? [0, 100_000 - weight] : [100_000 - weight, 100_000]],
        })),
      },
    },
  },
})

const onOff = [
  { key: 'off', value: false },
  { key: 'on', value: true },
]
const checkout = [
  { key: 'classic', value: 'classic' },
  { key: 'one-page', value: 'one-page' },
]
const rulesFrom = (weight: number) => ({
  flags: [flag('checkout-v2', checkout, weight), flag('new-gallery', onOff, 50_000)],
  segments: [],
})
const changedAt = until - 3 * day
const ruleSets = [
  { from: 0, definition: rulesFrom(0) },
  { from: changedAt, definition: rulesFrom(50_000) },
]
const options = {
  seed: 'test',
  from: until - 7 * day,
  until,
  visits: 400,
  shop: 'https://shop.example/demo',
  ruleSets,
}
const week = [...generateHistory(options)]

interface Line {
  kind: string
  at: number
  context: number
  index: number
  // biome-ignore lint/suspicious/noExplicitAny: lines of JSON, looked into by tests
  [member: string]: any
}

const linesOf = ({ batch }: GeneratedVisit): Line[] =>
  batch.lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('the same seed generates the same week, including ids; another seed a different one', () => {
  const textOf = (visits: Iterable<GeneratedVisit>) =>
    Array.from(visits, ({ batch }) => JSON.stringify(batch)).join('')
  expect(textOf(generateHistory(options)) === textOf(week)).toBe(true)
  const others = [...generateHistory({ ...options, seed: 'another', visits: 20 })]
  expect(others[0]?.batch.id).not.toBe(week[0]?.batch.id)
  expect(new Set(week.map(({ batch }) => batch.id)).size).toBe(400)
})

test('the intake accepts every line, with a time within the week', () => {
  const context = Compile(EventContext)
  const checks = new Map(Object.entries(eventSchemas).map(([kind, schema]) => [kind, Compile(schema)]))
  const isGood = (line: Line) =>
    line.kind === 'context' ? context.Check(line) : checks.get(line.kind)?.Check(line) === true
  const isInWeek = ({ at }: Line) => at >= options.from && at < until
  const bad: Line[] = []
  for (const visit of week) {
    const known = new Set<number>()
    const lines = linesOf(visit)
    for (const line of lines) {
      if (line.kind === 'context') known.add(line.index)
      else if (!known.has(line.context) || !isInWeek(line)) bad.push(line)
      if (!isGood(line)) bad.push(line)
    }
    expect(visit.batch.events).toBe(lines.filter(({ kind }) => kind !== 'context').length)
  }
  expect(bad).toEqual([])
})

test('recorded reads match the evaluator at that time, including arms; each is exposed once', () => {
  let compared = 0
  for (const visit of week) {
    const { definition } =
      visit.startedAt < changedAt ? { definition: rulesFrom(0) } : { definition: rulesFrom(50_000) }
    const ruleSet = compileRuleSet(definition)
    const exposed: string[] = []
    for (const line of linesOf(visit)) {
      if (line.kind === 'exposure') exposed.push(line.flag)
      for (const read of line.kind === 'context' ? (line.reads ?? []) : []) {
        const { variation, split } = evaluate(ruleSet, read.flag, visit.context)
        expect(read).toEqual({
          flag: read.flag,
          variation,
          split: split?.id,
          epoch: split?.epoch,
          by: 'targetingKey',
          unit: visit.context.targetingKey,
        })
        compared += 1
      }
    }
    expect(new Set(exposed).size).toBe(exposed.length)
  }
  expect(compared).toBeGreaterThan(300)
})

test('contains the planned stories: checkout errors in Safari only, a slow gallery, and quiet nights', () => {
  const all = week.flatMap((visit) => {
    const lines = linesOf(visit)
    const contexts = new Map(lines.filter(({ kind }) => kind === 'context').map((line) => [line.index, line]))
    return lines
      .filter(({ kind }) => kind !== 'context')
      .map((line) => ({ line, of: contexts.get(line.context), userAgent: visit.batch.userAgent }))
  })
  const broken = all.filter(({ line }) => line.kind === 'error' && line.type === 'ReferenceError')
  expect(broken.length).toBeGreaterThan(0)
  for (const { userAgent, of } of broken) {
    expect(userAgent).toContain('Version/')
    expect(of?.reads).toContainEqual(expect.objectContaining({ flag: 'checkout-v2', variation: 'one-page' }))
  }
  const median = (variation: string) => {
    const values = all
      .filter(({ line, of }) => line.name === 'LCP' && of?.page === '/p/:product')
      .filter(({ of }) =>
        of?.reads?.some((read: Line) => read.flag === 'new-gallery' && read.variation === variation),
      )
      .map(({ line }) => Number(line.value))
      .sort((a, b) => a - b)
    return values[Math.floor(values.length / 2)] ?? 0
  }
  expect(median('on')).toBeGreaterThan(median('off'))
  expect(busyness(Date.UTC(2026, 10, 15, 19))).toBeGreaterThan(5 * busyness(Date.UTC(2026, 10, 15, 2)))
})

test('requests of the last 47 hours have a trace, earlier ones have none, and each is served once', () => {
  const since = until - 47 * 3_600_000
  const requests = week
    .flatMap(linesOf)
    .filter(({ kind, type, status }) => kind === 'resource' && type === 'fetch' && status !== 0)
  const served = new Set(week.flatMap((visit) => visit.served.map(({ trace }) => trace)))
  expect(served.size).toBeGreaterThan(50)
  for (const { at, traceId } of requests) expect(traceId !== undefined).toBe(at >= since)
  expect(new Set(requests.flatMap(({ traceId }) => traceId ?? []))).toEqual(served)
})

test('changes of the project are in chronological order', () => {
  const times = project.changes.map(({ ago }) => ago)
  expect(times).toEqual([...times].sort((a, b) => b - a))
  const keys = project.flags.map(({ key }) => key)
  for (const { flag: key } of project.changes) expect(keys).toContain(key)
})
