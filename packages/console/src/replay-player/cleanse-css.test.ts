import { expect, test } from 'vitest'
import { cleanseCss } from './cleanse-css.ts'

const none = 'url("data:,")'

test.each([
  ['an address', 'a { background: url(https://evil.example/a.png) }', `a { background: ${none} }`],
  ['one in quotes', `a { background: url( 'a.png' ) }`, `a { background: ${none} }`],
  ['one without an end', 'a { background: url(https://evil.example', `a { background: ${none}`],
  ['one in capitals', 'a { background: URL(//evil.example) }', `a { background: ${none} }`],
  ['escaped letters', 'a { background: \\75 r\\6C(//evil.example) }', `a { background: ${none} }`],
  [
    'escapes of six digits before a digit',
    'a { background: \\000075rl(//evil.example) }',
    `a { background: ${none} }`,
  ],
  ['plain letters with a backslash', 'a { background: u\\rl(//evil.example) }', `a { background: ${none} }`],
  [
    'an escape that another one leaves behind',
    'a { background: u\\\\72 l(//evil.example) }',
    `a { background: ${none} }`,
  ],
  ['an import', '@import "https://evil.example";', '@media not all{}@-left-out "https://evil.example";'],
  ['an escaped import', '@\\69mport url(//evil.example);', `@media not all{}@-left-out ${none};`],
  [
    'addresses as texts',
    'a { background: image-set("//evil.example" 1x) }',
    'a { background: -left-out("//evil.example" 1x) }',
  ],
  [
    'a source',
    '@font-face { src: src("//evil.example") }',
    '@font-face { src: -left-out("//evil.example") }',
  ],
  [
    'a blob of somebody else',
    'a { background: url(blob:https://evil.example/1) }',
    `a { background: ${none} }`,
  ],
  ['data that is no picture', 'a { background: url(data:text/html,x) }', `a { background: ${none} }`],
  [
    'a text that looks like one',
    `a { content: "url("; background: url(//evil.example); content: ")" }`,
    `a { content: "${none}" }`,
  ],
])('nothing is fetched for %s', (_name, css, expected) => {
  expect(cleanseCss(css)).toBe(expected)
})

test.each([
  '.md\\:w-1\\/2, .\\32 xl { width: calc(100% - (2 * 4px)) }',
  '@media (min-width: 600px) { .icon::before { content: "\\e900" } }',
  'a { background: url("data:image/png;base64,AAAA"); fill: url("#gradient") }',
])('values that fetch nothing are kept: %s', (css) => {
  expect(cleanseCss(css)).toBe(css)
})

test.each([
  ['a:hover{x:y}', 'a[data-telltale-hover]{x:y}'],
  [
    '@media (hover:hover){a:hover,b:focus{x:y}}',
    '@media (hover:hover){a[data-telltale-hover],b[data-telltale-focus]{x:y}}',
  ],
  ['i{--x:hover;}p:focus-visible{}', 'i{--x:hover;}p[data-telltale-focus-visible]{}'],
  ['p{&:focus-within{x:y}}', 'p{&[data-telltale-focus-within]{x:y}}'],
  ['.hover\\:on:hover{}', '.hover\\:on[data-telltale-hover]{}'],
  ['i::before{content:"a:hover{"}', 'i::before{content:"a:hover{"}'],
  ['::-webkit-scrollbar-thumb:hover{}', '::-webkit-scrollbar-thumb:hover{}'],
  ['/* a:hover{ */ b:HOVER{}', '/* a[data-telltale-hover]{ */ b[data-telltale-hover]{}'],
  ['a:focus-ring{}', 'a:focus-ring{}'],
])('what depends on the pointer or the focus depends on marks of the player: %s', (css, expected) => {
  expect(cleanseCss(css)).toBe(expected)
})

test('a picture as text of SVG cannot end its own address', () => {
  const css = `a { content: 'url("data:image/svg+xml,'; background: url(//evil.example); content: '")' }`
  expect(cleanseCss(css)).not.toMatch(/url\(\/\//)
  expect(cleanseCss(`a { background: url("data:image/svg+xml,<svg fill='red'>") }`)).toBe(
    'a { background: url("data:image/svg+xml,<svg%20fill=%27red%27>") }',
  )
})

test('fonts of the site come from the store', () => {
  const stored = (address: string) =>
    address === 'https://shop.example/a.woff2' ? 'blob:https://telltale/1' : undefined
  expect(cleanseCss('@font-face { src: url(https://shop.example/a.woff2) format("woff2") }', stored)).toBe(
    '@font-face { src: url("blob:https://telltale/1") format("woff2") }',
  )
})
