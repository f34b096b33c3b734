import { spawn } from 'node:child_process'
import { join } from 'node:path'

/**
 * Runs the server, restarted on change, and the console with hot reload in front of it. If one exits, the other is
 * stopped.
 */
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

/** Makes the console use the server address from the flags or the environment. */
function viteEnv(args) {
  const flag = args.indexOf('--port')
  const port = flag >= 0 ? args[flag + 1] : process.env.TELLTALE_PORT
  return port ? { TELLTALE_DEV_SERVER: `http://127.0.0.1:${port}`, ...process.env } : process.env
}
