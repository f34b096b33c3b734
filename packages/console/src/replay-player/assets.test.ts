import { expect, test } from 'vitest'
import { storeAssets } from './assets.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer
const hash = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`

test('the placeholder of a style sheet becomes its text, or nothing if it never arrived', () => {
  const assets = storeAssets()
  assets.add(hash(1), 'text/css', bytesOf('a { color: red }'))
  expect(assets.fill(`/*telltale:${hash(1)}*/`)).toBe('a { color: red }')
  expect(assets.fill(`/*telltale:${hash(2)}*/`)).toBe('')
  expect(assets.fill('a { color: blue }')).toBe('a { color: blue }')
})

test("fonts and style sheets are found by the page's address, whatever its query", () => {
  const assets = storeAssets()
  assets.add(hash(1), 'font/woff2', bytesOf('font'))
  assets.add(hash(2), 'text/css', bytesOf('b {}'))
  assets.add(hash(3), 'text/html', bytesOf('<script>'))
  const byAddress = {
    'https://cdn.example/a.woff2?v': hash(1),
    'https://cdn.example/all.css': hash(2),
    'https://cdn.example/page': hash(3),
    'https://cdn.example/none': 'no hash',
  }
  expect(assets.learn({ byAddress })).toBe(true)
  expect(assets.learn({ byAddress })).toBe(false)
  expect(assets.learn({ byAddress: null, faces: 'none' })).toBe(false)
  expect(assets.urlOf('https://cdn.example/a.woff2?v=7#iefix')).toMatch(/^blob:/)
  expect(assets.textOf('https://cdn.example/all.css')).toBe('b {}')
  for (const address of ['page', 'none', 'other']) {
    expect(assets.urlOf(`https://cdn.example/${address}`)).toBeUndefined()
    expect(assets.textOf(`https://cdn.example/${address}`)).toBeUndefined()
  }
  assets.close()
})
