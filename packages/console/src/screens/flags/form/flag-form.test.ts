import { expect, test } from 'vitest'
import type { SavedFlag } from '../../../api/flags.ts'
import {
  changeOf,
  emptyForm,
  faultAt,
  findFaults,
  formOf,
  isEdited,
  newVariation,
  rebased,
  sentOf,
  withKey,
} from './flag-form.ts'

const flag: SavedFlag = {
  id: '01a1fd1e-29aa-7696-8e80-b8604355e4a1',
  key: 'bands',
  name: 'Bands',
  description: '',
  valueType: 'json',
  variations: [
    { key: 'none', name: 'none', value: null },
    { key: 'few', name: 'A few', value: { at: [1, 2] } },
  ],
  valueSchema: null,
  tags: ['product'],
  owners: [],
  ownerTeams: [],
  permanent: false,
  removeBy: '2026-12-01',
  clientVisible: true,
  version: 3,
  createdAt: '2026-11-01T00:00:00.000Z',
  archivedAt: null,
  managed: false,
}
const form = formOf(flag)

test('an unedited flag has no changes', () => {
  expect(findFaults(form)).toEqual([])
  expect(changeOf(form, formOf(flag))).toEqual({})
  expect(isEdited(form, formOf(flag))).toBe(false)
})

test('a boolean flag has `off` and `on`, with `off` as the control', () => {
  const sent = sentOf({ ...emptyForm('me'), name: ' New header ' })
  expect(sent.name).toBe('New header')
  expect(sent.variations).toEqual([
    { key: 'off', name: 'Off', value: false },
    { key: 'on', name: 'On', value: true },
  ])
})

test('values of another type and duplicate keys are reported at their fields', () => {
  const [first, second] = form.variations
  if (!first || !second) throw new Error('two variations')
  const wrong = { ...form, variations: [first, { ...second, key: 'none', text: '{' }], schema: '[]' }
  expect(findFaults(wrong).map(({ pointer }) => pointer)).toEqual([
    '/variations/1/key',
    '/variations/1/value',
    '/valueSchema',
  ])
  const number = { ...form, valueType: 'number' as const, variations: [{ ...first, text: '"12"' }] }
  expect(faultAt(findFaults(number), '/variations/0/value')).toContain('number')
})

test('only sends differences, and a permanent flag has no removal date', () => {
  expect(changeOf(form, { ...form, tags: [] })).toEqual({ tags: [] })
  expect(changeOf(form, { ...form, permanent: true })).toEqual({ permanent: true, removeBy: null })
})

test('a fault inside a value has its path', () => {
  const faults = [{ pointer: '/variations/1/value/at/0', message: 'must be text' }]
  expect(faultAt(faults, '/variations/1/value')).toBe('/at/0 must be text')
  expect(faultAt(faults, '/variations/1')).toBeDefined()
  expect(faultAt(faults, '/name')).toBeUndefined()
})

test('changes saved by another member are kept where mine do not differ', () => {
  const theirs = formOf({ ...flag, name: 'Theirs', tags: ['theirs'] })
  const mine = { ...form, tags: ['mine'] }
  expect(rebased(form, mine, theirs)).toMatchObject({ name: 'Theirs', tags: ['mine'] })
})

test('the value of a string flag follows its key until it is edited', () => {
  const fresh = newVariation()
  expect(withKey(fresh, 'string', 'blue')).toEqual({ key: 'blue', text: 'blue' })
  expect(withKey({ ...fresh, key: 'blu', text: 'blu' }, 'string', 'blue')).toEqual({
    key: 'blue',
    text: 'blue',
  })
  expect(withKey({ ...fresh, key: 'blu', text: '#00f' }, 'string', 'blue')).toEqual({ key: 'blue' })
  expect(withKey({ ...fresh, text: '' }, 'number', 'one')).toEqual({ key: 'one' })
})

test('a string flag with several empty values is not sent', () => {
  const form = { ...emptyForm('u_1'), name: 'Colour', valueType: 'string' as const }
  const variations = (texts: string[]) => texts.map((text, index) => newVariation({ key: `v${index}`, text }))
  expect(findFaults({ ...form, variations: variations(['', '']) })).toEqual([
    { pointer: '/variations/0/value', message: 'Enter a value. Only one variation can be empty.' },
    { pointer: '/variations/1/value', message: 'Enter a value. Only one variation can be empty.' },
  ])
  expect(findFaults({ ...form, variations: variations(['', 'x']) })).toEqual([])
})
