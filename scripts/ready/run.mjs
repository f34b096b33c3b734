import { spawn } from 'node:child_process'

/**
 * Runs one command and resolves to its exit code. stdin is closed, so that nothing waits for input. `options.quiet`
 * collects the output and returns it, to print it if the command fails.
 */
export function run(command, args, options = {}) {
  const { quiet = false, ...rest } = options
  const output = quiet ? 'pipe' : 'inherit'

  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', output, output], ...rest })
    const lines = []
    child.stdout?.on('data', (chunk) => lines.push(chunk))
    child.stderr?.on('data', (chunk) => lines.push(chunk))
    child.once('error', (error) => resolve({ code: 127, output: error.message }))
    child.once('close', (code, signal) => {
      resolve({ code: code ?? (signal === 'SIGINT' ? 130 : 1), output: Buffer.concat(lines).toString() })
    })
  })
}
