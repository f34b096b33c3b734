import { run } from './run.mjs'

/** The npm that runs us, or the one of the path. Quiet. */
export function runNpm(root, args) {
  const options = { cwd: root, quiet: true }
  const script = process.env.npm_execpath
  if (script?.endsWith('npm-cli.js')) return run(process.execPath, [script, ...args], options)
  return run('npm', args, options)
}
