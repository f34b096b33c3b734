import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { ask, openStage, requirePid } from './testing/stage.ts'

test('a killed engine restarts with its rows, and the store continues', async () => {
  await using stage = await openStage()
  const { engine, store, seen, until } = await stage.start()
  await store.command('CREATE DATABASE telltale ENGINE = Atomic')
  await store.command(
    'CREATE TABLE telltale.notes (id UInt64) ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1',
  )
  await store.insert('INSERT INTO telltale.notes FORMAT JSONCompactEachRow', Buffer.from('[7]'))
  const killed = requirePid(engine)
  process.kill(killed, 'SIGKILL')
  await until('running')

  expect(seen).toEqual(['restarting', 'running'])
  expect(engine.pid()).not.toBe(killed)
  expect(await store.read('SELECT * FROM telltale.notes')).toEqual([{ id: '7' }])
})

test('a stop ends running statements, and the process', async () => {
  await using stage = await openStage()
  const { engine, store, seen } = await stage.start()
  const pid = requirePid(engine)
  const endless = store.read('SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) % 7 = 1')
  const ended = endless.catch((error: unknown) => error)
  await store.read('SELECT 1')
  const begun = performance.now()
  await Promise.all([engine.stop(), engine.stop()])

  expect(await ended).toBeInstanceOf(Error)
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(seen).toEqual(['stopped'])
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a second engine on the same folder reports why it cannot start', async () => {
  await using stage = await openStage()
  await stage.start()
  await expect(stage.start()).rejects.toThrow(
    /did not start[\s\S]*(Another server instance|create connection)/,
  )
})

test('an engine ends when its server is killed', async () => {
  await using stage = await openStage()
  const script = `
    const { startClickhouse } = await import(${JSON.stringify(new URL('./start.ts', import.meta.url).href)})
    const silent = () => undefined
    const engine = await startClickhouse({ dataFolder: process.argv[1], log: { info: silent, warn: silent, error: silent } })
    process.stdout.write(String(engine.pid()))`
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script, stage.dataFolder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [reported] = await once(server.stdout, 'data')
  const pid = Number(String(reported))
  process.kill(pid, 0)
  server.kill('SIGKILL')

  const lives = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await expect.poll(lives, { interval: 50, timeout: 10_000 }).toBe(false)
})

test('without the password only the liveness is reported', async () => {
  await using stage = await openStage()
  const { engine, store } = await stage.start()
  await store.check()
  expect((await fetch(`${engine.target().url}/ping`)).status).toBe(200)
  expect((await ask(engine, { body: 'SELECT 1', withPassword: false })).status).toBe(403)
})
