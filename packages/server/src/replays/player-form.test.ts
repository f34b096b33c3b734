import { replayFormats } from '@telltale/core/contract/attachments'
import { expect, test } from 'vitest'
import { toPlayerForm } from './player-form.ts'

const text = Buffer.from('{"type":3}\n')

test('every form that is taken in can be played', () => {
  for (const format of replayFormats) expect(toPlayerForm(format, text), format).toBeDefined()
})

test('a form that nobody knows is none, whatever its name', () => {
  for (const format of ['rrweb-9', '', 'constructor', '__proto__']) {
    expect(toPlayerForm(format, text)).toBeUndefined()
  }
})

test('the last line ends, so that the next segment begins on its own', () => {
  expect(toPlayerForm('rrweb-2', text)).toBe(text)
  expect(toPlayerForm('rrweb-2', Buffer.from('{"type":3}'))?.toString()).toBe('{"type":3}\n')
  expect(toPlayerForm('rrweb-2', Buffer.alloc(0))?.toString()).toBe('')
})
