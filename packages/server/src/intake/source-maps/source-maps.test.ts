// A real build with a real source map: browser positions are mapped to the original code, also for errors stored before
// the map was uploaded.

import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'

const maps = '/api/v1/projects/shop/source-maps'
const source = `export function payWithCard(order) {
  const total = order.lines.reduce((sum, line) => sum + line.price, 0)
  return charge(total)
}
function charge(total) {
  throw new TypeError('no card for ' + total)
}
globalThis.pay = payWithCard
`
const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
let stage: IntakeStage
let map: Buffer
let stack: string

beforeAll(async () => {
  stage = await openIntakeStage()
  const built = await build({
    stdin: { contents: source, sourcefile: 'src/pay.ts', loader: 'ts' },
    minify: true,
    sourcemap: 'external',
    outfile: '/out/app.js',
    bundle: true,
    write: false,
  })
  const script = built.outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? ''
  map = Buffer.from(built.outputFiles.find(({ path }) => path.endsWith('.map'))?.contents ?? [])
  const column = script.indexOf('throw ') + 1
  stack = `TypeError: no card for 3\n    at c (https://cdn.example/shop/app.js:1:${column})\n    at https://shop.example/other.js:1:5`
})
afterAll(() => stage?.[Symbol.asyncDispose]())

function upload(body: Uint8Array, query: Line = {}, as = stage.owner) {
  const address = `${stage.telltale.url}${maps}?${new URLSearchParams({ file: '/shop/app.js', ...query })}`
  return fetch(address, {
    method: 'PUT',
    body: new Uint8Array(body),
    headers: { ...as.headers, 'content-type': 'application/octet-stream' },
  })
}

async function errorFrames(): Promise<Line[]> {
  const as = stage.owner
  const list = await stage.telltale.request('GET', `${environments}/development/issues`, { as })
  const address = `${environments}/development/issues/${list.body.items[0].id}/events`
  const { status, body } = await stage.telltale.request('GET', address, { as })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.items[0].frames
}

test('without a map every frame has the reason, and with one the earlier error shows the original code', async () => {
  const session = newId()
  const error = event('error', {
    source: 'uncaught',
    type: 'TypeError',
    message: 'no card',
    stack,
    handled: false,
  })
  const headers = { 'user-agent': browser }
  await stage.post(toLines([context({ session, version: '1.4.0' }), error]), { headers })
  await stage.untilStored(session, 1)
  expect(await errorFrames()).toMatchObject([{ why: 'not-uploaded' }, { why: 'not-uploaded' }])

  expect((await upload(gzipSync(map), { version: '1.3.0' })).status).toBe(200)
  expect(await errorFrames()).toMatchObject([
    { why: 'other-version', nearest: { file: '/shop/app.js', version: '1.3.0' } },
    {},
  ])

  expect((await upload(map, { version: '1.4.0' })).status).toBe(200)
  const [frame] = await errorFrames()
  expect(frame).toMatchObject({ why: null, original: { line: 6, column: 3 } })
  const { original } = frame as { original: { file: string; code: { first: number; lines: string[] } } }
  expect(original.file).toMatch(/src\/pay\.ts$/)
  expect(original.code.lines[6 - original.code.first]).toBe("  throw new TypeError('no card for ' + total)")
})

test("the session's timeline shows the original code too, and keeps the minified stack", async () => {
  const as = stage.owner
  const development = `${environments}/development`
  const { body: issues } = await stage.telltale.request('GET', `${development}/issues`, { as })
  const { body: errors } = await stage.telltale.request(
    'GET',
    `${development}/issues/${issues.items[0].id}/events`,
    { as },
  )
  const address = `${development}/sessions/${errors.items[0].session}/events`
  const { body } = await stage.telltale.request('GET', address, { as })
  const [error] = body.items.filter(({ kind }: { kind: string }) => kind === 'error')
  expect(error.stack).toContain('app.js:1:')
  expect(error.originalStack).toMatchObject([
    { function: 'charge', line: 6, column: 3 },
    { file: 'https://shop.example/other.js', line: 1 },
  ])
  expect(error.originalStack[0].file).toMatch(/src\/pay\.ts$/)
})

test('the component stack is mapped too, with maps of the same version', async () => {
  const session = newId()
  const place = stack.slice(stack.indexOf('https://'), stack.indexOf(')'))
  // Deep trees have long stacks: the last component is mapped as well as the first.
  const elements = Array.from({ length: 200 }, () => '    at section (<anonymous>)').join('\n')
  const componentStack = `\n    at c (${place})\n${elements}\n    at a (${place})`
  const error = event('error', {
    source: 'react',
    type: 'ComponentError',
    message: 'no',
    stack: '',
    handled: true,
    componentStack,
  })
  const headers = { 'user-agent': browser }
  await stage.post(toLines([context({ session, version: '1.4.0' }), error]), { headers })
  await stage.untilStored(session, 1)
  const thrown = await errorOf('ComponentError')
  expect(thrown.attributes.componentStack).toBe(componentStack)
  const components = thrown.originalComponentStack
  expect(components).toHaveLength(202)
  expect(components[0]).toMatchObject({ function: 'charge', line: 6, column: 3 })
  expect(components[0].file).toMatch(/src\/pay\.ts$/)
  expect(components[1]).toEqual({ function: 'section', file: '', line: 0, column: 0 })
  expect(components[201]).toMatchObject({ function: 'charge', line: 6 })
})

