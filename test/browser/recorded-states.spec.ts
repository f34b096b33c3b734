// Positions, sizes, dialogs, media and the pointer as the recorder writes them, in a real browser, against what the page
// has.

import { expect, test } from '@playwright/test'
import {
  flush,
  html,
  type Known,
  open,
  picture,
  recorded,
  serveStates,
  states,
  statesIn,
} from './recorded-states-page.ts'

serveStates()

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
