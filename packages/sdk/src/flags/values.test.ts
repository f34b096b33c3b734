import { expect, test } from 'vitest'
import { changedKeys, type FlagAnswer, readAnswers, readBootstrap } from './answer.ts'
import { createValues } from './values.ts'

const banner = {
  key: 'banner',
  value: 'Hello',
  reason: 'STATIC',
  variant: 'hello',
  metadata: { version: '1' },
}
const answersOf = (...flags: unknown[]) => {
  const answers = readAnswers({ flags })
  if (!answers) throw new Error('no answers')
  return answers
}

test('before any answer, and for an unknown flag, the default is used with a reason', () => {
  const values = createValues(() => undefined)
  expect(values.details('banner', 'x')).toEqual({
    value: 'x',
    reason: 'ERROR',
    errorCode: 'PROVIDER_NOT_READY',
  })
  values.take(answersOf(banner), 'ready')
  expect(values.details('nowhere', 'x')).toMatchObject({ value: 'x', errorCode: 'FLAG_NOT_FOUND' })
})

test('a value of another type than the default gives the default and is no exposure', () => {
  const read: FlagAnswer[] = []
  const values = createValues((answer) => read.push(answer))
  values.take(answersOf(banner), 'ready')
  expect(values.details('banner', 1)).toMatchObject({ value: 1, errorCode: 'TYPE_MISMATCH' })
  expect(read).toEqual([])
  expect(values.details('banner', '')).toMatchObject({ value: 'Hello', variant: 'hello', reason: 'STATIC' })
  expect(read).toEqual([banner])
})

test("a flag that failed on the server gives the default, one without a value the default and the server's reason", () => {
  const values = createValues(() => undefined)
  const failed = { key: 'half', errorCode: 'TARGETING_KEY_MISSING' }
  const empty = { key: 'empty', reason: 'DISABLED', variant: 'off' }
  values.take(answersOf(failed, empty), 'ready')
  expect(values.details('half', 'x')).toMatchObject({ value: 'x', errorCode: 'TARGETING_KEY_MISSING' })
  expect(values.details('empty', 'x')).toMatchObject({ value: 'x', reason: 'DISABLED', variant: 'off' })
})

test('listeners are called for changed values and for the status only', async () => {
  const heard: unknown[] = []
  const values = createValues(() => undefined)
  const stop = values.listen((changed, status) => heard.push([changed, status]))
  values.listen(() => {
    heard.push('other')
  })
  values.take(answersOf(banner), 'ready')
  values.take(answersOf({ ...banner }), 'ready')
  values.take(undefined, 'stale')
  await Promise.resolve()
  stop()
  values.take(undefined, 'ready')
  await Promise.resolve()
  expect(heard).toEqual([[['banner'], 'ready'], 'other', [[], 'stale'], 'other', 'other'])
})

test('values from storage have the reason CACHED until the server answers', () => {
  const values = createValues(() => undefined)
  values.take(answersOf(banner), 'starting', 'CACHED')
  expect(values.details('banner', '')).toMatchObject({ value: 'Hello', reason: 'CACHED' })
  values.take(undefined, 'ready')
  expect(values.details('banner', '')).toMatchObject({ value: 'Hello', reason: 'STATIC' })
})

test('new, lost and different flags are changes', () => {
  const [one, two, three] = [{ key: 'one' }, { key: 'two', value: 1 }, { key: 'three' }]
  expect(changedKeys(undefined, answersOf(one))).toEqual(['one'])
  expect(changedKeys(answersOf(one, two), answersOf({ ...two, value: 2 }, three))).toEqual([
    'one',
    'two',
    'three',
  ])
  expect(changedKeys(answersOf(one, two), answersOf(two, one))).toEqual([])
})

test.each([undefined, null, 1, 'text', [], {}, { flags: {} }])('%j is not a valid answer', (given) => {
  expect(readAnswers(given as object)).toBeUndefined()
})

test('a page brings a bulk answer or plain values', () => {
  expect(readBootstrap({ flags: [banner] }).get('banner')).toEqual(banner)
  expect(readBootstrap({ flags: true, banner: 'Hi' }).get('flags')).toEqual({ key: 'flags', value: true })
})
