// A minimal server process, for tests that kill it or run it as another user: starts PostgreSQL, prints its address,
// and waits. SIGUSR2 ends it without a stop.
import { startPostgres } from '../start.ts'

const [dataFolder = ''] = process.argv.slice(2)
const silent = () => undefined

const { connection, pid } = await startPostgres({
  dataFolder,
  log: { info: silent, warn: silent, error: silent },
})
process.on('SIGUSR2', () => process.exit(1))
process.stdout.write(`${JSON.stringify({ connection, pid: pid(), uid: process.getuid?.() })}\n`)
