// The file that names a team's wrappers and constants: `telltale.code.json` in the folder of the project.

import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { CodeNames, Wrapper } from '@telltale/code/flag/reads'
import { UsageError } from '../command/read-arguments.ts'

const usualFile = 'telltale.code.json'

/** The path of the file below the folder, as files are listed. */
export function pathOfNames(folder: string, file: string | undefined): string {
  if (file === undefined) return usualFile
  return relative(folder, resolve(file)).split('\\').join('/')
}

/** Without the file, and without a name given for it, there are none. */
export async function readCodeNames(folder: string, file: string | undefined): Promise<CodeNames> {
  let text: string
  try {
    text = await readFile(file ?? join(folder, usualFile), 'utf8')
  } catch (error) {
    if (file === undefined) return { wrappers: [], constants: {} }
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
  try {
    return parseNames(JSON.parse(text))
  } catch (error) {
    throw new UsageError(`${file ?? usualFile}: ${error instanceof Error ? error.message : error}.`)
  }
}

function parseNames(read: unknown): CodeNames {
  if (!isObject(read)) throw new Error('must be an object with wrappers and constants')
  const { wrappers = [], constants = {} } = read
  if (!Array.isArray(wrappers)) throw new Error('wrappers must be a list')
  if (!isObject(constants)) throw new Error('constants must be an object of names and keys')
  return {
    wrappers: wrappers.map(parseWrapper),
    constants: Object.fromEntries(Object.entries(constants).map(([name, key]) => [name, String(key)])),
  }
}

function parseWrapper(given: unknown): Wrapper {
  if (typeof given === 'string') return { name: given }
  if (!isObject(given) || typeof given.name !== 'string') throw new Error('each wrapper must have a name')
  const { name, argument, flag, returns, isAsync } = given
  return {
    name,
    argument: typeof argument === 'number' ? argument : undefined,
    flag: typeof flag === 'string' ? flag : undefined,
    returns: returns === 'details' ? 'details' : 'value',
    isAsync: isAsync === true,
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
