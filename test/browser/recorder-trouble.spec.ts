// Pages that make trouble for a recorder: they go on as without it, and what is recorded is the page, or a note says why
// nothing is.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import type { Site } from './flag-server.ts'
import { expectExact, play, shapeOfPage } from './page-shape.ts'
import { startRecorderSite, startRecording } from './recorder.ts'

const named = [
  ...['parentNode', 'firstChild', 'lastChild', 'nextSibling', 'previousSibling', 'childNodes', 'nodeType'],
  ...[
    'nodeName',
    'localName',
    'attributes',
    'shadowRoot',
    'matches',
    'closest',
    'hasAttribute',
    'getAttribute',
  ],
  ...[
    'getRootNode',
    'ownerDocument',
    'parentElement',
    'namespaceURI',
    'isConnected',
    'scrollTop',
    'contains',
  ],
]
const fields = named.map((name) => `<input name="${name}">`).join('')
const files = {
  '/form': `<!doctype html><body><form id="form">${fields}<p>in the form</p></form><p id="after">after</p>`,
  '/document': `<!doctype html><body><form name="firstChild"></form><form name="nodeType"></form>
    <img name="nextSibling"><form name="defaultView"></form><p id="after">after</p>`,
  '/frame': '<!doctype html><p>slow frame</p>',
}

let site: Site
test.beforeAll(async () => {
  site = await startRecorderSite(files)
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})
test.beforeEach(({ page }, { title }) => {
  page.on('pageerror', (error) => {
    throw new Error(`${title}: ${error}`)
  })
})

test('a form whose fields are named like members of nodes is recorded, and changes of it', async ({
  page,
}) => {
  await page.goto(`${site.url}/form`)
  const recording = await startRecording(page, { level: 'allow' })
  await expectExact(page, recording)
  await page.evaluate(() => {
    const form = document.getElementById('form')
    const add = (parent: Element | null, text: string) => {
      const child = document.createElement('b')
      child.textContent = text
      if (parent) Element.prototype.append.call(parent, child)
    }
    add(form, 'added')
    if (form) document.body.append(form)
    add(form, 'added after it moved')
    if (form) Element.prototype.setAttribute.call(form, 'class', 'changed')
    Element.prototype.remove.call(document.querySelector('#form input'))
  })
  await page.mouse.click(20, 60)
  await expectExact(page, recording)
  expect(JSON.stringify(await recording.operations())).toContain('"changed"')
})

test('a document whose forms and pictures are named like members of it is recorded', async ({ page }) => {
  await page.goto(`${site.url}/document`)
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(() => document.getElementById('after')?.append('added'))
  await expectExact(page, recording)
})

test('a page that has frozen and replaced prototypes goes on, and is recorded', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  const before = await page.evaluate(() => {
    const { appendChild } = Node.prototype
    Node.prototype.appendChild = function <Kind extends Node>(this: Node, node: Kind) {
      node.dispatchEvent(new Event('appended'))
      return appendChild.call(this, node) as Kind
    }
    Reflect.set(Array.prototype, 'toJSON', undefined)
    for (const kind of [Node, Element, HTMLElement, CSSStyleSheet, Document, HTMLInputElement])
      Object.freeze(kind.prototype)
    return Object.getOwnPropertyNames(Element.prototype).length
  })
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(() => {
    document.body.appendChild(document.createElement('section')).append('appended')
    document.getElementById('host')?.attachShadow({ mode: 'open' }).append('in a shadow tree')
    const field = document.getElementById('field') as HTMLInputElement
    field.value = 'by a program'
  })
  expect(await page.evaluate(() => Object.getOwnPropertyNames(Element.prototype).length)).toBe(before)
  await expect
    .poll(async () => {
      await recording.flush()
      return JSON.stringify(await recording.operations())
    })
    .toContain('appended')
})

test('observers of the page that change it in turn are recorded exactly', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(() => {
    let left = 500
    new MutationObserver((found) => {
      for (const { target } of found) {
        if (left-- <= 0) return
        const place = left % 3 && target.parentElement ? target.parentElement : document.body
        place.prepend(document.createElement(left % 2 ? 'i' : 'u'), `${left}`)
        if (left % 7 === 0) place.lastElementChild?.remove()
      }
    }).observe(document.body, { subtree: true, childList: true })
    document.body.append('begin')
  })
  await expectExact(page, recording)
})

