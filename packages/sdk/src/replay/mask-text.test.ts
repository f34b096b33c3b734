import { expect, test } from 'vitest'
import { maskAttribute, maskText } from './mask-text.ts'

const hidden = { tag: 'div', isSvg: false, isHidden: true, keepsQuery: false }
const shown = { ...hidden, isHidden: false }

test('masked text is as long and breaks where it did', () => {
  expect(maskText('Ada  Lovelace,\n1815')).toBe('xxx  xxxxxxxxx\nxxxx')
  expect(maskText('名前 🙂')).toBe('xx x')
})

test('what shapes the page stays, what says something does not', () => {
  expect(maskAttribute(['class', 'card wide'], hidden)).toBe('card wide')
  expect(maskAttribute(['data-state', 'open'], hidden)).toBe('open')
  for (const name of ['title', 'alt', 'aria-label', 'placeholder', 'data-user', 'content', 'name', 'label']) {
    expect(maskAttribute([name, 'Ada'], hidden)).toBe('xxx')
  }
  expect(maskAttribute(['d', 'M0 0L1 1'], { ...hidden, isSvg: true })).toBe('M0 0L1 1')
  expect(maskAttribute(['aria-label', 'Ada'], { ...hidden, isSvg: true })).toBe('xxx')
})

test('addresses lose what was typed into them, scripts and other pages never leave', () => {
  expect(maskAttribute(['href', 'https://shop.example/orders?mail=ada'], shown)).toBe(
    'https://shop.example/orders?mail',
  )
  expect(maskAttribute(['href', '/ada'], hidden)).toBe('#')
  expect(maskAttribute(['xlink:href', '#icon'], { ...hidden, isSvg: true })).toBe('#icon')
  for (const name of ['onclick', 'srcdoc', 'nonce', 'srcset'])
    expect(maskAttribute([name, 'Ada'], shown)).toBeUndefined()
})

test('a style keeps its shape, and loses pictures and text', () => {
  const style = 'width: 2px; background: url("/ada.png"); --name: "Ada"'
  expect(maskAttribute(['style', style], hidden)).toBe('width: 2px; background: none; --name: "xxx"')
})
