import { expect, test } from 'vitest'
import { completeMention, mentionAt } from './mention-at.ts'

const at = (text: string) => mentionAt(text.replace('|', ''), text.indexOf('|'))

test('a mention is typed after an @ at the start of a word', () => {
  expect(at('see @ma|')).toEqual({ start: 4, typed: 'ma' })
  expect(at('@|')).toEqual({ start: 0, typed: '' })
  expect(at('(@Mara Od|')).toEqual({ start: 1, typed: 'Mara Od' })
})

test('an e-mail address, a line before and the text after the caret are none', () => {
  expect(at('me@shop|')).toBeUndefined()
  expect(at('@mara\nnext|')).toBeUndefined()
  expect(at('ab| @mara')).toBeUndefined()
})

test('completing it keeps the rest', () => {
  expect(completeMention('ask @ma about it', { start: 4, typed: 'ma' }, 'Mara Oduya')).toEqual({
    text: 'ask @Mara Oduya  about it',
    caret: 16,
  })
})