/** The frames of the only error of that type. */
async function framesOf(type: string, thrown: string, page = 'https://shop.example/cart'): Promise<Line[]> {
  const session = newId()
  const error = event('error', {
    source: 'uncaught',
    type,
    message: 'no',
    stack: thrown,
    handled: false,
  })
  const lines = toLines([context({ session, version: '1.4.0', url: page }), error])
  expect((await stage.post(lines, { headers: { 'user-agent': browser } })).status).toBe(202)
  await stage.untilStored(session, 1)
  return (await errorOf(type)).frames
}

/** The newest error of the only issue of that type. */
async function errorOf(type: string) {
  const as = stage.owner
  const { body } = await stage.telltale.request(
    'GET',
    `${environments}/development/issues?filter=${encodeURIComponent(`error-type:${type}`)}`,
    { as },
  )
  const address = `${environments}/development/issues/${body.items[0].group}/events/newest`
  return (await stage.telltale.request('GET', address, { as })).body.event
}

test("two hundred frames in each browser's format are all mapped", async () => {
  const place = stack.slice(stack.indexOf('https://'), stack.indexOf(')'))
  const names = Array.from({ length: 200 }, (_, depth) => `deep${depth}`)
  const spelled = {
    ChromiumError: names.map((name) => `    at async Object.${name} [as go] (${place})`).join('\n'),
    GeckoError: names.map((name) => `async*${name}/<@${place}`).join('\n'),
    WebkitError: names.map((name) => `${name}@${place}`).join('\n'),
  }
  for (const [type, thrown] of Object.entries(spelled)) {
    const frames = await framesOf(type, thrown)
    expect(frames).toHaveLength(200)
    for (const frame of frames) expect(frame).toMatchObject({ why: null, original: { line: 6 } })
    expect(frames[199]?.function).toContain('deep199')
  }
})

test('an unmapped frame has a reason: another origin, or a broken map', async () => {
  expect((await upload(map, { file: '/shop/lazy-B7c1f0aZ.js', version: '1.4.0' })).status).toBe(200)
  const frames = await framesOf(
    'WhyError',
    [
      'https://shop.example/shop/lazy-Qq91mmz0.js:1:5',
      'https://cdn.example/shop/app.js:400:1',
      'https://shop.example/admin/app.js:1:1',
      'https://shop.example/cart:12:1',
      'https://tags.example/tag.js:1:1',
      'chrome-extension://abcdefgh/content.js:1:1',
      'https://shop.example/other.js:1:1',
      '<anonymous>',
    ]
      .map((file, at) => `    at f${at} (${file})`)
      .join('\n'),
  )
  expect(frames.map(({ why }) => why)).toEqual([
    'other-build',
    'no-line',
    'other-path',
    'inline',
    'third-party',
    'third-party',
    'not-uploaded',
    'no-script',
  ])
  expect(frames[0]).toMatchObject({ nearest: { file: '/shop/lazy-B7c1f0aZ.js' } })
})

test('uploading the same script replaces its map; the list can be searched', async () => {
  expect((await upload(map, { version: '1.4.0' })).status).toBe(200)
  const all = await stage.telltale.request('GET', maps, { as: stage.owner })
  const ofApp = all.body.items.filter(({ file }: Line) => file === '/shop/app.js')
  expect(ofApp.map(({ version }: Line) => version)).toEqual(['1.4.0', '1.3.0'])
  const none = await stage.telltale.request('GET', `${maps}?q=admin`, { as: stage.owner })
  expect(none.body.items).toEqual([])
})

test('invalid source maps are rejected, and not stored', async () => {
  const bad = [Buffer.from('{"version":3}'), Buffer.from('not json'), gzipSync('{}').subarray(0, 12)]
  for (const body of bad) expect((await upload(body, { version: '9' })).status).toBe(400)
  expect((await upload(Buffer.alloc(0), { version: '9' })).status).toBe(400)
  const { body } = await stage.telltale.request('GET', `${maps}?version=9`, { as: stage.owner })
  expect(body.items).toEqual([])
})

test('viewers see maps and cannot upload', async () => {
  const viewer = await stage.telltale.person({ in: { shop: 'viewer' } })
  expect((await upload(map, {}, viewer)).status).toBe(403)
  expect((await stage.telltale.request('GET', maps, { as: viewer })).status).toBe(200)
})

test('stacks no longer use a deleted map', async () => {
  const { body } = await stage.telltale.request('GET', `${maps}?version=1.4.0&q=app`, { as: stage.owner })
  const gone = await stage.telltale.request('DELETE', `${maps}/${body.items[0].id}`, { as: stage.owner })
  expect(gone.status).toBe(204)
  expect(await errorFrames()).toMatchObject([{ why: 'other-version' }, {}])
})
