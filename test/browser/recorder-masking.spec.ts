// Masking by the recorder alone, on a page that holds texts wherever a page can: what leaves it, and what never does.

import { expect, type Page, test } from '@playwright/test'
import type { Site } from './flag-server.ts'
import { startRecorderSite, startRecording } from './recorder.ts'

/** Typed, chosen or written by the page: everywhere a page can hold a text. */
const page = (secret: string) => `<!doctype html><html><head><title>${secret} title</title>
<meta name="subject" content="${secret} meta">
<style id="sheet">/* ${secret} comment */
  #quoted::after { content: "${secret} in css" } #attribute::after { content: attr(data-user) }
  #styled { --name: '${secret}; in a variable'; background-image: url("/${secret}.png?mail=${secret}") }
  [data-user="${secret} attribute"] { color: rgb(1, 2, 3) }
  .pad { padding: 1px } ${Array.from({ length: 80 }, (_, index) => `.card-${index} { margin: ${index}px }`).join(' ')}
</style></head><body>
<h1 title="${secret} title" aria-label="${secret} label" data-user="${secret} attribute" id="attribute">${secret} heading</h1>
<p id="quoted">${secret} <b>bold</b></p><p id="styled" style="--own: '${secret}; own'; color: red">x</p>
<form action="/${secret}?q=${secret}">
${[
  'text',
  'password',
  'email',
  'search',
  'tel',
  'url',
  'number',
  'hidden',
  'date',
  'time',
  'month',
  'week',
  'color',
  'range',
]
  .map((type) => `<input id="${type}" type="${type}" placeholder="${secret} hint" name="${secret} name">`)
  .join('')}
<input id="check" type="checkbox" value="${secret} checked"><input id="radio" type="radio" value="${secret} radio">
<textarea id="area">${secret} default</textarea>
<select id="select"><option>nothing</option><option value="${secret} value" label="${secret} label">${secret} option</option></select>
<input list="list"><datalist id="list"><option value="${secret} listed"></datalist>
<div id="editable" contenteditable>${secret} editable</div></form>
<a id="link" href="/a?mail=${secret}#${secret}">${secret} link</a>
<img id="image" alt="${secret} alt" width="30" height="20" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<svg width="90" height="20" aria-label="${secret} label" tooltip="${secret} tip"><title>${secret} svg title</title><text y="10">${secret} svg</text></svg>
<div id="host"></div><iframe id="frame" srcdoc="<p id='in'>${secret} frame</p><input id='field'>"></iframe>
<object id="object" data="/${secret}"></object><canvas id="canvas" width="40" height="30"></canvas>
<details><summary>${secret} summary</summary>${secret} details</details><dialog id="dialog">${secret} dialog</dialog>
<table><caption>${secret} caption</caption><tr><td abbr="${secret} abbr">${secret} cell</td></tr></table>
<script>
  const secret = ${JSON.stringify(secret)}
  host.attachShadow({ mode: 'open' }).innerHTML = '<p title="' + secret + '">' + secret + ' shadow</p><input>'
  const adopted = new CSSStyleSheet()
  adopted.replaceSync('p::before { content: "' + secret + ' adopted" }')
  host.shadowRoot.adoptedStyleSheets = [adopted]
</script></body></html>`

let site: Site
test.beforeAll(async () => {
  site = await startRecorderSite({ '/all': page('kingfisher') })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }, { title }) => {
  page.on('pageerror', (error) => {
    throw new Error(`${title}: ${error}`)
  })
})

const typable = ['text', 'password', 'email', 'search', 'tel', 'url', 'area']

/** Writes a text wherever people and scripts can write one. */
async function writeEverywhere(page: Page, text: string): Promise<void> {
  for (const id of typable) await page.fill(`#${id}`, `${text} typed in ${id}`)
  await page.fill('#number', '4711471147')
  await page.locator('#editable').pressSequentially(`${text} typed`, { delay: 1 })
  await page.locator('#host input').fill(`${text} in a shadow`)
  await page.frameLocator('#frame').locator('#field').fill(`${text} in a frame`)
  await page.selectOption('#select', { index: 1 })
  await page.check('#check')
  await page.evaluate((text) => {
    const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind
    // As a script, and as a browser that fills in by itself.
    find<HTMLInputElement>('hidden').value = `${text} by script`
    find<HTMLInputElement>('text').setAttribute('value', `${text} as attribute`)
    find<HTMLInputElement>('email').value = `${text} filled in`
    find('email').dispatchEvent(new Event('input', { bubbles: true }))
    const shown = find<HTMLInputElement>('password')
    shown.type = 'text'
    shown.value = `${text} shown`
    // What was typed goes on to other places.
    document.title = `${text} title`
    find('attribute').firstChild?.replaceWith(`${text} new text`)
    for (const name of ['title', 'aria-label', 'data-user', 'alt', 'label', 'placeholder', 'style'])
      find('quoted').setAttribute(name, name === 'style' ? `--own: "${text}; own"` : `${text} ${name}`)
    find('quoted').style.setProperty('--more', `"${text} more"`, 'important')
    find('sheet').append(`\n.more::after { content: "${text} appended" }`)
    const sheet = find<HTMLStyleElement>('sheet').sheet
    sheet?.insertRule(`.rule::after { content: "${text} inserted" }`)
    const [rule] = sheet?.cssRules ?? []
    if (rule instanceof CSSStyleRule) rule.style.setProperty('content', `"${text} declared"`)
    const style = document.createElement('style')
    style.textContent = `.copy::after { content: "${text} copied" } /* ${text} */`
    document.head.append(style)
    find('host').shadowRoot?.adoptedStyleSheets[0]?.replaceSync(`p::after { content: "${text} replaced" }`)
    history.pushState({}, '', `?q=${text}#${text}`)
    const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'text')
    drawing.textContent = `${text} drawn`
    document.querySelector('svg')?.append(drawing)
    document.body.append(document.createComment(`${text} comment`))
  }, text)
}

