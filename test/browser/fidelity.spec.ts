// A shop is recorded while it is used, and the player's document shows it as it was: the same texts in the same places.

import { expect, type Page, test } from '@playwright/test'
import { fontFile, type Site } from './flag-server.ts'
import { type Moment, startLooking } from './moments.ts'
import { startRecorderSite, startRecording } from './recorder.ts'
import { differences, masked, openReplay, playerFiles, showMoment } from './replayed-page.ts'

const shop = `<!doctype html><html><head><title>Shop</title><link rel="stylesheet" href="/shop.css">
<style>
  :root { --gap: 8px } body { margin: 0 } main { display: grid; grid-template-columns: 2fr 1fr; gap: var(--gap) }
  .card { border: 1px solid #ccc; padding: 6px; margin: 4px } .card::before { content: "new "; color: red }
  .list { height: 120px; overflow: auto } .drawing { width: 120px; height: 60px }
  dialog { border: 2px solid #333; padding: 20px } dialog::backdrop { background: #0008 }
  details { padding: 4px } .tall { height: 900px } .wide { inline-size: 80% } img { max-width: 100% }
</style></head><body>
<header><h1>Bicycles that arrive</h1><nav><a href="/cart" id="cart">Cart</a> <a href="#" id="home">Home</a></nav></header>
<main><section id="shelf"></section><aside>
  <form><label>Name <input id="name"></label><label><input type="checkbox" id="gift"> Gift</label>
  <label>Size <select id="size"><option>small</option><option>a very large one</option></select></label>
  <textarea id="note" rows="3"></textarea><button type="button" id="order">Order</button></form>
  <shop-rating></shop-rating><canvas id="drawing" class="drawing"></canvas>
  <svg width="60" height="20" viewBox="0 0 60 20"><rect width="60" height="20" fill="#cde"/><text x="4" y="14">sale</text></svg>
  <iframe id="reviews" width="280" height="90" srcdoc="<style>p{margin:3px;font:14px monospace}</style><p>Four stars</p><p id='more'>Rides well</p>"></iframe>
  <div class="list" id="list"></div><details id="details"><summary>Delivery</summary><p>By bicycle, of course.</p></details>
</aside></main>
<div class="tall"></div><footer>Pedal &amp; Post</footer>
<dialog id="dialog"><p>Thank you, it is on its way.</p><form method="dialog"><button>Good</button></form></dialog>
<script>
  customElements.define('shop-rating', class extends HTMLElement {
    connectedCallback() {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(':host { display: block; padding: 3px } b { font-size: 20px }' + ' .unused { margin: 7px }'.repeat(120))
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet]
      this.shadowRoot.innerHTML = '<style>i { margin-left: 7px }</style><b>4.5</b><i>of five</i><slot></slot>'
    }
  })
  const products = (names) => names.map((name) => {
    const card = document.createElement('article')
    card.className = 'card'
    card.innerHTML = '<h2></h2><img alt=""><p>Comes in a box, with pedals.</p><button>Add</button>'
    card.querySelector('h2').textContent = name
    const drawing = Object.assign(document.createElement('canvas'), { width: 90, height: 40 })
    setTimeout(() => { card.querySelector('img').src = drawing.toDataURL() }, 30)
    return card
  })
  shelf.replaceChildren(...products(['Bell', 'Helmet', 'Lock']))
  list.replaceChildren(...Array.from({ length: 30 }, (_, index) => {
    const row = document.createElement('div')
    row.textContent = 'Row ' + index
    return row
  }))
  cart.onclick = (event) => {
    event.preventDefault()
    history.pushState({}, '', '/cart')
    shelf.replaceChildren(...products(['Your cart', 'One bell in it, and a very long name that breaks into several lines']))
    document.querySelector('shop-rating').shadowRoot.querySelector('b').textContent = '4.75'
    document.querySelector('shop-rating').append('rated today')
  }
  order.onclick = () => dialog.showModal()
</script></body></html>`
const styles = `.card h2 { font: 600 18px/1.3 sans-serif; margin: 0 } footer { padding: 12px; text-align: right }
${Array.from({ length: 60 }, (_, index) => `.row-${index} { margin-left: ${index}px }`).join('\n')}`

/** Above everything: an `auto` popover with one in a shadow tree, and a font that no style sheet names. */
const layers = `<!doctype html><html><head><title>Layers</title><style>
  h1 { font: 40px Brand, monospace } body { margin: 0 } [popover] { position: fixed; inset: auto; top: 20px; left: 30px }
  #menu:popover-open { background: rgb(200, 220, 240) }
</style></head><body><h1>Bicycles that arrive</h1>
<div id="menu" popover>Bell, helmet and lock<i>new</i><button id="more" popovertarget="sub">More</button></div>
<div id="sub" popover style="top: 400px">Pumps</div><shop-hint></shop-hint>
<script>
  customElements.define('shop-hint', class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<p popover=manual style="top: 200px">Free delivery</p>'
    }
  })
  const load = (name) => new FontFace('Brand', 'url(/' + name + ')', { weight: '400' }).load()
  window.loaded = load('brand-1f2e.woff2').then((face) => document.fonts.add(face).size)
</script></body></html>`

