// The engine's process: chDB behind ClickHouse's HTTP interface, on loopback unless told otherwise, for the one who started it. It ends with
// its starter: the pipe between them closes however that one dies.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { answerRequests } from './answer-requests.ts'
import { findBrokenParts, openEngine } from './chdb.ts'
import { EngineUnsupported, type Launch, parseLaunch, type Ready } from './launch-line.ts'
import { createRunner } from './run-statement.ts'

/** Screens ask a few things at once, and small tables need not wait for events; the rest waits in line. */
const sessions = { readers: 4, writers: 2 }
const anyPortOfLoopback = { host: '127.0.0.1', port: 0 }
/** Longer than the client keeps one open, so that it is never the server that closes first. */
const keepAlive = 30_000
/** To exit while a statement runs hangs; past this the process is better killed, which loses nothing. */
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
  // The terminal's Ctrl-C is for the server, which decides when its engine stops.
  process.on('SIGINT', () => undefined)
}

main()