test('at mask-all no text of the page and no input leaves it', async ({ page }) => {
  await page.goto(`${site.url}/all`)
  const recording = await startRecording(page)
  await writeEverywhere(page, 'kingfisher')
  // The whole page again, with everything in it.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect
    .poll(async () => (await recording.operations()).filter((each) => each.do === 'page').length)
    .toBe(2)
  await recording.flush()
  const sent = await recording.sent()
  expect(sent.map(({ path }) => path)).toContain('/intake/v1/asset')
  const all = sent.map(({ header, text }) => JSON.stringify(header) + text).join('\n')
  expect(all).toContain('xxxxxxxxxx xxxxxxx')
  expect(all.match(/.{0,60}(kingfisher|47114711).{0,20}/i)?.[0]).toBeUndefined()
  // What shapes the page is there.
  for (const part of ['card-40', 'attr(data-user)', '"shadow":{', '"box":{']) expect(all).toContain(part)
})

test('at mask-inputs texts are shown, and no typed or chosen value', async ({ page }) => {
  await page.goto(`${site.url}/all`)
  const recording = await startRecording(page, { level: 'mask-inputs' })
  for (const id of typable) await page.fill(`#${id}`, 'hummingbird')
  await page.locator('#editable').fill('hummingbird')
  await page.locator('#host input').fill('hummingbird')
  await page.frameLocator('#frame').locator('#field').fill('hummingbird')
  await page.check('#check')
  await page.selectOption('#select', { index: 1 })
  await page.evaluate(() => document.getElementById('area')?.setAttribute('value', 'hummingbird'))
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await recording.flush()
  const all = (await recording.sent()).map(({ text }) => text).join('\n')
  expect(all).toContain('kingfisher heading')
  for (const hidden of ['hummingbird', 'kingfisher option', 'kingfisher default', 'kingfisher editable'])
    expect(all).not.toContain(hidden)
  expect(all).not.toMatch(/"(checked|selected)":/)
})

test('marks hold at every level: masked, a box, and no typing', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  await page.evaluate(() => {
    const add = (mark: string, html: string) => {
      const part = document.createElement('section')
      part.toggleAttribute(mark, true)
      part.innerHTML = html
      part.querySelector('.host')?.attachShadow({ mode: 'open' }).append(`${mark} in a shadow`)
      document.body.append(part)
    }
    const inside = (name: string) =>
      `<p class="text">${name} text</p><input class="field" value="${name} value"><div class="host"></div>
       <iframe srcdoc="<p>${name} frame</p>"></iframe>`
    add('data-telltale-mask', inside('masked'))
    add('data-telltale-block', inside('blocked'))
    add(
      'data-telltale-ignore',
      '<input class="field" value="ignored value"><p contenteditable>ignored words</p>',
    )
    const frame = document.createElement('iframe')
    frame.srcdoc = '<p>blocked frame of its own</p>'
    frame.toggleAttribute('data-telltale-block', true)
    document.body.append(frame)
  })
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('section')) {
      const mark = each.attributes[0]?.name ?? ''
      const text = each.querySelector('.text')
      if (text) text.textContent = `${mark} changed`
      each.querySelector('.host')?.shadowRoot?.append(`${mark} added`)
      const frame = each.querySelector('iframe')
      frame?.contentDocument?.body.append(`${mark} framed`)
    }
    const own = document.querySelector<HTMLIFrameElement>('body > iframe[data-telltale-block]')
    own?.contentDocument?.body.append('blocked, and added later')
  })
  for (const field of await page.locator('.field').all()) await field.fill('typed there')
  await page.locator('section [contenteditable]').fill('typed there')
  await page.fill('#field', 'typed in the open')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await recording.flush()
  const all = (await recording.sent()).map(({ text }) => text).join('\n')
  expect(all).toContain('typed in the open')
  expect(all).toContain('"box":{')
  for (const part of [
    'typed there',
    ' text',
    'masked ',
    'blocked',
    'ignored',
    ' in a shadow',
    ' changed',
    ' added',
    ' framed',
  ])
    expect(all.replaceAll(/data-telltale-\w+":/g, ''), part).not.toContain(part)
})
