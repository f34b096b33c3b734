// Original stacks: every frame is looked up in the source map of its script. Frames that cannot be mapped carry the
// reason.

import {
  decodedMappings,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
} from '@jridgewell/trace-mapping'
import type { MappedFrame } from '@telltale/core/contract/issues'
import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { declaredFunction } from '@telltale/core/telemetry/declared-function'
import { enclosingFunction } from '@telltale/core/telemetry/enclosing-function'
import type { Frame } from '@telltale/core/telemetry/stack'
import { LRUCache } from 'lru-cache'
import type { Static } from 'typebox'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { MemoryBudget, MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { unpackWhole } from '../../platform/memory/unpack.ts'
import { findMap, type KnownMap, type WhyNot } from './find-map.ts'
import { parsedMapSize, parseSourceMap } from './parse-source-map.ts'
import { findNamedMaps, hasSourceMaps, readContent } from './queries.ts'
import { lastPart, scriptPath } from './script-path.ts'

interface StackToMap {
  version: string
  /** The page on which it was thrown. */
  page: string
  /** What a frame's position refers to: a call inside a function (default), or the start of a function. */
  places?: 'calls' | 'functions'
  frames: readonly Frame[]
}

export interface StackMapper {
  /** The frames of each stack, in its order. */
  map(projectId: string, stacks: readonly StackToMap[]): Promise<Static<typeof MappedFrame>[][]>
}

const unpacking = { packing: 'gzip', mostBytes: limits.sourceMapInflated } as const
const linesAround = 5
const linesOfFunction = 24
const longestLine = 300

export function createStackMapper(db: Db, memory: MemoryBudget): StackMapper {
  /** By the map's ID, which changes when the map is replaced. */
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
    const found = await memory
      .during('management', (claim) => read(content, claim))
      .catch((error: unknown) => {
        // This server has less memory than the one that accepted the upload: waiting would not help.
        if (error instanceof Problem && error.code === 'payload-too-large') return { map: undefined, size: 1 }
        throw error
      })
    opened.set(id, found)
    return found.map
  }

  return {
    async map(projectId, stacks) {
      const files = stacks
        .flatMap(({ frames }) => frames.map(({ file }) => file))
        .filter((file) => file !== '')
      const names = [...new Set(files.map((file) => lastPart(scriptPath(file))))]
      const [maps, hasMaps] = await Promise.all([
        findNamedMaps(db, projectId, names),
        hasSourceMaps(db, projectId),
      ])
      const known = { maps, hasMaps, open, linesOf: createLineReader() }
      const mapped: Static<typeof MappedFrame>[][] = []
      for (const { version, page, places = 'calls', frames } of stacks) {
        const ofStack: Static<typeof MappedFrame>[] = []
        for (const frame of frames) ofStack.push(await mapFrame(frame, { version, page, places }, known))
        mapped.push(ofStack)
      }
      return mapped
    },
  }
}

/** Without surrounding source lines. Empty when no frame is mapped. */
export function toOriginalStack(frames: readonly Static<typeof MappedFrame>[]): Frame[] {
  if (frames.every(({ original }) => original === null)) return []
  return frames.map(({ original, ...frame }) => {
    const { file, line, column } = original ?? frame
    // A map may not contain the name of the enclosing function.
    return { function: original?.function || frame.function, file, line, column }
  })
}

async function read(content: Uint8Array, claim: MemoryClaim) {
  claim.grow(content.byteLength)
  const plain = await unpackWhole(content, unpacking, claim)
  claim.grow(parsedMapSize(plain))
  // Decoded, it takes several times its size as text.
  return { map: parseSourceMap(plain), size: 3 * plain.byteLength + 1 }
}

interface Known {
  maps: readonly KnownMap[]
  hasMaps: boolean
  open(id: string): Promise<TraceMap | undefined>
  linesOf(map: TraceMap, source: string): readonly string[] | undefined
}

async function mapFrame(
  frame: Frame,
  { version, page, places }: Required<Omit<StackToMap, 'frames'>>,
  { maps, hasMaps, open, linesOf }: Known,
): Promise<Static<typeof MappedFrame>> {
  if (frame.file === '' || frame.line === 0) return refused(frame, 'no-script')
  const choice = findMap(maps, { address: frame.file, version, page }, hasMaps)
  if (choice.kind === 'missing') return refused(frame, choice.why, choice.nearest)
  const map = await open(choice.map.id)
  if (map === undefined) return refused(frame, 'not-uploaded')

  // Stacks count columns from 1, maps from 0.
  const found = originalPositionFor(map, { line: frame.line, column: Math.max(0, frame.column - 1) })
  if (found.source === null) {
    const isBehind = frame.line > decodedMappings(map).length
    return refused(frame, isBehind ? 'no-line' : 'no-position', choice.map)
  }
  const { source, line, column, name } = found
  const lines = linesOf(map, source)
  const read = places === 'functions' ? readFunction : readCall
  const original = {
    file: source,
    line,
    column: column + 1,
    ...(lines === undefined ? { function: name ?? '', code: null } : read(lines, { line, column })),
  }
  return { ...frame, original, why: null, nearest: null }
}

interface CodeLocation {
  line: number
  /** From 0. */
  column: number
}

/** The map names the function being called, not the enclosing one. */
function readCall(lines: readonly string[], { line }: CodeLocation) {
  return {
    function: enclosingFunction(lines, line),
    code: codeOf(lines, line - linesAround, line + linesAround),
  }
}

function readFunction(lines: readonly string[], { line, column }: CodeLocation) {
  const text = lines[line - 1] ?? ''
  return {
    function: declaredFunction(text, column),
    code: codeOf(lines, line, line + linesOfFunction),
  }
}

function refused(
  frame: Frame,
  why: WhyNot | 'no-script' | 'no-line' | 'no-position',
  nearest?: KnownMap | undefined,
): Static<typeof MappedFrame> {
  return {
    ...frame,
    original: null,
    why,
    nearest: nearest === undefined ? null : { file: nearest.file, version: nearest.version },
  }
}

/** Frames of a stack share their sources, which may be long: split each only once. */
function createLineReader(): Known['linesOf'] {
  const known = new Map<TraceMap, Map<string, readonly string[] | undefined>>()
  return (map, source) => {
    const sources = known.get(map) ?? new Map<string, readonly string[] | undefined>()
    known.set(map, sources)
    if (!sources.has(source)) sources.set(source, sourceContentFor(map, source)?.split(/\r?\n/))
    return sources.get(source)
  }
}

function codeOf(all: readonly string[], from: number, to: number): { first: number; lines: string[] } {
  const first = Math.max(1, from)
  const lines = all.slice(first - 1, to)
  return { first, lines: lines.map((text) => text.slice(0, longestLine)) }
}
