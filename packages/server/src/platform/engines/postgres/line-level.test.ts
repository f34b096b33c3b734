import { expect, test } from 'vitest'
import { levelOfLine } from './line-level.ts'

test('a line is logged at the appropriate level', () => {
  expect(levelOfLine('LOG:  database system is ready to accept connections')).toBe('debug')
  expect(levelOfLine('ERROR:  duplicate key value')).toBe('warn')
  expect(levelOfLine('FATAL:  terminating connection')).toBe('warn')
  expect(levelOfLine('PANIC:  could not write to file')).toBe('error')
  expect(levelOfLine('postgres: no such file')).toBe('info')
})
