import { expect, test } from 'vitest'
import { parsePostmasterPid } from './postmaster-pid.ts'

test('pid and socket folder are read', () => {
  const text = '4711\n/data/postgres\n1700000000\n5432\n/run/telltale-abcdef\n\n  12  34\nready   \n'

  expect(parsePostmasterPid(text)).toEqual({ pid: 4711, socketFolder: '/run/telltale-abcdef' })
})

test('the file of a starting server has no socket folder yet', () => {
  expect(parsePostmasterPid('4711\n/data/postgres\n1700000000\n')).toEqual({
    pid: 4711,
    socketFolder: undefined,
  })
})

test('an empty or foreign file is ignored', () => {
  expect(parsePostmasterPid('')).toBeUndefined()
  expect(parsePostmasterPid('no pid\n')).toBeUndefined()
})
