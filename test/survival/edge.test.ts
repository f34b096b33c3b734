// The processes of an edge, killed while its server is away: what they answered with 202 arrives once, from whichever
// folder it is in.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Gate, openGate } from '@telltale/node/testing/gate'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage, untilWritten } from '../intake/stage.ts'
import { context, event, send, toLines } from '../intake/visitor.ts'

const program = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url))
let stage: IntakeStage
let gate: Gate
let folder: string
let keys: { client: string; server: string }
const started: ChildProcess[] = []

beforeEach(async () => {
  stage = await openIntakeStage()
  const created = await stage.telltale.request('POST', `${environments}/development/keys`, {
    as: stage.owner,
    body: { kind: 'server', label: 'Edge' },
  })
  keys = { client: await stage.clientKey('development'), server: created.body.value }
  gate = await openGate(stage.telltale.url)
  folder = await mkdtemp(join(tmpdir(), 'telltale-edge-killed-'))
})

afterEach(async () => {
  for (const child of started.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await gate.close()
  await stage[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function startEdge(processes: number) {
  const args = ['edge', '--server', gate.url, '--key', keys.server, '--port', '0', '--data', folder]
  const child = spawn(process.execPath, [program, ...args, '--processes', String(processes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, TELLTALE_LOG_LEVEL: 'silent' },
  })
  started.push(child)
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return { child, url: /listens at (\S+)/.exec(String(said))?.[1] ?? '' }
}

/** Of the processes that a process started. */
async function childrenOf({ pid }: ChildProcess): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').map(Number)
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('what was answered with 202 survives kill -9 of a process, and of all of them', async () => {
  const sessions: string[] = []
  const sendSome = async (url: string) => {
    const some = Array.from({ length: 20 }, () => newId())
    // Each on its own connection, so that every process gets some.
    const answers = await Promise.all(
      some.map((session) =>
        send(url, toLines([context({ session }), event('view')]), {
          key: keys.client,
          headers: { connection: 'close' },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(some.map(() => 202))
    sessions.push(...some)
  }
  const { child, url } = await startEdge(2)
  await gate.close()
  await sendSome(url)
  const before = await childrenOf(child)
  expect(before).toHaveLength(2)
  process.kill(before[0] ?? 0, 'SIGKILL')
  await expect.poll(() => childrenOf(child), { timeout: 20_000 }).not.toContain(before[0])
  await expect.poll(async () => (await childrenOf(child)).length, { timeout: 20_000 }).toBe(2)
  await sendSome(url)

  const pids = await childrenOf(child)
  child.kill('SIGKILL')
  await expect.poll(() => pids.some(isAlive), { timeout: 20_000 }).toBe(false)
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['process-1', 'process-2']))

  const alone = await startEdge(1)
  await sendSome(alone.url)
  await gate.open()
  for (const session of sessions) await stage.untilStored(session, 1)
  await untilWritten(stage.telltale)
  for (const session of sessions) await stage.untilStored(session, 1)
  alone.child.kill('SIGTERM')
  const [code] = await once(alone.child, 'exit')
  expect(code).toBe(0)
})