test('a page of 100,000 nodes is recorded whole, while it goes on changing', async ({ page }) => {
  test.setTimeout(180_000)
  await page.goto(`${site.url}/plain`)
  await page.evaluate(() => {
    const row = '<tr><td>one</td><td><b>two</b></td></tr>'
    document.body.insertAdjacentHTML('beforeend', `<table>${row.repeat(17_000)}</table>`)
  })
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(async () => {
    const rows = document.querySelectorAll('tr')
    for (let count = 0; count < 50; count++) {
      rows[count * 300]?.append(`changed ${count}`)
      rows[count * 300 + 1]?.remove()
      await new Promise((resolve) => setTimeout(resolve))
    }
  })
  // A page that is left at once has no time to send so much.
  await expect
    .poll(async () => (await recording.operations()).some((each) => each.do === 'page'), { timeout: 90_000 })
    .toBe(true)
  await expectExact(page, recording)
})

test('ten thousand changes a second: the page makes them all, and the recording follows or says why not', async ({
  page,
}) => {
  const seconds = Number(process.env.TELLTALE_TEST_SECONDS ?? 3)
  test.setTimeout(60_000 + seconds * 3_000)
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow' })
  const done = await page.evaluate(async (turns) => {
    const list = document.body.appendChild(document.createElement('ul'))
    for (let turn = 0; turn < turns; turn++) {
      for (let count = 0; count < 100; count++) {
        const item = list.appendChild(document.createElement('li'))
        item.textContent = `${turn} ${count}`
        if (list.childElementCount > 200) list.firstElementChild?.remove()
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return list.lastElementChild?.textContent
  }, seconds * 100)
  expect(done).toBe(`${seconds * 100 - 1} 99`)
  // Not flushed as by a page that is left: what may outlive that is less than this page has changed.
  const isRight = async () => {
    const operations = await recording.operations()
    const isStopped = operations.some((each) => each.do === 'note' && each.note.kind === 'stopped')
    return isStopped || play(operations) === (await shapeOfPage(page))
  }
  await expect.poll(isRight, { timeout: 30_000 }).toBe(true)
})

test('frames that come, move, go and are left are recorded as they are', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(async () => {
    const loaded = (frame: Element) => new Promise((resolve) => frame.addEventListener('load', resolve))
    const frame = document.createElement('iframe')
    frame.src = '/frame'
    document.body.append(frame)
    // Before it has loaded.
    document.getElementById('text')?.prepend(frame)
    await loaded(frame)
    const gone = document.createElement('iframe')
    document.body.append(gone)
    const inner = gone.contentDocument
    inner?.body.append('in a frame that goes')
    gone.remove()
    inner?.body.append('nobody sees it')
    const moved = inner?.body.firstChild
    if (moved) document.body.append(moved)
    const other = document.createElement('iframe')
    document.body.append(other)
    other.contentDocument?.body.append('before it moves')
    document.body.prepend(other)
    other.contentDocument?.body.append('after it moved')
  })
  await expectExact(page, recording)
})

test('a shadow root that the parser attaches to a host that is recorded already is recorded', async ({
  page,
}) => {
  let end = () => {}
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.write('<!doctype html><body><p>begin</p><div id="host">')
    end = () => response.end('<template shadowrootmode="open"><i>in it</i></template>light</div><p>end</p>')
  }).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await page.route(`http://127.0.0.1:${port}/recorder.js`, async (route) => {
      const file = await fetch(`${site.url}/recorder.js`)
      await route.fulfill({ body: await file.text(), contentType: 'text/javascript' })
    })
    await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'commit' })
    await page.waitForSelector('#host', { state: 'attached' })
    const recording = await startRecording(page, { level: 'allow' })
    await recording.flush()
    expect(play(await recording.operations())).toContain('div()')
    end()
    await page.waitForLoadState()
    await expectExact(page, recording)
    expect(play(await recording.operations())).toContain('div(i(in it) light)')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a clock that jumps does not move the records', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  const recording = await startRecording(page, { level: 'allow' })
  for (const jump of [-3_600_000, 60_000, -86_400_000]) {
    await page.evaluate((jump) => {
      const { now } = Date
      Date.now = () => now() + jump
      document.body.append(`jumped ${jump}`)
    }, jump)
    await recording.flush()
  }
  const times = (await recording.operations()).map(({ at }) => at)
  expect(times).toEqual([...times].sort((one, other) => one - other))
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(3_600_000)
  await expectExact(page, recording)
})

