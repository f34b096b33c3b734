// `telltale import-flagsmith`: uploads a Flagsmith environment document, from a file or a pipe. The import is all or
// nothing: each error is printed, and the exit code reports failure. Sent once: repeating the import replaces the
// previous one.

import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { parseUrl } from '@telltale/core/parse-url'
import { findTarget } from '../command/remote-verb.ts'
import { serverOptions } from '../command/target.ts'
import { verb } from '../command/verb.ts'

interface ImportOptions {
  /** `-`: standard input. */
  file: string
  url: string | undefined
  token: string | undefined
  project: string | undefined
  env: string | undefined
  parsesJson?: boolean
  isJson: boolean
}

interface Answer {
  project?: unknown
  env?: unknown
  clientKey?: unknown
  flags?: unknown
  segments?: unknown
  overrides?: unknown
  notes?: unknown
  detail?: unknown
  title?: unknown
  errors?: unknown
}

const [done, failed, misused] = [0, 1, 2]
/** A document with the maximum number of overrides takes a minute. */
const patience = 300_000

async function importDocument(options: ImportOptions): Promise<number> {
  const { file, url, token, project, env, parsesJson = false } = options
  const missing = whatIsMissing(options)
  if (missing !== undefined || url === undefined) {
    console.error(missing)
    return misused
  }
  const document = await read(file)
  if (document === undefined) return failed

  const address = new URL(`${url.replace(/\/+$/, '')}/api/v1/import/flagsmith-environment`)
  if (project !== undefined) address.searchParams.set('project', project)
  if (env !== undefined) address.searchParams.set('env', env)
  if (parsesJson) address.searchParams.set('parseJson', 'true')
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: document,
      signal: AbortSignal.timeout(patience),
    })
    const answer = answerIn(await response.text())
    if (response.ok && options.isJson) {
      console.log(JSON.stringify(answer, null, 2))
      return done
    }
    return response.ok ? printResult(answer) : refuse(response.status, answer)
  } catch (error) {
    console.error(`The server did not answer: ${error instanceof Error ? error.message : String(error)}.`)
    return failed
  }
}

function whatIsMissing({ url, token }: ImportOptions): string | undefined {
  if (!url) return 'Where to? Say --url https://telltale.example, or set TELLTALE_URL.'
  if (parseUrl(url) === undefined) return `--url is not a valid URL: ${url}`
  if (!token)
    return 'A token is needed: set TELLTALE_TOKEN (or say --token), with the role admin, or owner for a new project.'
  return undefined
}

async function read(file: string): Promise<string | undefined> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    console.error(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}.`)
    return undefined
  }
}

/** A proxy may have responded instead of the server, and not in JSON. */
function answerIn(body: string): Answer {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return { detail: body.slice(0, 500) }
  }
}

function printResult({ project, env, clientKey, flags, segments, overrides, notes }: Answer): number {
  console.log(
    `Imported into ${project}, ${env}: ${flags} flags, ${segments} segments, ${overrides} overrides.`,
  )
  console.log(`Its clients keep the key ${clientKey}.`)
  for (const note of Array.isArray(notes) ? notes : []) console.log(`- ${note}`)
  return done
}

function refuse(status: number, { detail, title, errors }: Answer): number {
  console.error(`Nothing was imported: ${detail ?? title ?? `the server answered ${status}`}`)
  for (const fault of Array.isArray(errors) ? errors : []) console.error(`  ${lineOf(fault)}`)
  return failed
}

function lineOf(fault: unknown): string {
  if (typeof fault !== 'object' || fault === null) return String(fault)
  const { pointer, message } = { pointer: '', message: '', ...fault }
  return `${pointer} ${message}`
}

export const importFlagsmith = verb({
  name: 'import-flagsmith',
  group: 'moving',
  does: 'imports an environment document of Flagsmith; - reads it from a pipe',
  more: 'See [moving from Flagsmith](../guides/move-from-flagsmith.md).',
  takes: [{ name: 'FILE' }],
  options: {
    ...serverOptions,
    // No environment variable: without the option, the import creates a new project.
    project: { value: 'KEY', does: 'the project to import into, a new one by default' },
    env: { value: 'KEY', does: 'the environment to import into' },
    'parse-json': { does: 'makes JSON values of text that is JSON' },
    json: { does: 'prints the reply of the server as JSON' },
  },
  run(given) {
    const { argument, text, isSet } = given
    const { url, token } = findTarget(given)
    return importDocument({
      file: argument(0),
      url,
      token,
      project: text('project'),
      env: text('env'),
      parsesJson: isSet('parse-json'),
      isJson: isSet('json'),
    })
  },
})
