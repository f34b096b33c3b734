import { expect, test } from 'vitest'
import { findMentions } from './find-mentions.ts'

const people = [
  { id: '1', name: 'Mara', email: 'mara@shop.example' },
  { id: '2', name: 'Mara Oduya', email: 'oduya@shop.example' },
  { id: '3', name: 'Jörg', email: 'jorg@shop.example' },
  { id: '4', name: 'Jörg', email: 'other@shop.example' },
]
const found = (text: string) => findMentions(text, people).sort()

test('a member is mentioned by name or e-mail address', () => {
  expect(found('@Mara, look')).toEqual(['1'])
  expect(found('see (@jorg@shop.example)')).toEqual(['3'])
})

test('the longest name counts, and people with one name are all meant', () => {
  expect(found('@mara oduya please')).toEqual(['2'])
  expect(found('@Mara and @JÖRG')).toEqual(['1', '3', '4'])
})

test('addresses in the text, parts of words and unknown names mention no one', () => {
  expect(found('write to x@mara or me@shop.example')).toEqual([])
  expect(found('@Marathon @Jörgen @')).toEqual([])
})
