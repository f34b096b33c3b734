// The files of a project: those that git knows or would add, else all but usual folders of what is built or installed.

import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { limits } from '@telltale/core/limits'
import { UsageError } from '../command/read-arguments.ts'

const run = promisify(execFile)
const skipped = new Set([
  'node_modules',
  '.git',
  'dist',
  'build',
  'out',
  'coverage',
  '.next',
  'vendor',
  'target',
])

/** Paths with slashes, relative to the folder. */
export async function listFiles(folder: string): Promise<string[]> {
  const known = await git(folder, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')
  const paths = known === undefined ? await walk(folder, '') : known.split('\0').filter((path) => path !== '')
  if (paths.length <= limits.codeFiles) return paths
  throw new UsageError(`${folder} has more than ${limits.codeFiles} files. Choose a smaller --folder.`)
}

/** What git prints, or undefined where it is not available. */
export async function git(folder: string, ...args: string[]): Promise<string | undefined> {
  try {
    return (await run('git', args, { cwd: folder, maxBuffer: 2 ** 28 })).stdout
  } catch {
    return undefined
  }
}

async function walk(folder: string, place: string): Promise<string[]> {
  const entries = await readdir(join(folder, place), { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    const path = place === '' ? entry.name : `${place}/${entry.name}`
    if (entry.isDirectory() && !skipped.has(entry.name)) found.push(...(await walk(folder, path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

/** Undefined for what is binary, too large, or gone. */
export async function readText(folder: string, path: string): Promise<string | undefined> {
  const file = join(folder, path)
  try {
    const { size } = await stat(file)
    if (size > limits.codeFileSize) return undefined
    const text = await readFile(file, 'utf8')
    return text.slice(0, 8_000).includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
