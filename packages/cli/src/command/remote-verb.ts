// Verbs that call a server: where it is and with which token, and their output as a table or as JSON.

import { parseUrl } from '@telltale/core/parse-url'
import { connectServer, type Server } from '../api/server.ts'
import { readLogin } from '../api/stored-login.ts'
import { type Terminal, terminalOf } from '../output/terminal.ts'
import { UsageError } from './read-arguments.ts'
import { environmentOptions, projectOptions, serverOptions } from './target.ts'
import {
  exitCodes,
  type Given,
  type LooseGiven,
  type Options,
  type Verb,
  type VerbDraft,
  verb,
} from './verb.ts'

interface Asking {
  server: Server
  /** The reply itself with --json, and the text otherwise. */
  show(reply: unknown, textOf: (terminal: Terminal) => string): void
}
interface InProject extends Asking {
  project: string
}
interface InEnvironment extends InProject {
  env: string
}

type RemoteDraft<Its extends Options, Where> = Omit<VerbDraft<Its>, 'run' | 'passesOn'> & {
  /** Resolves to the exit code if it is not 0. */
  run(asked: Given<Its> & Where): Promise<number | undefined>
}

const json = { json: { does: 'prints the reply of the server as JSON' } } as const

export function serverVerb<const Its extends Options = Record<never, never>>(
  draft: RemoteDraft<Its, Asking>,
): Verb {
  return withServer(draft, serverOptions, (given) => draft.run({ ...given, ...ask(given) }))
}

export function projectVerb<const Its extends Options = Record<never, never>>(
  draft: RemoteDraft<Its, InProject>,
): Verb {
  return withServer(draft, projectOptions, (given) => draft.run({ ...given, ...inProject(given) }))
}

export function environmentVerb<const Its extends Options = Record<never, never>>(
  draft: RemoteDraft<Its, InEnvironment>,
): Verb {
  return withServer(draft, environmentOptions, (given) => {
    const env = keyOf('env', given)
    return draft.run({ ...given, env, ...inProject(given) })
  })
}

function withServer(
  draft: Omit<VerbDraft<Options>, 'run'>,
  where: Options,
  run: (given: LooseGiven) => Promise<number | undefined>,
): Verb {
  const options: Options = { ...draft.options, ...where, ...json }
  return {
    ...verb({ ...draft, options, run: async () => exitCodes.done }),
    run: async (given) => (await run(given)) ?? exitCodes.done,
  }
}

/** For a verb with `projectOptions` that does not always call the server. */
export const inProject = (given: Reading): InProject => ({ project: keyOf('project', given), ...ask(given) })

/** The part of `Given` that reads options whose names are known here alone. */
type Reading = Pick<LooseGiven, 'text' | 'isSet'>

function ask(given: Reading): Asking {
  const terminal = terminalOf(process.stdout, process.env)
  return {
    server: serverOf(given),
    show: (reply, textOf) =>
      console.log(given.isSet('json') ? JSON.stringify(reply, null, 2) : textOf(terminal)),
  }
}

/** Options and variables first, then the stored login; its token only ever goes to its own server. */
export function findTarget(given: Pick<LooseGiven, 'text'>) {
  const login = readLogin(process.env)
  const url = given.text('url') ?? login?.url
  const isItsOwn = login !== undefined && parseUrl(url ?? '')?.origin === parseUrl(login.url)?.origin
  return { url, token: given.text('token') ?? (isItsOwn ? login.token : undefined), login }
}

function serverOf(given: Reading): Server {
  const { url, token } = findTarget(given)
  if (url === undefined) {
    throw new UsageError('Which server? Run "telltale login URL", say --url, or set TELLTALE_URL.')
  }
  if (!/^https?:\/\/[^/]/.test(url)) throw new UsageError(`--url is not a valid URL: ${url}`)
  if (token === undefined) {
    throw new UsageError('Run "telltale login", set TELLTALE_TOKEN to an API token, or say --token.')
  }
  return connectServer(url, token)
}

function keyOf(name: 'project' | 'env', given: Reading): string {
  const key = given.text(name) ?? readLogin(process.env)?.[name]
  if (key !== undefined) return key
  const what = name === 'project' ? 'project' : 'environment'
  const where = name === 'project' ? ' "telltale whoami" lists yours.' : ''
  throw new UsageError(`Which ${what}? Say --${name} KEY, or set TELLTALE_${name.toUpperCase()}.${where}`)
}
