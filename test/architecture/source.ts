import { isBuiltin } from 'node:module'
import { posix } from 'node:path'

/** One file of ours, as `packages/<package>/src/<path>` or `demo/<path>`; `folder` is the first folder in src, '' directly below it. */
export interface Place {
  package: string
  path: string
  folder: string
}

export type Target =
  | ({ kind: 'ours' } & Place)
  | { kind: 'npm'; name: string; specifier: string }
  | { kind: 'node'; name: string }
  | { kind: 'outside'; path: string }

export interface Import {
  specifier: string
  /** Erased by the compiler: nothing of it reaches the running program. */
  typesOnly: boolean
}

export interface Source {
  /** From the root of the repository, with slashes. */
  file: string
  imports: Import[]
  lines?: number
  exportsDefault?: boolean
  /** Has statements, and all of them pass on what other files export. */
  onlyPassesOn?: boolean
  /** What the file asks of the world without importing it: `Date.now`, `new Date()`, `Math.random` … */
  asksTheWorld?: string[]
}

const folderOfPackage: Record<string, string> = { browser: 'sdk' }

export function placeOf(file: string): Place | undefined {
  const [, name, path] = file.match(/^(?:packages\/([^/]+)\/src|demo)\/(.+)$/) ?? []
  if (path && file.startsWith('demo/')) return { package: 'demo', path, folder: path.split('/', 1)[0] ?? '' }
  if (!name || !path) return undefined
  return { package: name, path, folder: path.includes('/') ? path.slice(0, path.indexOf('/')) : '' }
}

export function targetOf(file: string, specifier: string): Target {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(file), specifier)
    const place = placeOf(path)
    return place ? { kind: 'ours', ...place } : { kind: 'outside', path }
  }
  const [, name, path] = specifier.match(/^@telltale\/([^/]+)\/?(.*)$/) ?? []
  if (name) return { kind: 'ours', ...placeInPackage(folderOfPackage[name] ?? name, path ?? '') }
  if (isBuiltin(specifier)) return { kind: 'node', name: specifier }
  return { kind: 'npm', name: specifier.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? specifier, specifier }
}

function placeInPackage(name: string, path: string): Place {
  return placeOf(`packages/${name}/src/${path}.ts`) ?? { package: name, path, folder: '' }
}
