// The login that `telltale login` keeps, in a file that only its owner can read.

import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

export interface StoredLogin {
  url: string
  token: string
  /** The project of verbs that name none. */
  project?: string
  env?: string
}

/** `~/.config/telltale/login.json`, or below XDG_CONFIG_HOME. */
function loginFile({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string {
  return join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'telltale', 'login.json')
}

export function readLogin(environment: NodeJS.ProcessEnv): StoredLogin | undefined {
  const file = loginFile(environment)
  if (!existsSync(file)) return undefined
  let stored: unknown
  try {
    stored = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`${file} is ignored: ${error instanceof Error ? error.message : error}.`)
    return undefined
  }
  if (typeof stored !== 'object' || stored === null) return undefined
  const { url, token, project, env }: Partial<Record<keyof StoredLogin, unknown>> = stored
  if (typeof url !== 'string' || typeof token !== 'string') return undefined
  return {
    url,
    token,
    ...(typeof project === 'string' && { project }),
    ...(typeof env === 'string' && { env }),
  }
}

/** Written beside and renamed, so that the file is never readable by others, nor half there. */
export function writeLogin(environment: NodeJS.ProcessEnv, login: StoredLogin): string {
  const file = loginFile(environment)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  chmodSync(next, 0o600)
  renameSync(next, file)
  return file
}

export function removeLogin(environment: NodeJS.ProcessEnv): void {
  rmSync(loginFile(environment), { force: true })
}
