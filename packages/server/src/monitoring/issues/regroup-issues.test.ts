// One place in the code across real builds: names and hashes change with each build, and source maps arrive
// before the errors or long after.

import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import { noteIssues } from './note-issues.ts'

const issues = `${environments}/development/issues`
const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

interface Built {
  version: string
  /** The path of the script. */
  file: string
  map: Uint8Array
  /** In Chromium's format. */
  stack: string
}

/**
 * Bundles an application whose function of that name throws, and runs it. `more` is the amount of additional
 * code in a version.
 */
async function ship(name: string, version: string, more = 0): Promise<Built> {
  // The minifier gives the shortest names to the most used functions.
  const others = Array.from(
    { length: more },
    (
      _,
      at,
    ) => `function other${at}(a) { return a > ${at} ? other${at}(a - 1) + other${at}(a - 2) : globalThis.x }
globalThis.use${at} = [other${at}, other${at}(0), other${at}(1)]`,
  )
  const contents = `${others.join('\n')}
export function ${name}(order) {
  const total = order.lines.length
  return chargeFor${name}(total)
}
function chargeFor${name}(total) {
  if (total > ${more}.5) return total
  throw new TypeError('no card for ' + total)
}
globalThis.start = () => ${name}({ lines: [] })
globalThis.start()
`
  const { script, ...built } = await bundle(name, contents)
  return { version, ...built, stack: run(script, built.file) }
}

async function bundle(name: string, contents: string) {
  const { outputFiles } = await build({
    stdin: { contents, sourcefile: `src/${name}.ts`, loader: 'ts' },
    minify: true,
    bundle: true,
    write: false,
    sourcemap: 'external',
    format: 'iife',
    outdir: '/out',
    entryNames: `${name}-[hash]`,
  })
  const script = outputFiles.find(({ path }) => path.endsWith('.js'))
  const map = outputFiles.find(({ path }) => path.endsWith('.map'))
  if (script === undefined || map === undefined) throw new Error('nothing was built')
  return { script: script.text, file: script.path.replace('/out/', '/assets/'), map: map.contents }
}

function run(script: string, file: string): string {
  try {
    runInNewContext(script, {}, { filename: `https://shop.example${file}` })
  } catch (error) {
    const stack = String((error as Error).stack)
    return stack.slice(stack.indexOf('TypeError'))
  }
  throw new Error('nothing was thrown')
}

/** The throwing function's name in the bundle. */
const innermost = ({ stack }: Built) => /at (\S+) /.exec(stack)?.[1]

async function fail({ version, stack }: Built, session = newId()): Promise<void> {
  const error = event('error', {
    source: 'uncaught',
    type: 'TypeError',
    message: 'no card for 0',
    stack,
    handled: false,
  })
  const batch = toLines([context({ session, version, anonymousId: session }), error])
  expect(await stage.post(batch, { headers: { 'user-agent': chrome } })).toMatchObject({ status: 202 })
  await stage.untilStored(session, 1)
}

async function upload({ version, file, map }: Built): Promise<void> {
  const address = `${stage.telltale.url}/api/v1/projects/shop/source-maps?${new URLSearchParams({ file, version })}`
  const headers = { ...stage.owner.headers, 'content-type': 'application/octet-stream' }
  const { status } = await fetch(address, { method: 'PUT', body: new Uint8Array(map), headers })
  expect(status).toBe(200)
}

async function list(search: string): Promise<Line[]> {
  const { body } = await stage.telltale.request('GET', `${issues}?search=${search}&sort=first-seen`, {
    as: stage.owner,
  })
  return body.items
}

const show = (id: unknown) => stage.telltale.request('GET', `${issues}/${id}`, { as: stage.owner })
const change = (id: unknown, body: Line) =>
  stage.telltale.request('PATCH', `${issues}/${id}`, { as: stage.owner, body })
const look = () => noteIssues(stage.telltale.running.services)

test('builds with other names and hashes have the same issue, named by the original code', async () => {
  const [first, second] = await Promise.all([ship('pay', '1.0'), ship('pay', '1.1', 40)])
  expect(first.file).not.toBe(second.file)
  expect(innermost(first)).not.toBe(innermost(second))

  await Promise.all([upload(first), upload(second)])
  await fail(first)
  await fail(second)
  const found = await list('src/pay')
  expect(found).toMatchObject([
    { culprit: 'chargeForpay in src/pay.ts', events: 2, firstSeenVersion: '1.0', lastSeenVersion: '1.1' },
  ])
})