let site: Site
test.beforeAll(async () => {
  site = await startRecorderSite({
    ...(await playerFiles()),
    '/shop': shop,
    '/shop.css': styles,
    '/layers': layers,
    '/brand-1f2e.woff2': await fontFile(),
  })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})

/** Uses the shop, and looks at it in between. */
async function useShop(page: Page): Promise<Moment[]> {
  const { moments, look } = startLooking(page)
  await look('as it was loaded')
  await page.fill('#name', 'Ada Lovelace')
  await page.locator('#note').pressSequentially('Ring twice.\nThen wait.')
  await page.check('#gift')
  await page.selectOption('#size', { index: 1 })
  await look('typed')
  await page.click('#cart')
  await page.locator('#details summary').click()
  await page
    .frameLocator('#reviews')
    .locator('#more')
    .evaluate((node) => node.append(' and was cheap'))
  await look('on another page')
  await page.evaluate(() => {
    const [sheet] = [...document.styleSheets].filter(({ ownerNode }) => ownerNode?.nodeName === 'STYLE')
    sheet?.insertRule('.card p { padding-left: 17px; color: rgb(0, 0, 200) }', sheet.cssRules.length)
    sheet?.deleteRule(3)
    const rule = [...(sheet?.cssRules ?? [])].find(({ cssText }) => cssText.startsWith(':root'))
    if (rule instanceof CSSStyleRule) rule.style.setProperty('--gap', '31px')
    document.querySelector('header')?.style.setProperty('padding', '9px', 'important')
    document
      .querySelector('shop-rating')
      ?.shadowRoot?.adoptedStyleSheets[0]?.replaceSync('b { font-size: 33px }')
    const own = new CSSStyleSheet()
    own.replaceSync('footer { padding: 40px; background: rgb(240, 240, 200) }')
    document.adoptedStyleSheets.push(own)
    document.getElementById('list')?.scrollTo(0, 210)
    scrollTo(0, 160)
  })
  await look('styled and scrolled')
  await page.click('#order')
  await look('with a dialog')
  await page.click('dialog button')
  await page.setViewportSize({ width: 700, height: 600 })
  await look('in a narrow window')
  return moments
}

/** Records the shop, and hands it to a player in another page. */
async function recordShop(
  page: Page,
  level: 'allow' | 'mask-all',
): Promise<{ replay: Page; moments: Moment[] }> {
  await page.setViewportSize({ width: 1_000, height: 700 })
  await page.goto(`${site.url}/shop`)
  // In a type whose letters are all as wide, masked texts are as wide as they were.
  if (level === 'mask-all') await page.addStyleTag({ content: '* { font-family: monospace !important }' })
  const recording = await startRecording(page, { level })
  const moments = await useShop(page)
  await recording.flush()
  const sent = await recording.sent()
  const replay = await page.context().newPage()
  await replay.setViewportSize({ width: 1_000, height: 700 })
  await openReplay(replay, `${site.url}/host`, sent)
  return { replay, moments }
}

test('the replay equals the page: texts and boxes at every moment', async ({ page }) => {
  const { replay, moments } = await recordShop(page, 'allow')
  for (const { at, name, measured } of moments) {
    expect(measured.parts.length, name).toBeGreaterThan(50)
    expect(differences(measured, await showMoment(replay, at)), name).toEqual([])
  }
})

test('masked, every word is as long and everything is where it was', async ({ page }) => {
  const { replay, moments } = await recordShop(page, 'mask-all')
  for (const { at, name, measured } of moments) {
    expect(differences(masked(measured), masked(await showMoment(replay, at))), name).toEqual([])
  }
})

test('popovers are shown where and when they were, and in the font that a program loaded', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1_000, height: 700 })
  await page.goto(`${site.url}/layers`)
  expect(await page.evaluate(() => Reflect.get(globalThis, 'loaded'))).toBe(1)
  await page.evaluate(() => document.getElementById('menu')?.showPopover())
  const recording = await startRecording(page, { level: 'allow' })
  const { moments, look } = startLooking(page)
  await look('with a popover from the beginning')
  await page.evaluate(() => document.getElementById('menu')?.hidePopover())
  await look('without')
  await page.evaluate(() => {
    const hint = document.querySelector('shop-hint')?.shadowRoot?.querySelector('p')
    document.getElementById('menu')?.showPopover()
    hint?.showPopover()
    const late = document.createElement('div')
    late.popover = 'auto'
    late.style.cssText = 'top: 300px'
    late.textContent = 'Said a moment ago'
    document.body.append(late)
    late.showPopover()
  })
  await look('with two more, one of which closed the first')
  await page.evaluate(() => document.getElementById('menu')?.showPopover())
  await page.click('#more')
  await look('with a menu and what it opened')
  // The font is looked for a moment after the recording began.
  await expect
    .poll(async () => (await recording.sent()).map(({ path }) => path).join(), { timeout: 20_000 })
    .toContain('/asset')
  await recording.flush()
  const sent = await recording.sent()
  const replay = await page.context().newPage()
  await replay.setViewportSize({ width: 1_000, height: 700 })
  await openReplay(replay, `${site.url}/host`, sent)
  for (const { at, name, measured } of moments)
    expect(differences(measured, await showMoment(replay, at)), name).toEqual([])
})
