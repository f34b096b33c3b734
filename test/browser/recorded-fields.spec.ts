// Fields of forms as the recorder writes them, in a real browser, against what the page has.

import { expect, test } from '@playwright/test'
import {
  flush,
  html,
  type Known,
  open,
  recorded,
  serveStates,
  states,
  statesIn,
} from './recorded-states-page.ts'

serveStates()

test.describe('fields', () => {
  const form = html(`<form id="form"><input id="text" value="first"><textarea id="area">words</textarea>
    <input type="password" id="password"><input type="file" id="file"><input type="range" id="range">
    <input type="checkbox" id="box"><input type="radio" name="r" id="one" checked><input type="radio" name="r" id="two">
    <input type="radio" name="other" id="other" checked>
    <select id="select"><option id="a">a</option><option id="b" selected>b</option></select>
    <select id="many" multiple><option id="c" selected>c</option><option id="d">d</option></select></form>`)

  test('what a user enters is recorded, with the radio button that loses its check', async ({ page }) => {
    await open(page, form)
    await page.fill('#text', 'hello')
    await page.fill('#area', 'more')
    await page.fill('#password', 'secret')
    await page.check('#box')
    await page.check('#two')
    await page.selectOption('#select', 'a')
    await page.setInputFiles('#file', {
      name: 'private.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('x'),
    })
    const operations = await flush(page)
    expect(states(operations)).toEqual([
      ['text', { value: 'hello' }],
      ['area', { value: 'more' }],
      ['box', { checked: true }],
      ['two', { checked: true }],
      ['one', { checked: false }],
      // Of a list, the chosen option replaces the other.
      ['a', { checked: true }],
    ])
    expect(JSON.stringify(operations)).not.toMatch(/secret|private/)
  })

  test('what the page sets is recorded, once, and a reset', async ({ page }) => {
    await open(page, form)
    const set = await recorded(page, () => {
      const get = (id: string) => document.getElementById(id) as HTMLInputElement & HTMLSelectElement
      get('text').value = 'a'
      get('text').value = 'b'
      get('range').valueAsNumber = 7
      get('area').setRangeText('!', 0, 5)
      get('box').checked = true
      get('two').checked = true
      get('select').selectedIndex = -1
      ;(get('d') as unknown as HTMLOptionElement).selected = true
    })
    expect(states(set)).toEqual([
      ['text', { value: 'b' }],
      ['range', { value: '7' }],
      ['area', { value: '!' }],
      ['box', { checked: true }],
      ['two', { checked: true }],
      ['one', { checked: false }],
      ['select', { checked: false }],
      ['d', { checked: true }],
    ])
    const again = await recorded(page, () => {
      ;(document.getElementById('text') as HTMLInputElement).value = 'b'
    })
    expect(states(again)).toEqual([])
    const reset = await recorded(page, () => (document.getElementById('form') as HTMLFormElement).reset())
    expect(new Map(states(reset) as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        ['text', { value: 'first' }],
        ['area', { value: 'words' }],
        ['range', { value: '50' }],
        ['box', { checked: false }],
        ['one', { checked: true }],
        ['two', { checked: false }],
        ['other', { checked: true }],
        ['b', { checked: true }],
        ['d', { checked: false }],
      ]),
    )
  })

  test('a snapshot has the states that attributes lack, and only those', async ({ page }) => {
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => {
        const get = (id: string) => document.getElementById(id) as HTMLInputElement & HTMLSelectElement
        get('text').value = 'set before'
        get('two').checked = true
        get('select').selectedIndex = 0
      }),
    )
    expect(statesIn(await open(page, form))).toMatchObject({
      text: { value: 'set before' },
      one: { checked: false },
      two: { checked: true },
      a: { checked: true },
      b: { checked: false },
      range: { value: '50' },
    })
    expect(Object.keys(statesIn(await open(page, form))).sort()).toEqual(
      ['a', 'b', 'one', 'range', 'text', 'two'].sort(),
    )
  })

  test('masked values are, and checks and choices are not recorded', async ({ page }) => {
    await open(page, form, { hidesValues: true })
    await page.fill('#text', 'my name')
    await page.check('#box')
    await page.selectOption('#select', 'a')
    expect(states(await flush(page))).toEqual([['text', { value: 'xx xxxx' }]])
  })

  test('fields in frames and shadow trees', async ({ page }) => {
    await open(
      page,
      html(`<iframe id="frame" src="/frame"></iframe><div id="host"><template shadowrootmode="open">
        <input id="shadowed" type="checkbox"></template></div>`),
    )
    const operations = await recorded(page, () => {
      const { contentDocument } = document.getElementById('frame') as HTMLIFrameElement
      ;(contentDocument?.getElementById('framed') as HTMLInputElement).value = 'set'
      document.getElementById('host')?.shadowRoot?.getElementById('shadowed')?.click()
    })
    expect(states(operations)).toEqual([
      ['framed', { value: 'set' }],
      ['shadowed', { checked: true }],
    ])
  })

  test('the page has its own prototypes back, also when it froze them or replaced a setter', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      Object.freeze(HTMLTextAreaElement.prototype)
      const before = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      Object.assign(window, { before })
    })
    await open(page, form)
    const result = await page.evaluate(() => {
      const area = document.getElementById('area') as HTMLTextAreaElement
      area.value = 'still works'
      ;(window as unknown as Known).recording.stop()
      const after = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      return [area.value, after?.set === Reflect.get(window, 'before').set]
    })
    expect(result).toEqual(['still works', true])
  })
})
