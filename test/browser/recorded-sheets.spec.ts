// Style sheets as the recorder writes them, in a real browser, against what the page has.

import { expect, type Page, test } from '@playwright/test'
import { flush, html, type Known, open, recorded, serveStates, statesIn } from './recorded-states-page.ts'

serveStates()

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
    // The browser moves the pointer when it likes.
    expect(operations.filter((operation) => operation.do !== 'pointer')).toEqual([])
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
    expect(text).toContain(`url("${new URL('/picture.svg', page.url()).href}")`)
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
