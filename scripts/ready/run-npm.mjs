import { run } from './run.mjs'

/** Runs the npm that started this process, or the one in PATH, quietly. */
export function runNpm(root, args) {
  const options = { cwd: root, quiet: true }
  const script = process.env.npm_execpath
  if (script?.endsWith('npm-cli.js')) return run(process.execPath, [script, ...args], options)
  return run('npm', args, options)
}
