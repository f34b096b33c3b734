import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** The server, restarted on change, and the console with hot reload in front of it. One ends, both end. */
export async function dev(root, args) {
  const bin = join(root, 'node_modules/.bin')
  const children = [
    spawn(join(bin, 'tsx'), ['watch', '--clear-screen=false', 'packages/server/src/app/main.ts', ...args], {
      cwd: root,
      stdio: 'inherit',
    }),
    spawn(join(bin, 'vite'), ['--clearScreen=false'], {
      cwd: join(root, 'packages/console'),
      env: viteEnv(args),
      stdio: 'inherit',
    }),
  ]
  const stopAll = (signal) => {
    for (const child of children) child.kill(signal)
  }
  process.on('SIGINT', () => stopAll('SIGINT'))
  process.on('SIGTERM', () => stopAll('SIGTERM'))
  process.on('SIGHUP', () => stopAll('SIGTERM'))

  await Promise.all(
    children.map(
      (child) =>
        new Promise((resolve) => {
          child.once('close', () => {
            stopAll('SIGTERM')
            resolve()
          })
        }),
    ),
  )
}

/** The console asks the server where the flags or the environment put it. */
function viteEnv(args) {
  const flag = args.indexOf('--port')
  const port = flag >= 0 ? args[flag + 1] : process.env.TELLTALE_PORT
  return port ? { TELLTALE_DEV_SERVER: `http://127.0.0.1:${port}`, ...process.env } : process.env
}
