// Segments of replays, profiles and assets that were answered 202 are in the tables exactly once and byte by byte after
// `kill -9` of the server, of its telemetry engine, and of both, and while the engine hangs. What had no answer is sent again.

import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClickhouse } from '../../packages/server/src/platform/engines/clickhouse/open.ts'
import { startClickhouse } from '../../packages/server/src/platform/engines/clickhouse/start.ts'
import { hashOf, profile, type Sent, segment, sendAttachment } from '../intake/attachments.ts'
import { haltEngine, killEngine } from './blows.ts'
import { type ServerProcess, startServer } from './server.ts'

const rounds = 8
const tabs = 3
/** Somewhere within what an attachment, a flush and an insert take. */
const mostDelay = 400
/** Longer than a recovery takes on a busy machine; only a test that fails waits this long. */
const recoveryLimit = 120_000

const owner = { email: 'mara@pedal.example', name: 'Mara', password: 'seven green bottles' }
const key = 'survival-client-key'

let folder: string
let server: ServerProcess
let settings: Record<string, string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-attachments-'))
  const setup = join(folder, 'setup.json')
  const sampling = { session: 100, replay: 100, profile: 100 }
  const environments = [{ key: 'production', sampling, keys: [{ kind: 'client', value: key }] }]
  await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
  settings = { TELLTALE_SETUP: setup }
  server = await startServer(join(folder, 'data'), settings)
})

afterEach(async () => {
  await server.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** By what tells it from all others: its bytes as they were sent. */
type Promised = Map<string, string>

const bytesOf = (framed: Buffer) => framed.subarray(framed.indexOf(10) + 1).toString('base64')

/** One tab of a session that all share: sends segment after segment, with a profile and an asset now and then. */
async function sendAll(session: string, isOver: () => boolean): Promise<Promised> {
  const promised: Promised = new Map()
  const tab = newId()
  const startedAt = Date.now() - 60_000
  for (let index = 0; !isOver(); index++) {
    const body = segment({
      session,
      tab,
      index,
      records: [{ text: randomBytes(randomInt(3_000)).toString('hex') }],
    })
    await sendUntilTaken({ kind: 'replay', body, query: { batch: newId() } })
    promised.set(`${tab} ${index}`, bytesOf(body))
    if (index % 3 === 0) {
      const own = profile({ startedAt: startedAt + index }, { context: { session, tab } })
      const id = newId()
      await sendUntilTaken({ kind: 'profile', body: own, query: { batch: id } })
      promised.set(`profile ${id}`, bytesOf(own))
    }
    if (index % 5 === 0) {
      const sheet = Buffer.from(`.a { content: "${randomBytes(2_000).toString('hex')}" }`)
      await sendUntilTaken({ kind: 'asset', body: sheet, query: { hash: hashOf(sheet), type: 'text/css' } })
      promised.set(`asset ${hashOf(sheet)}`, sheet.toString('base64'))
    }
    await pause(randomInt(20))
  }
  return promised
}

async function sendUntilTaken(sent: Omit<Sent, 'key'>): Promise<void> {
  for (;;) {
    const answer = await sendAttachment(server.url, { ...sent, key }).catch(() => undefined)
    if (answer?.status === 202) {
      expect(answer.body.dropped).toEqual([])
      return
    }
    // Whatever is the matter, what we send is never at fault.
    if (answer !== undefined) expect(answer.status).toBe(503)
    await pause(20)
  }
}

async function restart(): Promise<void> {
  await server.end('SIGKILL')
  server = await startServer(join(folder, 'data'), settings)
}

const kill = () => killEngine(server)
const halt = () => haltEngine(server, mostDelay)
const blows = [restart, kill, halt, () => Promise.all([kill(), restart()])]

/** Everything that is stored, by the same names; twice, when it is there twice. */
async function readStored(): Promise<[string, string][]> {
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const engine = await startClickhouse({ dataFolder: join(folder, 'data'), log: quiet })
  const store = openClickhouse(() => ({ ...engine.target(), database: 'telltale' }))
  try {
    const rows = await store.read<{ name: string; bytes: string }>(
      `SELECT concat(toString(tab_id), ' ', toString(seq)) AS name, base64Encode(body) AS bytes FROM replay_segments
       UNION ALL SELECT concat('profile ', toString(profile_id)), base64Encode(body) FROM profile_blobs
       UNION ALL SELECT concat('asset ', toString(hash)), base64Encode(body) FROM replay_assets`,
    )
    return rows.map(({ name, bytes }) => [name, bytes])
  } finally {
    await store.close()
    await engine.stop()
  }
}

test(`every acknowledged segment, profile and asset is stored once after ${rounds} kills`, async () => {
  let isOver = false
  const session = newId()
  const sending = Promise.all(Array.from({ length: tabs }, () => sendAll(session, () => isOver)))
  for (let round = 0; round < rounds; round++) {
    await pause(randomInt(mostDelay))
    await blows[round % blows.length]?.()
  }
  isOver = true
  const promised = (await sending).flatMap((each) => [...each])
  expect(promised.length).toBeGreaterThan(rounds * tabs)
  await untilShipped()
  await server.end('SIGTERM')
  const stored = await readStored()
  const inOrder = (list: [string, string][]) => list.sort(([one], [other]) => (one < other ? -1 : 1))
  expect(stored.length, server.complaints()).toBe(promised.length)
  expect(inOrder(stored)).toEqual(inOrder(promised))
})

/** Nothing waits in the spool any more. */
async function untilShipped(): Promise<void> {
  const deadline = Date.now() + recoveryLimit
  const isWaiting = async () => {
    const answer = await fetch(`${server.url}/metrics`)
    return !/^telltale_intake_spool_bytes 0$/m.test(await answer.text())
  }
  while (await isWaiting()) {
    if (Date.now() > deadline) throw new Error(`The spool never emptied: ${server.complaints()}`)
    await pause(100)
  }
}
