// Builds the named parts, or all of them without arguments. Each is built in a separate folder and moved into place
// as a whole, so a failed build keeps the last good one.
import { buildCli } from './build/cli.ts'
import { buildConsole } from './build/console.ts'
import { buildDemo } from './build/demo.ts'
import { buildDocs } from './build/docs.ts'
import { buildNode } from './build/node.ts'
import { buildSdk } from './build/sdk.ts'
import { buildServer } from './build/server.ts'

const parts = {
  server: buildServer,
  cli: buildCli,
  sdk: buildSdk,
  node: buildNode,
  console: buildConsole,
  demo: buildDemo,
  docs: buildDocs,
}

// React's development build must not reach users, whatever NODE_ENV the shell sets.
process.env.NODE_ENV = 'production'

const wanted = process.argv.slice(2)
try {
  for (const [name, build] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) await build()
  }
} catch (error) {
  // esbuild has already printed the location of the error; a stack trace would bury it.
  if (!(error instanceof Error && 'errors' in error)) throw error
  process.exitCode = 1
}
