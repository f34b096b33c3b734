// Stacks as people wrote the code: every frame is looked up in the map of its script. What can't be says why.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { originalPositionFor, sourceContentFor, type TraceMap } from '@jridgewell/trace-mapping'
import type { MappedFrame } from '@telltale/core/contract/issues'
import { limits } from '@telltale/core/limits'
import type { Frame } from '@telltale/core/telemetry/stack'
import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import type { Db } from '../engines/postgres/open.ts'
import { findMap, type KnownMap, type WhyNot } from './find-map.ts'
import { parseSourceMap } from './parse-source-map.ts'
import { findNamedMaps, readContent } from './queries.ts'
import { lastPart, scriptPath } from './script-path.ts'

export interface AskedStack {
  version: string
  frames: readonly Frame[]
}

export interface StackMapper {
  /** The frames of each stack, in its order. */
  map(projectId: string, stacks: readonly AskedStack[]): Promise<Static<typeof MappedFrame>[][]>
}

const inflate = promisify(gunzip)
const linesAround = 3
const longestLine = 300

export function createStackMapper(db: Db): StackMapper {
  /** By the id of the map, which is another one when the map is replaced. */
  const opened = new LRUCache<string, { map: TraceMap | undefined; size: number }>({
    maxSize: limits.sourceMapCache,
    maxEntrySize: limits.sourceMapInflated,
    sizeCalculation: ({ size }) => size,
  })

  const open = async (id: string): Promise<TraceMap | undefined> => {
    const known = opened.get(id)
    if (known !== undefined) return known.map
    const content = await readContent(db, id)
    if (content === undefined) return undefined
    const plain = await inflate(content, { maxOutputLength: limits.sourceMapInflated })
    const map = parseSourceMap(plain)
    // Decoded, it takes some times what it took as text.
    opened.set(id, { map, size: 3 * plain.byteLength + 1 })
    return map
  }

  return {
    async map(projectId, stacks) {
      const files = stacks
        .flatMap(({ frames }) => frames.map(({ file }) => file))
        .filter((file) => file !== '')
      const names = [...new Set(files.map((file) => lastPart(scriptPath(file))))]
      const maps = await findNamedMaps(db, projectId, names)
      const mapped: Static<typeof MappedFrame>[][] = []
      for (const { version, frames } of stacks) {
        const ofStack: Static<typeof MappedFrame>[] = []
        for (const frame of frames) ofStack.push(await mapFrame(frame, { version, maps, open }))
        mapped.push(ofStack)
      }
      return mapped
    },
  }
}

interface Known {
  version: string
  maps: readonly KnownMap[]
  open(id: string): Promise<TraceMap | undefined>
}

async function mapFrame(frame: Frame, { version, maps, open }: Known): Promise<Static<typeof MappedFrame>> {
  if (frame.file === '' || frame.line === 0)
    return { ...frame, original: null, why: 'no-script', nearest: null }
  const choice = findMap(maps, { address: frame.file, version })
  if (choice.kind === 'missing') return refused(frame, choice.why, choice.nearest)
  const map = await open(choice.map.id)
  if (map === undefined) return refused(frame, 'not-uploaded', undefined)

  // Stacks count columns from 1, maps from 0.
  const found = originalPositionFor(map, { line: frame.line, column: Math.max(0, frame.column - 1) })
  if (found.source === null) return refused(frame, 'no-position', choice.map)
  const { source, line, column, name } = found
  const original = {
    function: name ?? '',
    file: source,
    line,
    column: column + 1,
    code: codeAround(map, source, line),
  }
  return { ...frame, original, why: null, nearest: null }
}

function refused(
  frame: Frame,
  why: WhyNot | 'no-position',
  nearest: KnownMap | undefined,
): Static<typeof MappedFrame> {
  return {
    ...frame,
    original: null,
    why,
    nearest: nearest === undefined ? null : { file: nearest.file, version: nearest.version },
  }
}

function codeAround(map: TraceMap, source: string, line: number): { first: number; lines: string[] } | null {
  const content = sourceContentFor(map, source)
  if (content === null) return null
  const first = Math.max(1, line - linesAround)
  const lines = content.split('\n').slice(first - 1, line + linesAround)
  return { first, lines: lines.map((text) => text.replace(/\r$/, '').slice(0, longestLine)) }
}
