// A real build with a real map: what a browser names is found in the code that people wrote, also for errors that were
// there before the map.

import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../test/intake/visitor.ts'

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

test('without a map every frame says why, and with one the old error shows the code as it was written', async () => {
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

test('the same script again replaces its map; a list names them and can be searched', async () => {
  expect((await upload(map, { version: '1.4.0' })).status).toBe(200)
  const all = await stage.telltale.request('GET', maps, { as: stage.owner })
  expect(all.body.items.map(({ version }: Line) => version)).toEqual(['1.4.0', '1.3.0'])
  const none = await stage.telltale.request('GET', `${maps}?q=admin`, { as: stage.owner })
  expect(none.body.items).toEqual([])
})

test('what is no source map is refused, and keeps nothing', async () => {
  const bad = [Buffer.from('{"version":3}'), Buffer.from('not json'), gzipSync('{}').subarray(0, 12)]
  for (const body of bad) expect((await upload(body, { version: '9' })).status).toBe(400)
  expect((await upload(Buffer.alloc(0), { version: '9' })).status).toBe(400)
  const { body } = await stage.telltale.request('GET', `${maps}?version=9`, { as: stage.owner })
  expect(body.items).toEqual([])
})

test('a viewer sees maps and brings none', async () => {
  const viewer = await stage.telltale.person({ in: { shop: 'viewer' } })
  expect((await upload(map, {}, viewer)).status).toBe(403)
  expect((await stage.telltale.request('GET', maps, { as: viewer })).status).toBe(200)
})

test('a deleted map is gone from stacks too', async () => {
  const { body } = await stage.telltale.request('GET', `${maps}?version=1.4.0`, { as: stage.owner })
  const gone = await stage.telltale.request('DELETE', `${maps}/${body.items[0].id}`, { as: stage.owner })
  expect(gone.status).toBe(204)
  expect(await errorFrames()).toMatchObject([{ why: 'other-version' }, {}])
})
