import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const look = 1_000

/**
 * Becomes the server: the built program is imported into this process, so that signals, exit code and output need no
 * forwarding, and no process is left when this one is killed.
 */
export async function start(root, args) {
  const main = join(root, 'packages/server/dist/main.js')
  if (process.env.npm_lifecycle_event) stopWithParent()
  process.setSourceMapsEnabled(true)
  process.argv = [process.execPath, main, ...args]
  await import(pathToFileURL(main).href)
}

/** npm forwards SIGINT and SIGTERM, but a hang-up or a kill of npm would leave the server running. */
function stopWithParent() {
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    process.kill(process.pid, 'SIGTERM')
  }, look)
  looking.unref()
}