test('a page that is never idle is recorded', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  await page.evaluate(() => {
    const busy = () => {
      const until = performance.now() + 15
      while (performance.now() < until);
      setTimeout(busy)
    }
    busy()
  })
  const recording = await startRecording(page, { level: 'allow' })
  await page.evaluate(() => document.body.append('while it was busy'))
  await expect
    .poll(async () => JSON.stringify(await recording.operations()), { timeout: 20_000 })
    .toContain('while it was busy')
})

test('a page that cannot be recorded says so in the replay, and reports it', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  await page.evaluate(() => {
    // Throws whenever it is read.
    const broken = document.body.appendChild(document.createElement('canvas'))
    Object.defineProperty(broken, 'localName', {
      get() {
        throw new Error('nobody reads it')
      },
    })
  })
  const recording = await startRecording(page, { level: 'allow' })
  await expect
    .poll(async () => {
      await recording.flush()
      return (await recording.operations()).filter((each) => each.do === 'note').map(({ note }) => note)
    })
    .toContainEqual({ kind: 'stopped', why: 'failed' })
  const faults = await recording.faults()
  expect(faults).toContain('Error: nobody reads it')
  expect(faults).toContain('Error: The recorder stopped: failed')
})

test('a rule that looks at other elements holds as soon as those change', async ({ page }) => {
  await page.goto(`${site.url}/plain`)
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<div id="outer"><p class="name">seen before</p></div><i id="mark"></i><p id="beside">seen beside</p>',
    )
  })
  const rules = { mask: ['.private .name', '.secret + p'] }
  const recording = await startRecording(page, { level: 'allow', rules })
  await recording.flush()
  await page.evaluate(() => {
    document.getElementById('outer')?.classList.add('private')
    document.getElementById('mark')?.classList.add('secret')
  })
  await recording.flush()
  await page.evaluate(() => {
    document.querySelector('.name')?.firstChild?.replaceWith('hunter')
    document.getElementById('beside')?.append('hunter beside')
  })
  await recording.flush()
  const all = JSON.stringify(await recording.operations())
  expect(all).toContain('seen before')
  expect(all).toContain('xxxxxx')
  expect(all).not.toContain('hunter')
})

for (const level of ['mask-all', 'mask-inputs', 'allow'] as const)
  test(`at ${level}, passwords, cards, codes and hidden fields are in no record`, async ({ page }) => {
    await page.goto(`${site.url}/plain`)
    const fields = [
      ...['type="password"', 'type="hidden"', 'autocomplete="cc-number"', 'autocomplete="billing cc-csc"'],
      ...['autocomplete="one-time-code"', 'autocomplete="new-password"', 'autocomplete="current-password"'],
    ]
    await page.evaluate((fields) => {
      document.body.insertAdjacentHTML('beforeend', '<form id="secrets"></form>')
      document.getElementById('secrets')?.insertAdjacentHTML(
        'beforeend',
        fields.map((field) => `<input ${field} value="qzvattribute">`).join('') +
          `<textarea autocomplete="cc-name">qzvtext</textarea>
            <select autocomplete="cc-exp-month"><option>qzvone</option><option selected>qzvtwo</option></select>`,
      )
    }, fields)
    const recording = await startRecording(page, { level })
    await recording.flush()
    await page.evaluate(() => {
      for (const field of document.querySelectorAll<HTMLInputElement>('#secrets input, #secrets textarea')) {
        field.value = 'qzvtyped'
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      for (const field of document.querySelectorAll('#secrets input')) {
        // Shown to its user, it is still the same secret.
        field.setAttribute('type', 'text')
        field.setAttribute('autocomplete', 'off')
        field.setAttribute('value', 'qzvlater')
      }
    })
    await recording.flush()
    await page.evaluate(() => {
      for (const field of document.querySelectorAll<HTMLInputElement>('#secrets input'))
        field.value = 'qzvshown'
    })
    await recording.flush()
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await recording.flush()
    const all = JSON.stringify(await recording.operations())
    expect(all).toContain('"id":"secrets"')
    expect(all.match(/qzv\w+/g) ?? []).toEqual([])
    // Nor how long they are.
    expect(all).not.toMatch(/"(name":"value","|state":\{"|attributes":\{")value":"x+"/)
  })
