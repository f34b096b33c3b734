import { expect, test } from 'vitest'
import type { Assets } from './assets.ts'
import { createCleanser } from './cleanse-event.ts'
import { TooLarge } from './cleanse-node.ts'

const sheets: Record<string, string> = { '/*telltale:one*/': 'a { color: red }' }
const assets: Assets = {
  faces: () => [],
  fill: (text) => sheets[text] ?? text,
  urlOf: () => undefined,
  textOf: (address) => (address === 'https://cdn.example/all.css' ? 'b { color: blue }' : undefined),
}
const timestamp = 1_000
const element = (tagName: string, attributes: object = {}, more: object = {}) => ({
  ...{ type: 2, id: 10, tagName, attributes, childNodes: [] },
  ...more,
})
const page = (...body: unknown[]) => ({
  ...{ type: 0, id: 1 },
  childNodes: [
    element('html', {}, { id: 2, childNodes: [element('body', {}, { id: 3, childNodes: body })] }),
  ],
})
const snapshot = (node: unknown) => ({
  type: 2,
  data: { node, initialOffset: { top: 0, left: 0 } },
  timestamp,
})
const change = (data: object) => ({ type: 3, data, timestamp })
const mutation = (parts: object) =>
  change({ source: 0, adds: [], removes: [], texts: [], attributes: [], ...parts })
const cleanse = (event: unknown) => createCleanser(assets).cleanse(event)
const bodyOf = (event: unknown) => {
  const cleansed = cleanse(event)
  const html =
    cleansed?.type === 2 && 'childNodes' in cleansed.data.node ? cleansed.data.node.childNodes[0] : undefined
  const body = html !== undefined && 'childNodes' in html ? html.childNodes[0] : undefined
  return body !== undefined && 'childNodes' in body ? body.childNodes : undefined
}

test.each([
  ['script', { src: 'https://evil.example' }],
  ['link', { rel: 'preconnect', href: 'https://evil.example' }],
  ['meta', { 'http-equiv': 'refresh', content: '0;https://evil.example' }],
  ['base', { href: 'https://evil.example' }],
  ['object', { data: 'https://evil.example' }],
  ['SCRIPT', {}],
])('in the place of %s stands an element that does nothing', (tagName, attributes) => {
  const [found] = bodyOf(snapshot(page(element(tagName, attributes)))) ?? []
  expect(found).toMatchObject({ id: 10, attributes: {}, childNodes: [] })
  expect(['template', 'style']).toContain(
    found !== undefined && 'tagName' in found ? found.tagName : undefined,
  )
})

test('attributes that act, fetch or lead away are left out, those that show stay', () => {
  const attributes = {
    ...{
      onclick: 'x',
      ONLOAD: 'x',
      src: '/a',
      srcset: '/a',
      action: '/a',
      formaction: '/a',
      ping: '/a',
      autofocus: true,
    },
    ...{
      target: '_top',
      is: 'x-y',
      nonce: 'x',
      download: '',
      'xlink:actuate': 'x',
      constructor: 'x',
      name: 'body',
    },
    ...{ strange: 'https://evil.example', 'a"b': 'x', id: 'parentNode', rr_dataURL: 'https://evil.example' },
    ...{
      class: 'card',
      variant: 'primary',
      'data-id': 'https://shop.example',
      'aria-label': 'Go',
      title: 'a (b)',
    },
    ...{ href: 'javascript:x', style: 'background: url(/a); color: red', rr_width: '40px', rr_scrollTop: 7 },
  }
  expect(bodyOf(snapshot(page(element('div', attributes))))).toMatchObject([{ tagName: 'div' }])
  const [found] = bodyOf(snapshot(page(element('div', attributes)))) ?? []
  expect(found !== undefined && 'attributes' in found ? found.attributes : {}).toEqual({
    ...{
      class: 'card',
      variant: 'primary',
      'data-id': 'https://shop.example',
      'aria-label': 'Go',
      title: 'a (b)',
    },
    ...{
      constructor: 'x',
      href: '#',
      style: 'background: url("data:,"); color: red',
      rr_width: '40px',
      rr_scrollTop: 7,
    },
  })
})

test('style sheets are filled in, also those of another site that the page could not read', () => {
  const nodes = [
    element('link', { rel: 'stylesheet', href: 'https://cdn.example/all.css', media: 'print' }),
    element('style', { _cssText: '/*telltale:one*/' }, { id: 11 }),
    element('style', {}, { id: 12, childNodes: [{ type: 3, id: 13, textContent: '@import "x"; b {}' }] }),
  ]
  expect(bodyOf(snapshot(page(...nodes)))).toMatchObject([
    { tagName: 'style', attributes: { media: 'print', _cssText: 'b { color: blue }' } },
    { tagName: 'style', attributes: { _cssText: 'a { color: red }' } },
    { tagName: 'style', childNodes: [{ textContent: '@-left-out "x"; b {}', isStyle: true }] },
  ])
})

