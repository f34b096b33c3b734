// A shop is recorded by Datadog's own client while it is used, and the player's document shows it as it was: the same texts in
// the same places.

import { expect, type Page, test } from '@playwright/test'
import { type PlayedView, playedViews, type ReplaySite, startReplaySite } from './datadog-recorder.ts'
import { type Moment, startLooking } from './moments.ts'
import { differences, type Measured, openReplay, playerFiles, showMoment } from './replayed-page.ts'

const shop = `<!doctype html><html lang="en"><head><title>Shop</title><link rel="stylesheet" href="/shop.css">
<style>
  :root { --gap: 8px } body { margin: 0 } main { display: grid; grid-template-columns: 2fr 1fr; gap: var(--gap) }
  .card { border: 1px solid #ccc; padding: 6px; margin: 4px } .card::before { content: "new "; color: red }
  .list { height: 120px; overflow: auto } dialog { border: 2px solid #333; padding: 20px }
  details { padding: 4px } .tall { height: 900px } [data-on="1"] { color: rgb(0, 90, 0) } :not(:defined) { display: none }
</style></head><body>
<header><h1>Boats that float</h1><nav><a href="/cart" id="cart">Cart</a> <a href="#" id="home">Home</a></nav></header>
<main><section id="shelf"></section><aside>
  <form><label>Name <input id="name"></label><label><input type="checkbox" id="gift" value="yes"> Gift</label>
  <label><input type="radio" name="ship" value="a" id="slow" checked> Slow</label><label><input type="radio" name="ship" value="b" id="fast"> Fast</label>
  <label>Size <select id="size"><option>small</option><optgroup label="Large"><option>small</option><option>a very large one</option></optgroup></select></label>
  <textarea id="note" rows="3">Please</textarea><button type="button" id="order">Order</button></form>
  <shop-rating></shop-rating><shop-rating></shop-rating><shop-stock></shop-stock>
  <svg width="60" height="20" viewBox="0 0 60 20"><defs><linearGradient id="g"><stop stop-color="#cde"/></linearGradient></defs><rect width="60" height="20" fill="url(#g)"/><text x="4" y="14">sale</text></svg>
  <div class="list" id="list"></div><details id="details"><summary>Delivery</summary><p>By boat, of course.</p></details>
  <p id="secret" data-dd-privacy="mask" style="font-family: monospace">Ada Lovelace</p>
</aside></main>
<div class="tall"></div><footer>Harbour &amp; Co</footer>
<dialog id="dialog"><p>Thank you, it is on its way.</p><form method="dialog"><button>Good</button></form></dialog>
<script>
  const sheetOf = (text) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(text); return sheet }
  const shared = sheetOf(':host { display: block; padding: 3px } b { font-size: 20px }')
  const own = sheetOf(':host { display: block; margin: 11px } b { font-size: 11px }')
  const define = (name, sheet, text) => customElements.define(name, class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet]
      this.shadowRoot.innerHTML = '<style>i { margin-left: 7px }</style><b>' + text + '</b><i>of five</i><slot></slot>'
    }
  })
  define('shop-rating', shared, '4.5')
  define('shop-stock', own, 'three')
  document.adoptedStyleSheets = [sheetOf('footer { padding: 12px; text-align: right }')]
  const products = (names) => names.map((name) => {
    const card = document.createElement('article')
    card.className = 'card'
    card.innerHTML = '<h2></h2><p>Comes in a crate, with oars.</p><button>Add</button>'
    card.querySelector('h2').textContent = name
    return card
  })
  shelf.replaceChildren(...products(['Dinghy', 'Kayak', 'Raft']))
  list.replaceChildren(...Array.from({ length: 30 }, (_, index) => {
    const row = document.createElement('div')
    row.textContent = 'Row ' + index
    return row
  }))
  cart.onclick = (event) => {
    event.preventDefault()
    history.pushState({}, '', '/cart')
    shelf.replaceChildren(...products(['Your cart', 'One raft in it, and a very long name that breaks into several lines']))
    shelf.prepend(document.createElement('shop-rating'), 'Now: ', ...products(['First']))
    document.querySelector('aside shop-rating').shadowRoot.querySelector('b').textContent = '4.75'
    document.querySelector('aside shop-rating').append('rated today')
    secret.textContent = 'Charles Babbage'
    document.querySelector('nav').dataset.on = '1'
  }
  order.onclick = () => dialog.showModal()
</script><script src="/client.js"></script></body></html>`
const styles = `.card h2 { font: 600 18px/1.3 sans-serif; margin: 0 } footer { background: #eee }
${Array.from({ length: 60 }, (_, index) => `.row-${index} { margin-left: ${index}px }`).join('\n')}`

