// The engine's process: chDB behind ClickHouse's HTTP interface, on loopback by default, for the server that started
// it. It ends with that server: the pipe between them closes however the server ends.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { answerRequests } from './answer-requests.ts'
import { findBrokenParts, openEngine } from './chdb.ts'
import { EngineUnsupported, type Launch, parseLaunch, type Ready } from './launch-line.ts'
import { createRunner } from './run-statement.ts'

/** Screens send a few queries at once, and small tables must not wait for events; further statements queue. */
const sessions = { readers: 4, writers: 2 }
const anyPortOfLoopback = { host: '127.0.0.1', port: 0 }
/** Longer than the client keeps a connection open, so that the server never closes one first. */
const keepAlive = 30_000
/** Exiting while a statement runs hangs; after this time the process is better killed, which loses nothing. */
const stopLimit = 3_000

async function serve(launch: Launch): Promise<() => Promise<void>> {
  const engine = await openEngine(launch, sessions)
  const brokenParts = await findBrokenParts(engine)
  const runner = createRunner(engine)
  const server = createServer({ keepAliveTimeout: keepAlive }, answerRequests(runner, launch))
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    const { host, port } = launch.address ?? anyPortOfLoopback
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const ready: Ready = { port, brokenParts }
  process.stdout.write(`${JSON.stringify(ready)}\n`)
  return async () => {
    server.close()
    await runner.stop()
    server.closeAllConnections()
  }
}

function main(): void {
  let running: Promise<() => Promise<void>> | undefined
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopLimit)
    Promise.resolve(running)
      .then((end) => end?.())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  const lines = createInterface({ input: process.stdin })
  lines.once('line', (line) => {
    running = Promise.resolve(line).then(parseLaunch).then(serve)
    running.catch((error: unknown) => {
      if (error instanceof EngineUnsupported) {
        process.stdout.write(`${JSON.stringify({ unsupported: error.message })}\n`)
      }
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exit(1)
    })
  })
  lines.once('close', stop)
  process.on('SIGTERM', stop)
  // Ctrl-C in the terminal is for the server, which decides when its engine stops.
  process.on('SIGINT', () => undefined)
}

main()