test('texts that are changed in a style sheet are read as one, others stay as they are', () => {
  const cleanser = createCleanser(assets)
  const sheet = element('style', {}, { childNodes: [{ type: 3, id: 13, textContent: '' }] })
  cleanser.cleanse(snapshot(page(sheet, { type: 3, id: 14, textContent: '' })))
  const texts = [13, 14].map((id) => ({ id, value: 'url(/a)' }))
  expect(cleanser.cleanse(mutation({ texts }))).toMatchObject({
    data: {
      texts: [
        { id: 13, value: 'url("data:,")' },
        { id: 14, value: 'url(/a)' },
      ],
    },
  })
})

test('a page stands in a frame, and nowhere else', () => {
  const cleanser = createCleanser(assets)
  cleanser.cleanse(
    snapshot(page(element('iframe', { src: '/a', srcdoc: 'x' }), element('div', {}, { id: 11 }))),
  )
  const adds = [10, 11].map((parentId) => ({ parentId, nextId: null, node: page() }))
  expect(cleanser.cleanse(mutation({ adds }))).toMatchObject({ data: { adds: [{ parentId: 10 }] } })
  const inside = [{ parentId: 10, nextId: null, node: element('p', {}, { id: 12 }) }]
  expect(cleanser.cleanse(mutation({ adds: inside }))).toMatchObject({ data: { adds: [] } })
})

test.each([
  ['nothing', null],
  ['a text', 'text'],
  ['an event without a time', { type: 3, data: {}, timestamp: 'now' }],
  ['a page without a document', snapshot({ type: 2, id: 1 })],
  ['a page without html', snapshot({ type: 0, id: 1, childNodes: [element('div')] })],
  ['a canvas that is drawn', change({ source: 9, id: 1, property: 'constructor', args: [] })],
  ['a font from anywhere', change({ source: 10, family: 'x', fontSource: 'url(/a)' })],
  ['a word of a plugin', { type: 6, data: { plugin: 'x' }, timestamp }],
  [
    'a declaration of no property',
    change({ source: 13, id: 1, index: [0], set: { property: 'x y', value: '1' } }),
  ],
])('%s is hidden', (_name, event) => {
  expect(cleanse(event)).toBeUndefined()
})

test('numbers of nodes are numbers, and each stands once', () => {
  const nodes = [-1, 1.5, '7', Number.MAX_VALUE, {}, 3].map((id) => ({ type: 3, id, textContent: 'no' }))
  expect(bodyOf(snapshot(page(...nodes, { type: 3, id: 9, textContent: 'yes' })))).toEqual([
    { type: 3, id: 9, textContent: 'yes' },
  ])
  const removes = [{ id: 1 }, { id: '1', parentId: 2 }, null, { id: 4, parentId: 5 }]
  expect(cleanse(mutation({ removes, adds: 'x', attributes: { length: 3 } }))).toMatchObject({
    data: { adds: [], attributes: [], texts: [], removes: [{ id: 4, parentId: 5 }] },
  })
})

test('what would end the program that walks it is refused', () => {
  let deep: object = { type: 3, id: 100, textContent: '' }
  for (let id = 101; id < 1_000; id++) deep = element('div', {}, { id, childNodes: [deep] })
  expect(() => cleanse(snapshot(page(deep)))).toThrow(TooLarge)
})

test('names of the language are names like others', () => {
  const attributes = JSON.parse('{"__proto__":{"polluted":1},"class":"a"}')
  const [found] = bodyOf(snapshot(page(element('__proto__', attributes)))) ?? []
  expect(found).toMatchObject({ tagName: 'span', attributes: { class: 'a' } })
  expect('polluted' in {}).toBe(false)
})

test('the grey box that stands for a masked picture is one, and no other drawing of that kind', () => {
  const box = (width: string) =>
    `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='${width}' height='40' style='background-color:silver'%3E%3C/svg%3E`
  const srcOf = (src: string) => {
    const [found] = bodyOf(snapshot(page(element('img', { src })))) ?? []
    return found !== undefined && 'attributes' in found ? found.attributes.src : undefined
  }
  expect(srcOf(box('80.5'))).toBe(box('80.5'))
  for (const other of [
    box("1' onload='alert(1)"),
    `${box('80')}x`,
    box('80').replace('%3E%3C', '%3E%3Cimage/%3E%3C'),
  ])
    expect(srcOf(other)).toBeUndefined()
})
