// A folder of flags as code: all of its files as one document, and where each part of it is written.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeKinds } from '@telltale/core/code-kinds'
import type { Fault } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { Failure } from '../command/failure.ts'
import { UsageError } from '../command/read-arguments.ts'
import { type FileFault, type ParsedFile, parseFile } from './parse-file.ts'

export interface CodeFolder {
  /** Not checked: the server does that, and its faults are located here. */
  document: Record<string, Record<string, unknown>>
  /** The file of each entry, by its pointer. */
  files: Record<string, string>
  locate(fault: Fault): FileFault
}

export const faultLine = ({ file, line, column, message }: FileFault) =>
  `${file}:${line}:${column}: ${message}`

/** Throws a `Failure` with the faults of all files. */
export async function readFolder(folder: string): Promise<CodeFolder> {
  const paths = await listCodeFiles(folder)
  if (paths.length === 0) throw new UsageError(`${folder} has no .yaml, .yml or .json files.`)
  const faults: FileFault[] = []
  const parsed: ParsedFile[] = []
  for (const path of paths) {
    const file = parseFile(path, await readText(folder, path))
    if ('faults' in file) faults.push(...file.faults)
    else parsed.push(file)
  }
  const merged = mergeFiles(parsed, faults)
  if (faults.length > 0) throw new Failure(faults.map(faultLine))
  return merged
}

/** Entries come from any file, but each from one alone. */
function mergeFiles(parsed: readonly ParsedFile[], faults: FileFault[]): CodeFolder {
  const document: CodeFolder['document'] = {}
  const owners = new Map<string, ParsedFile>()
  for (const file of parsed) {
    const fault = (parts: readonly string[], message: string) =>
      faults.push({ file: file.path, ...file.positionOf(parts, true), message })
    if (file.content === null) continue
    if (!isObject(file.content)) {
      fault([], `must be a map of ${codeKinds.join(', ')}`)
      continue
    }
    for (const [kind, entries] of Object.entries(file.content)) {
      if (kind === '$schema' || entries === null) continue
      if (!isKind(kind)) fault([kind], `"${kind}" is unknown: use ${codeKinds.join(', ')}`)
      else if (!isObject(entries)) fault([kind], 'must be a map of entries by their key')
      else {
        const kept = document[kind] ?? {}
        document[kind] = kept
        for (const [key, entry] of Object.entries(entries)) {
          const pointer = pointerOf(kind, key)
          const first = owners.get(pointer)
          if (first !== undefined) {
            const { line, column } = first.positionOf([kind, key], true)
            fault([kind, key], `"${key}" is already declared in ${first.path}:${line}:${column}`)
            continue
          }
          owners.set(pointer, file)
          Object.defineProperty(kept, key, { value: entry, enumerable: true })
        }
      }
    }
  }
  const files = Object.fromEntries([...owners].map(([pointer, file]) => [pointer, file.path]))
  return { document, files, locate: (fault) => locate(fault, owners) }
}

function locate({ pointer, message }: Fault, owners: ReadonlyMap<string, ParsedFile>): FileFault {
  const parts = pointer
    .replace(/^\/document(?=\/|$)/, '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const [kind = '', key = ''] = parts
  const file = owners.get(pointerOf(kind, key))
  if (file === undefined)
    return { file: pointer === '' ? 'the folder' : pointer, line: 1, column: 1, message }
  const isAboutName = message === 'is unknown'
  const last = parts.length > 2 ? (parts.at(-1) ?? '') : ''
  const said =
    /^(is|must) /.test(message) && last !== ''
      ? `${/^\d+$/.test(last) ? `item ${Number(last) + 1}` : last} ${message}`
      : message
  return { file: file.path, ...file.positionOf(parts, isAboutName), message: said }
}

const pointerOf = (...parts: readonly string[]) =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isKind = (name: string) => codeKinds.some((kind) => kind === name)

/** In a fixed order, so that every machine reports the same faults first. */
async function listCodeFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  const visit = async (place: string): Promise<void> => {
    const entries = await readdir(join(folder, place), { withFileTypes: true })
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const path = place === '' ? entry.name : `${place}/${entry.name}`
      if (entry.isDirectory()) await visit(path)
      else if (entry.isFile() && /\.(ya?ml|json)$/.test(entry.name)) found.push(path)
      if (found.length > limits.codeFiles)
        throw new UsageError(`${folder} has more than ${limits.codeFiles} files.`)
    }
  }
  const about = await stat(folder).catch(() => undefined)
  if (!about?.isDirectory()) throw new UsageError(`There is no folder ${folder}.`)
  await visit('')
  return found
}

async function readText(folder: string, path: string): Promise<string> {
  const file = join(folder, path)
  const { size } = await stat(file)
  if (size > limits.codeDocumentSize)
    throw new UsageError(`${path} is larger than ${limits.codeDocumentSize} bytes.`)
  return readFile(file, 'utf8')
}
