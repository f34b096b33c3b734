// What the attributes and children of a page do not say, as the recorder writes it: in a real browser, against what
// the page has.

import { expect, type Page, test } from '@playwright/test'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import type { Site } from './flag-server.ts'
import { startSite } from './flag-server.ts'
import { bundleModule } from './recorder.ts'

type Module = typeof import('./recorded-states.ts')
type Known = Window & {
  recording: ReturnType<Module['startRecording']>
  module: Module
  log: ReplayOperation[]
}

const html = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
const picture = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='120' height='45'/>`
const files: Record<string, string> = {
  '/frame': html(`<input id="framed" value="a"><div style="height:3000px"></div>`),
  '/linked.css': `@import url("/imported.css"); .linked { background: url("picture.svg") }`,
  '/imported.css': `.imported { color: rgb(1, 2, 3) }`,
}

let site: Site
test.beforeAll(async () => {
  site = await startSite({ ...files, '/module.js': await bundleModule('test/browser/recorded-states.ts') })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }, { title }) => {
  page.on('pageerror', (error) => {
    throw new Error(`${title}: ${error}`)
  })
})

/** Opens a page with this content and records it: the operations of its snapshot. */
async function open(page: Page, content: string, options: { hidesValues?: boolean } = {}) {
  await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: content }))
  await page.goto(`${site.url}/page`)
  return await page.evaluate(async (options) => {
    const file = '/module.js'
    const module: Module = await import(file)
    const recording = module.startRecording(options)
    Object.assign(window, { module, recording, log: recording.snapshot() })
    return (window as unknown as Known).log
  }, options)
}

/** Runs in the page, and returns what was recorded of it, without the time; nodes by their id in the page. */
async function recorded<Given>(page: Page, run: (given: Given) => unknown, given?: Given) {
  await page.evaluate(run as (given: unknown) => unknown, given)
  return await flush(page)
}
async function flush(page: Page): Promise<Record<string, unknown>[]> {
  return await page.evaluate(async () => {
    const { recording, log } = window as unknown as Known
    // What observers and events report comes with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const operations = recording.flush()
    log.push(...operations)
    const byId = new Map<number, string>()
    const name = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*')) {
        byId.set(recording.idOf(element), element.id)
        if (element.shadowRoot) name(element.shadowRoot)
        const { contentDocument } = Object(element)
        if (contentDocument) name(contentDocument)
      }
    }
    name(document)
    return operations.map(({ at: _, ...operation }) => {
      const id = byId.get(Number(Reflect.get(operation, 'id')))
      return { ...operation, ...(id && { id }) }
    })
  })
}
const states = (operations: readonly Record<string, unknown>[]) =>
  operations.filter((each) => each.do === 'state').map(({ id, state }) => [id, state])

interface Found {
  attributes: { id?: string }
  state?: unknown
}
/** By the ids of the page. */
function statesIn(operations: readonly ReplayOperation[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const visit = (node: unknown) => {
    const {
      attributes,
      state,
      children = [],
      shadow,
      document,
    } = Object(node) as Found & Record<string, unknown>
    if (attributes?.id && state) found[attributes.id] = state
    for (const each of [...(children as unknown[]), shadow, document]) if (each) visit(each)
  }
  for (const each of operations) if (each.do === 'page') visit(each.document)
  return found
}

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
      ['a', { checked: true }],
      ['b', { checked: false }],
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
      ['select', { value: '' }],
      ['b', { checked: false }],
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

test.describe('positions and sizes', () => {
  const long = '<div style="height:5000px;width:3000px"></div>'

  test('scrolling of the page, elements, shadow trees and frames', async ({ page }) => {
    await open(
      page,
      html(`<div id="box" style="height:99px;overflow:auto">${long}</div>
        <iframe id="frame" src="/frame"></iframe><div id="host"><template shadowrootmode="open">
        <div id="inner" style="height:50px;overflow:auto">${long}</div></template></div>${long}`),
    )
    const operations = await recorded(page, () => {
      scrollTo(0, 150)
      const frame = document.getElementById('frame') as HTMLIFrameElement
      frame.contentWindow?.scrollTo(0, 40)
      document.getElementById('box')?.scrollTo(10, 20)
      document.getElementById('host')?.shadowRoot?.getElementById('inner')?.scrollTo(0, 30)
    })
    const scrolls = states(operations)
    expect(scrolls).toHaveLength(4)
    expect(scrolls).toContainEqual([1, { scroll: { x: 0, y: 150 } }])
    expect(scrolls).toContainEqual(['box', { scroll: { x: 10, y: 20 } }])
    expect(scrolls).toContainEqual(['inner', { scroll: { x: 0, y: 30 } }])
    expect(scrolls.map(([, state]) => state)).toContainEqual({ scroll: { x: 0, y: 40 } })
    const again = await page.evaluate(() => (window as unknown as Known).recording.snapshot())
    expect(statesIn(again)).toMatchObject({
      box: { scroll: { x: 10, y: 20 } },
      inner: { scroll: { x: 0, y: 30 } },
    })
    expect(again.find((each) => each.do === 'page')).toMatchObject({ document: { scroll: { x: 0, y: 150 } } })
  })

  test('earlier scroll positions are in the snapshot', async ({ page }) => {
    await page.addInitScript(() =>
      addEventListener('load', () => document.getElementById('box')?.scrollTo(0, 77)),
    )
    const first = await open(page, html(`<div id="box" style="height:99px;overflow:auto">${long}</div>`))
    expect(statesIn(first)).toEqual({ box: { scroll: { x: 0, y: 77 } } })
  })

  test('a box has the size of its picture, without transforms, and follows it', async ({ page }) => {
    const first = await open(
      page,
      html(`<img id="picture" src="${picture}"><p style="transform:scale(2)"><canvas id="canvas" width="31"
        height="17" style="width:30.25px"></canvas></p><div id="blocked" data-telltale-block>secret</div>
        <iframe id="foreign" src="http://localhost.invalid/"></iframe>
        <svg width="80" height="80"><image id="image" href="${picture}" width="33" height="22"/></svg>`),
    )
    const boxes = statesIn(first)
    expect(boxes.picture).toEqual({ box: { width: 120, height: 45 } })
    // Under a transform the exact size comes with the next layout.
    expect(boxes.canvas).toEqual({ box: { width: 30, height: 17 } })
    expect(boxes.image).toEqual({ box: { width: 33, height: 22 } })
    expect(boxes.foreign).toEqual({ box: { width: 304, height: 154 } })
    expect(boxes.blocked).toMatchObject({ box: { width: 1264 } })
    expect(JSON.stringify(first)).not.toContain('secret')
    const operations = await recorded(page, () => {
      const picture = document.getElementById('picture')
      if (picture) picture.style.width = '60.5px'
    })
    expect(states(operations)).toContainEqual(['canvas', { box: { width: 30.25, height: 16.578125 } }])
    expect(states(operations)).toContainEqual(['picture', { box: { width: 60.5, height: 22.6875 } }])
    const addPicture = async (src: string) => {
      const late = Object.assign(new Image(), { id: 'late', src })
      document.body.append(late)
      ;(window as unknown as Known).recording.added(late)
      await late.decode()
      await new Promise(requestAnimationFrame)
    }
    const added = await recorded(page, addPicture, picture)
    expect(states(added)).toContainEqual(['late', { box: { width: 120, height: 45 } }])
  })
})

test('dialogs and popovers in the top layer', async ({ page }) => {
  await open(
    page,
    html(`<dialog id="dialog"><p>hi</p></dialog><div id="pop" popover>pop</div>
      <button id="opener" popovertarget="pop">open</button>`),
  )
  const dialog = (method: 'show' | 'showModal' | 'close') =>
    recorded(page, (name) => (document.getElementById('dialog') as HTMLDialogElement)[name](), method)
  expect(states(await dialog('showModal'))).toEqual([['dialog', { open: 'modal' }]])
  const again = await page.evaluate(() => (window as unknown as Known).recording.snapshot())
  expect(statesIn(again)).toEqual({ dialog: { open: 'modal' } })
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => !document.querySelector('dialog')?.open)
  expect(states(await flush(page))).toEqual([['dialog', { open: 'closed' }]])
  expect(states(await dialog('show'))).toEqual([['dialog', { open: 'open' }]])
  expect(states(await dialog('close'))).toEqual([['dialog', { open: 'closed' }]])
  await page.click('#opener')
  expect(states(await flush(page))).toContainEqual(['pop', { open: 'popover' }])
  await page.mouse.click(700, 500)
  expect(states(await flush(page))).toContainEqual(['pop', { open: 'closed' }])
})

test('custom elements are defined later, and media play', async ({ page }) => {
  const first = await open(page, html(`<x-late id="late"></x-late><x-never id="never"></x-never>`))
  expect(statesIn(first)).toEqual({})
  const operations = await recorded(page, () => customElements.define('x-late', class extends HTMLElement {}))
  expect(states(operations)).toEqual([['late', { defined: true }]])
  const again = await page.evaluate(() => (window as unknown as Known).recording.snapshot())
  expect(statesIn(again)).toEqual({ late: { defined: true } })
  const media = await recorded(page, () => {
    const audio = Object.assign(document.createElement('audio'), { id: 'audio' })
    document.body.append(audio)
    ;(window as unknown as Known).recording.added(audio)
    audio.play().catch(() => undefined)
  })
  expect(states(media)).toContainEqual(['audio', { playing: true }])
  const paused = await recorded(page, () => (document.getElementById('audio') as HTMLAudioElement).pause())
  expect(states(paused)).toContainEqual(['audio', { playing: false }])
})

test('the pointer, presses and the focus, each with its time', async ({ page }) => {
  await open(
    page,
    html(
      `<button id="button">press</button><input id="field"><p data-telltale-ignore><input id="ignored"></p>`,
    ),
  )
  await page.mouse.move(5, 5)
  await page.mouse.move(20, 18, { steps: 20 })
  const moves = await flush(page)
  const [first] = moves.filter((each) => each.do === 'pointer')
  const positions = first?.positions as { at: number; x: number }[]
  expect(positions.length).toBeGreaterThan(0)
  expect(positions.length).toBeLessThan(21)
  expect(positions.every(({ at }, index) => at >= (positions[index - 1]?.at ?? 0) + (index && 50))).toBe(true)
  await page.dblclick('#button')
  await page.click('#button', { button: 'right' })
  await page.click('#field')
  await page.click('#ignored')
  const presses = await flush(page)
  expect(presses.filter((each) => each.do === 'press').map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    ...['down', 'up', 'click', 'down', 'up', 'click', 'double-click', 'down', 'menu', 'up'].map(
      (each) => `${each} button`,
    ),
    ...['down', 'up', 'click'].map((each) => `${each} field`),
    ...['down', 'up', 'click'].map((each) => `${each} ignored`),
  ])
  const focus = presses.filter((each) => each.do === 'focus').map(({ id }) => id)
  expect(focus).toEqual(['button', 'field'])
  const byProgram = await recorded(page, () => document.getElementById('button')?.click())
  expect(byProgram).toEqual([])
  const again = await page.evaluate(() => {
    document.getElementById('field')?.focus()
    const { recording } = window as unknown as Known
    const field = document.getElementById('field')
    return [recording.snapshot().find((each) => each.do === 'focus'), field && recording.idOf(field)]
  })
  expect(again[0]).toMatchObject({ id: again[1] })
  await page.evaluate(() => (window as unknown as Known).recording.thin())
  await page.mouse.move(200, 180, { steps: 5 })
  expect((await flush(page)).filter((each) => each.do === 'pointer')).toEqual([])
})

test('the viewport, and what happens to the page', async ({ page }) => {
  await open(page, html('<p>words</p>'))
  await page.setViewportSize({ width: 700, height: 500 })
  expect(await flush(page)).toContainEqual({ do: 'viewport', width: 700, height: 500 })
  const operations = await recorded(page, () => {
    document.dispatchEvent(new Event('freeze'))
    document.dispatchEvent(new Event('resume'))
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    document.dispatchEvent(new Event('prerenderingchange'))
  })
  expect(operations.map(({ note }) => Object(note).kind)).toEqual([
    'frozen',
    'resumed',
    'restored',
    'activated',
  ])
})

test.describe('style sheets', () => {
  /** What a player has of them, and what the page has. */
  const compare = async (page: Page) => {
    await flush(page)
    return await page.evaluate(() => {
      const { recording, module, log } = window as unknown as Known
      const played = module.playSheets(log)
      const rulesOf = ({ cssRules }: CSSStyleSheet) => [...cssRules].map(({ cssText }) => cssText)
      const live: Record<string, string[]> = {}
      for (const sheet of document.styleSheets)
        if (sheet.ownerNode)
          live[JSON.stringify({ node: recording.idOf(sheet.ownerNode) })] = sheet.disabled
            ? []
            : rulesOf(sheet)
      const adopted = new Set(
        [
          document,
          ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []),
        ].flatMap((root) => [...root.adoptedStyleSheets]),
      )
      return { played, live, adopted: [...adopted].map(rulesOf) }
    })
  }
  const expectSame = async (page: Page) => {
    const { played, live, adopted } = await compare(page)
    expect(played).toMatchObject(live)
    const constructed = Object.entries(played).flatMap(([name, rules]) =>
      name.includes('constructed') ? [rules] : [],
    )
    expect(constructed).toEqual(expect.arrayContaining(adopted))
  }
  const styled = html(
    `<p>words</p><div id="host"><template shadowrootmode="open"><p>in</p></template></div>`,
    `<style id="style">.a { color: red } @media (width > 10px) { .b { color: blue; .c & { top: 0 } } }
      @keyframes k { from { top: 0 } to { top: 9px } }</style>`,
  )

  test('rules that are added, removed and changed, at every depth', async ({ page }) => {
    await open(page, styled)
    const first = await recorded(page, () => {
      const sheet = (document.getElementById('style') as HTMLStyleElement).sheet as CSSStyleSheet
      sheet.insertRule('.first { left: 1px }')
      sheet.insertRule('.last { left: 2px }', 4)
      sheet.deleteRule(1)
    })
    expect(first.map((each) => each.do)).toEqual(['insert-rule', 'insert-rule', 'delete-rule'])
    await expectSame(page)
    await page.evaluate(() => {
      const sheet = (document.getElementById('style') as HTMLStyleElement).sheet as CSSStyleSheet
      const media = sheet.cssRules[1] as CSSMediaRule
      media.insertRule('.d { right: 3px }', 1)
      const nested = media.cssRules[0] as CSSStyleRule
      nested.style.setProperty('top', '4px', 'important')
      nested.style.removeProperty('color')
      const { style } = media.cssRules[1] as CSSStyleRule
      style.right = '5px'
      sheet.insertRule('.before { left: 6px }')
      ;(nested.cssRules[0] as CSSStyleRule).selectorText = '.e &'
      const keyframes = sheet.cssRules[3] as CSSKeyframesRule
      ;(keyframes.cssRules[0] as CSSKeyframeRule).style.top = '7px'
      keyframes.appendRule('50% { top: 8px }')
      media.media.mediaText = '(width > 11px)'
    })
    await expectSame(page)
    const again = await page.evaluate(() => {
      const known = window as unknown as Known
      known.log = known.recording.snapshot()
      return known.log
    })
    expect(JSON.stringify(again)).toContain('.before')
    await expectSame(page)
  })

  test('a rule whose style the page reads and does not change is not written', async ({ page }) => {
    await open(page, styled)
    const operations = await recorded(page, () => {
      for (const sheet of document.styleSheets)
        for (const rule of sheet.cssRules)
          if (rule instanceof CSSStyleRule) rule.style.getPropertyValue('color')
      document.body.style.setProperty('color', 'red')
    })
    expect(operations).toEqual([])
    await page.evaluate(() => {
      const [rule] = (document.getElementById('style') as HTMLStyleElement).sheet?.cssRules ?? []
      Object.assign(window, { held: (rule as CSSStyleRule).style })
    })
    expect(await flush(page)).toEqual([])
    await page.evaluate(() => {
      Reflect.get(window, 'held').color = 'green'
      const known = window as unknown as Known
      known.log = known.recording.snapshot()
    })
    await expectSame(page)
  })

  test('sheets without text, links, imports, and those that are disabled', async ({ page }) => {
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => {
        const style = document.createElement('style')
        document.head.append(style)
        style.sheet?.insertRule('.by-program { top: 1px }')
      }),
    )
    const link = '<link id="link" rel="stylesheet" href="/linked.css">'
    const first = await open(page, html('<p>words</p>', `<style id="style">.a { color: red }</style>${link}`))
    expect(statesIn(first).style).toBeUndefined()
    const text = String(Object(statesIn(first).link).sheet)
    expect(text).toContain('.imported { color: rgb(1, 2, 3); }')
    expect(text).toContain(`url("${site.url}/picture.svg")`)
    expect(JSON.stringify(first)).toContain('.by-program { top: 1px; }')
    const disabled = await recorded(page, () => {
      ;(document.getElementById('style') as HTMLStyleElement).disabled = true
    })
    expect(disabled).toMatchObject([{ do: 'sheet', text: '' }])
    const enabled = await recorded(page, () => {
      const { sheet } = document.getElementById('style') as HTMLStyleElement
      if (sheet) sheet.disabled = false
    })
    expect(enabled).toMatchObject([{ do: 'sheet', text: '.a { color: red; }' }])
    const loaded = await recorded(page, async () => {
      const late = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/imported.css' })
      document.head.append(late)
      ;(window as unknown as Known).recording.added(late)
      await new Promise((resolve) => late.addEventListener('load', resolve))
    })
    expect(loaded.find((each) => each.do === 'sheet')?.text).toBe('.imported { color: rgb(1, 2, 3); }')
  })

  test('constructed sheets, in documents and shadow trees, and lists that are changed in place', async ({
    page,
  }) => {
    await open(page, styled)
    const first = await recorded(page, () => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('.one { top: 1px }')
      document.adoptedStyleSheets = [sheet]
      const root = document.getElementById('host')?.shadowRoot
      root?.adoptedStyleSheets.push(sheet)
      Object.assign(window, { sheet })
    })
    expect(first.map((each) => each.do)).toEqual(['sheet', 'adopt', 'adopt'])
    await expectSame(page)
    const second = await recorded(page, async () => {
      const { sheet } = window as unknown as { sheet: CSSStyleSheet }
      sheet.insertRule('.two { top: 2px }', 1)
      const other = new CSSStyleSheet({ media: 'print' })
      await other.replace('.three { top: 3px }')
      document.adoptedStyleSheets.push(other)
      other.insertRule('.four { top: 4px }')
      await sheet.replace('.five { top: 5px }')
    })
    expect(second.filter((each) => each.do === 'adopt')).toHaveLength(1)
    const { played, adopted } = await compare(page)
    expect(Object.values(played)).toContainEqual(adopted[0])
    expect(Object.values(played)).toContainEqual([
      expect.stringMatching(/^@media print {\s*\.four.*\s*\.three/),
    ])
    const unchanged = await recorded(page, () => document.adoptedStyleSheets.length)
    expect(unchanged).toEqual([])
    const removed = await recorded(page, () => document.adoptedStyleSheets.splice(0, 1))
    expect(removed).toMatchObject([{ do: 'adopt', sheets: [1] }])
    const again = await page.evaluate(() => (window as unknown as Known).recording.snapshot())
    expect(again.map((each) => each.do)).toEqual(['page', 'sheet', 'sheet'])
    expect(again[0]).toMatchObject({ document: { adopted: [1] } })
  })

  test('a node written completely is not changed again in the same slice', async ({ page }) => {
    await open(page, styled)
    await recorded(page, () => {
      const style = document.createElement('style')
      document.head.append(style)
      style.sheet?.insertRule('.x { top: 1px }')
      style.sheet?.insertRule('.y { top: 1px }')
      ;(window as unknown as Known).recording.added(style)
      style.sheet?.insertRule('.z { top: 1px }')
    })
    await expectSame(page)
  })
})
