// Finds the source maps of a build folder and the script of each: by the scripts' sourceMappingURL comments, by file
// names, and inline in scripts.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'

export interface FoundMap {
  /** Path of the script in the folder, with slashes. */
  script: string
  /** The file that contains the map. */
  from: string
  content: Uint8Array
  /** SHA-256 of the content, as stored by the server. */
  hash: string
  debugId: string | undefined
}

interface FoundMaps {
  maps: FoundMap[]
  /** Unusable files, with the reason. */
  faults: string[]
  /** Scripts without a map. */
  bare: string[]
}

const skipped = new Set(['node_modules', '.git'])
const isScript = (file: string) => /\.[cm]?js$/.test(file)
const isMap = (file: string) => /\.[cm]?js\.map$/.test(file)
/** The last one counts: a bundle may contain the comments of its inputs. */
const mapComment = /\/\/[#@] ?sourceMappingURL=([^\s'"]+)[^\S\n]*$/gm
const debugIdComment = /\/\/# debugId=([0-9a-f-]{36})[^\S\n]*$/im
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const inlineMap = /^data:application\/json[^,]*?(;base64)?,(.*)$/s

export async function findMaps(folder: string): Promise<FoundMaps> {
  const files = await listFiles(folder)
  const found: FoundMaps = { maps: [], faults: [], bare: [] }
  const used = new Set<string>()
  for (const script of files.filter(isScript)) {
    const text = await readFile(script, 'utf8')
    const place = readMap(text, script, files)
    if (place === undefined) {
      found.bare.push(nameOf(folder, script))
      continue
    }
    if (typeof place === 'string') used.add(place)
    const content = typeof place === 'string' ? await readFile(place) : place
    const from = typeof place === 'string' ? nameOf(folder, place) : `${nameOf(folder, script)} (in it)`
    take(found, { script: nameOf(folder, script), from, content, debugId: debugIdComment.exec(text)?.[1] })
  }
  // The scripts may be deployed from elsewhere: derive the script from the map's name.
  for (const file of files.filter((one) => isMap(one) && !used.has(one))) {
    const from = nameOf(folder, file)
    take(found, {
      script: from.replace(/\.map$/, ''),
      from,
      content: await readFile(file),
      debugId: undefined,
    })
  }
  return found
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !relative(folder, file)
          .split(sep)
          .some((part) => skipped.has(part)),
    )
    .sort()
}

/** The file of a script's map, or the inline map; undefined when there is neither. */
function readMap(text: string, script: string, files: readonly string[]): string | Uint8Array | undefined {
  const named = [...text.matchAll(mapComment)].at(-1)?.[1]
  const inline = named === undefined ? undefined : inlineMap.exec(named)
  if (inline) {
    const [, isBase64, body = ''] = inline
    return isBase64 ? Buffer.from(body, 'base64') : Buffer.from(decode(body))
  }
  const path = decode(named?.split(/[?#]/, 1)[0] ?? '')
  const beside = join(dirname(script), basename(path))
  return [join(dirname(script), path), beside, `${script}.map`].find(
    (file) => file !== script && files.includes(file),
  )
}

function take(found: FoundMaps, given: Omit<FoundMap, 'hash'>): void {
  const fault = faultOf(given.content)
  if (typeof fault === 'string') {
    found.faults.push(`${given.from}: ${fault}`)
    return
  }
  const debugId = (fault.debugId ?? given.debugId)?.toLowerCase()
  const hash = createHash('sha256').update(given.content).digest('hex')
  found.maps.push({ ...given, debugId, hash })
}

function faultOf(content: Uint8Array): string | { debugId: string | undefined } {
  let read: unknown
  try {
    read = JSON.parse(
      Buffer.from(content)
        .toString('utf8')
        .replace(/^\)\]\}'[^\n]*\n/, ''),
    )
  } catch {
    return 'not JSON, so not a source map'
  }
  const map: Record<string, unknown> = typeof read === 'object' && read !== null ? { ...read } : {}
  if (map.version !== 3 || !('mappings' in map || 'sections' in map)) {
    return 'this is not a source map of version 3 with mappings'
  }
  const ids = [map.debugId, map.debug_id]
  return { debugId: ids.find((id): id is string => typeof id === 'string' && uuid.test(id)) }
}

const nameOf = (folder: string, file: string) => relative(folder, file).split(sep).join('/')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A literal percent sign.
    return text
  }
}