let site: ReplaySite
test.beforeAll(async () => {
  site = await startReplaySite({
    ...(await playerFiles()),
    '/shop': shop,
    '/shop.css': styles,
    '/bye': 'Bye',
  })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})

/** Uses the shop, and looks at it in between. */
async function useShop(page: Page): Promise<Moment[]> {
  const { moments, look } = startLooking(page)
  await look('as it was loaded')
  await page.fill('#name', 'Grace Hopper')
  await page.locator('#note').pressSequentially(' ring twice.\nThen wait.')
  await page.check('#gift')
  await page.check('#fast')
  // What a script chooses the client does not tell.
  await page.focus('#size')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await look('typed')
  await page.click('#cart')
  await page.locator('#details summary').click()
  await look('on another page')
  await page.evaluate(() => {
    const [sheet] = [...document.styleSheets].filter(({ ownerNode }) => ownerNode?.nodeName === 'STYLE')
    sheet?.insertRule('.card p { padding-left: 17px; color: rgb(0, 0, 200) }', sheet.cssRules.length)
    sheet?.deleteRule(3)
    document.querySelector('header')?.style.setProperty('padding', '9px', 'important')
    document.getElementById('list')?.scrollTo(0, 210)
    document.getElementById('list')?.children[20]?.remove()
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

/** Everything, once the last of it has arrived. */
async function leave(page: Page): Promise<PlayedView[]> {
  const at = await page.evaluate(() => Date.now())
  await page.click('#home')
  await page.goto(`${site.url}/bye`)
  await expect.poll(() => site.segments.some(({ end }) => end > at)).toBe(true)
  return playedViews(site.segments)
}

test('the replay equals the page: texts and boxes at every moment', async ({ page }) => {
  await page.setViewportSize({ width: 1_000, height: 700 })
  await page.goto(`${site.url}/shop`)
  // Its recorder is a part of its own, and begins when it is there.
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain('_dd_s')
  await page.waitForTimeout(500)
  const moments = await useShop(page)
  const views = await leave(page)
  expect(views.length).toBeGreaterThanOrEqual(2)
  const replay = await page.context().newPage()
  await replay.setViewportSize({ width: 1_000, height: 700 })
  let open: PlayedView | undefined
  for (const { at, name, measured } of moments) {
    const view = views.findLast(({ from }) => from <= at)
    if (view === undefined) throw new Error(`nothing is recorded when it was ${name}`)
    if (view !== open) await openReplay(replay, `${site.url}/host`, view.sent)
    open = view
    expect(measured.parts.length, name).toBeGreaterThan(40)
    const shown = await showMoment(replay, at)
    expect.soft(differences(hidden(measured), shown), name).toEqual([])
  }
  for (const { text } of site.segments)
    for (const secret of ['Lovelace', 'Babbage']) expect(text.includes(secret)).toBe(false)
})

/** What the page masks itself is as long, and of nothing else. */
function hidden({ scroll, parts }: Measured): Measured {
  const masked = (value: string) => (/^(Ada|Charles) /.test(value) ? value.replace(/\S/g, 'x') : value)
  return { scroll, parts: parts.map((part) => ({ ...part, value: masked(part.value) })) }
}
