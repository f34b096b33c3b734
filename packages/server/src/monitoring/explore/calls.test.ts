// The engine accepts every field and every form of a query; invalid queries are rejected with a message.

import type { Operator } from '@telltale/core/query/filter'
import { printChip } from '@telltale/core/query/filter'
import {
  type FieldName,
  type FieldType,
  fieldDefinition,
  filterFields,
} from '@telltale/core/query/filter-fields'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true, settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

const get = (path: string, query: Record<string, string> = {}) =>
  telltale.request(
    'GET',
    `/api/v1/projects/shop/environments/production/${path}?${new URLSearchParams(query)}`,
    { as: owner },
  )

const valuesOf: Record<FieldType, string[]> = {
  text: ['a', 'b "quoted"'],
  number: ['0.25'],
  boolean: ['true'],
  id: ['0198a2c4-0000-7000-8000-000000000001'],
  issue: ['18446744073709551615'],
}
const operatorsOf: Record<FieldType, Operator[]> = {
  text: ['is', 'contains', 'exists'],
  number: ['is', 'exists', '>=', '<'],
  boolean: ['is'],
  id: ['is'],
  issue: ['is', 'exists'],
}

/** Every operator of every field, a few chips at a time. */
function everyChip(): string[] {
  const chips = (Object.keys(filterFields) as FieldName[]).flatMap((field) => {
    const { type, isKeyed, choices } = fieldDefinition(field)
    return operatorsOf[type].map((operator, index) => {
      const values = operator === 'exists' ? [] : [...(choices?.slice(0, 1) ?? valuesOf[type])]
      return printChip({
        field,
        key: isKeyed ? 'some key' : '',
        isNegated: index % 2 === 1,
        operator,
        values,
      })
    })
  })
  return Array.from({ length: Math.ceil(chips.length / 25) }, (_, part) =>
    chips.slice(part * 25, (part + 1) * 25).join(' '),
  )
}

test.each(everyChip())('%s', async (filter) => {
  for (const path of ['explore', 'sessions']) {
    const answer = await get(path, { filter })
    expect(answer.body).not.toHaveProperty('detail')
    expect(answer.status).toBe(200)
  }
})

test('every field that events are grouped by, and every facet, is one', async () => {
  const fields = (Object.keys(filterFields) as FieldName[])
    .filter((field) => !fieldDefinition(field).ofSession)
    .map((field) => (fieldDefinition(field).isKeyed ? `${field}:key` : field))
  for (let first = 0; first < fields.length; first += 12) {
    const answer = await get('explore/facets', {
      fields: fields.slice(first, first + 12).join(','),
      search: 'a',
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const ofSessions = [
    'browser,os,device,country,source,version,user,entry-page,exit-page,flag,issue,flag:x',
    'frustration,replay,bot,lcp,inp,cls,errors,unhandled-errors,failed-requests,trouble',
  ]
  for (const some of ofSessions) expect((await get('sessions/facets', { fields: some })).status).toBe(200)
})

test.each([
  ['overview', { filter: 'colour:red' }, '?filter', 'at character 1: there is no field "colour"'],
  ['overview', { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }, '?from', 'before'],
  ['overview', { from: '2020-01-01T00:00:00Z' }, '?from', 'at most 400 days'],
  [
    'overview',
    { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', step: '1m' },
    '?step',
    'too short',
  ],
  ['explore', { measure: 'p75' }, '?field', 'is needed'],
  ['explore', { measure: 'share' }, '?part', 'is needed'],
  ['explore', { by: 'browser,os,device' }, '?by', 'at most 2'],
  ['explore', { by: 'length' }, '?by', 'cannot be used for grouping'],
  ['explore', { by: 'flag' }, '?by', 'cannot be used for grouping'],
  ['page/breakdown', { page: '/', by: 'colour' }, '?by', 'no field'],
  ['sessions', { sequence: 'kind:view ->' }, '?sequence', 'empty'],
  ['sessions/facets', { fields: 'url' }, '?fields', 'is not a session facet'],
  ['sessions', { cursor: 'x' }, '?cursor', 'earlier page'],
  ['sessions', { cursor: cursorOf('["a"]') }, '?cursor', 'earlier page'],
  ['sessions', { cursor: cursorOf('[1,"2","3"]') }, '?cursor', 'earlier page'],
  ['pages', { cursor: cursorOf('null') }, '?cursor', 'earlier page'],
  ['requests', { cursor: cursorOf('[1,"a"]') }, '?cursor', 'earlier page'],
])('%s of %j is refused', async (...[path, query, pointer, message]) => {
  const answer = await get(path, query)
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0]).toMatchObject({ pointer })
  expect(answer.body.errors[0].message).toContain(message)
})

function cursorOf(after: string): string {
  return Buffer.from(JSON.stringify({ after })).toString('base64url')
}

test('only changes of flags are marked', async () => {
  const send = async (method: string, path: string, body: object) => {
    const answer = await telltale.request(method, path, { as: owner, body })
    expect([200, 201]).toContain(answer.status)
    return answer.body
  }
  await send('POST', '/api/v1/projects/shop/flags', {
    key: 'checkout',
    name: 'Checkout',
    valueType: 'boolean',
  })
  const config = '/api/v1/projects/shop/environments/production/flags/checkout/config'
  const off = {
    enabled: false,
    offVariation: 'off',
    prerequisites: [],
    rules: [],
    fallthrough: { variation: 'on' },
  }
  await send('PUT', config, { ...off, enabled: true, version: 1, reason: 'Launch' })
  await send('PUT', config, { ...off, enabled: true, fallthrough: { variation: 'off' }, version: 2 })
  await send('PUT', config, { ...off, version: 3 })

  const to = new Date(telltale.running.services.clock().getTime() + 60_000).toISOString()
  const { changes, more } = (await get('flag-changes', { to })).body
  expect(more).toBe(false)
  expect(changes.map(({ flag, version, kind }: Record<string, unknown>) => [flag, version, kind])).toEqual([
    ['checkout', 2, 'turned-on'],
    ['checkout', 3, 'changed'],
    ['checkout', 4, 'turned-off'],
  ])
  expect(changes[0]).toMatchObject({ name: 'Checkout', reason: 'Launch', actor: { kind: 'user' } })
  expect((await get('flag-changes', { to, flag: 'other' })).body.changes).toEqual([])
})

test('an unknown session is not found', async () => {
  expect((await get('sessions/0198a2c4-0000-7000-8000-000000000001')).status).toBe(404)
  expect((await get('sessions/0198a2c4-0000-7000-8000-000000000001/events')).body.items).toEqual([])
})
