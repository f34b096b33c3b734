import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Becomes the server: the built program is imported into this very process, so signals, exit code and output need no
 * forwarding, and nothing is left behind when the process is killed.
 */
export async function start(root, args) {
  const main = join(root, 'packages/server/dist/main.js')
  process.setSourceMapsEnabled(true)
  process.argv = [process.execPath, main, ...args]
  await import(pathToFileURL(main).href)
}