test('a resolved issue stays resolved for the earlier version, and regresses with another build', async () => {
  const [issue] = await list('src/pay')
  expect((await change(issue?.id, { state: 'resolved' })).body).toMatchObject({ resolvedIn: '1.1' })
  await fail(await ship('pay', '1.0'))
  await look()
  expect((await list('src/pay'))[0]).toMatchObject({ state: 'resolved', events: 3 })

  const next = await ship('pay', '1.2', 90)
  await upload(next)
  await fail(next)
  await look()
  expect(await list('src/pay')).toMatchObject([{ id: issue?.id, state: 'regressed', events: 4 }])
})

test('late maps merge what they identify as one, with decisions', async () => {
  const [old, rebuilt] = await Promise.all([ship('send', '1.0'), ship('send', '1.1', 60)])
  expect(innermost(old)).not.toBe(innermost(rebuilt))
  await fail(old)
  await fail(rebuilt)
  const before = await list('assets/send')
  expect(before).toHaveLength(2)
  const [newer, older] = before
  await change(newer?.id, { state: 'ignored', assignee: stage.owner.id })

  await Promise.all([upload(old), upload(rebuilt)])
  await look()
  const [one, ...others] = await list('src/send')
  expect(others).toEqual([])
  expect(one).toMatchObject({
    id: older?.id,
    culprit: 'chargeForsend in src/send.ts',
    events: 2,
    sessions: 2,
    users: 2,
    state: 'ignored',
    assignee: { id: stage.owner.id },
    firstSeenVersion: '1.0',
  })
  expect(await list('assets/send')).toEqual([])

  expect((await show(newer?.id)).body.id).toBe(older?.id)
  expect((await show(newer?.group)).body.id).toBe(older?.id)
  expect((await change(newer?.id, { state: 'unresolved' })).body).toMatchObject({ id: older?.id })
  const { body } = await stage.telltale.request('GET', '/api/v1/projects/shop/audit', { as: stage.owner })
  expect(body.items.filter(({ action }: Line) => action === 'issue.merge')).toHaveLength(1)
  await look()
  expect(await list('src/send')).toHaveLength(1)
})

test('any of its groups identifies the issue, in filters and in groupings', async () => {
  const [issue] = await list('src/send')
  const rows = await stage.read<{ group: string; session: string }>(
    `SELECT toString(err_group) AS group, toString(session_id) AS session FROM events WHERE position(err_stack, 'assets/send') > 0`,
  )
  expect(new Set(rows.map(({ group }) => group)).size).toBe(2)
  const ask = async (path: string) => {
    const { status, body } = await stage.telltale.request('GET', `${environments}/development/${path}`, {
      as: stage.owner,
    })
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }
  for (const { group } of rows) {
    const { items } = await ask(`sessions?filter=issue:${group}`)
    expect(items.map(({ id }: Line) => id).sort()).toEqual(rows.map(({ session }) => session).sort())
    expect((await ask(`issues?filter=issue:${group}`)).items).toMatchObject([{ id: issue?.id, events: 2 }])
  }
  const { groups } = await ask('explore?by=issue&kind=error')
  expect(groups).toContainEqual(expect.objectContaining({ values: [issue?.group], value: 2 }))
  const { facets } = await ask('sessions/facets?fields=issue&top=20')
  expect(facets[0].values).toContainEqual({ value: issue?.group, count: 2 })
})

test('two functions with the same minified name are one issue only until there is a map', async () => {
  const thrower = (name: string) => `globalThis.${name} = (order) => {
  const ${name}Now = () => {
    throw new RangeError(order)
  }
  return ${name}Now() + 1
}
`
  const { script, ...built } = await bundle('twin', thrower('left') + thrower('right'))
  const places = [script.indexOf('throw '), script.lastIndexOf('throw ')]
  const twins = places.map((column) => ({
    ...built,
    version: '1.0',
    stack: `RangeError: no\n    at r (https://shop.example${built.file}:1:${column + 1})`,
  }))
  for (const twin of twins) await fail(twin)
  expect(await list('assets/twin')).toMatchObject([{ events: 2 }])

  await upload({ ...built, version: '1.0', stack: '' })
  await look()
  const found = await list('src/twin')
  expect(found.map(({ culprit, events }) => [culprit, events]).sort()).toEqual([
    ['leftNow in src/twin.ts', 1],
    ['rightNow in src/twin.ts', 1],
  ])
})
