import { FlattenMap, type TraceMap } from '@jridgewell/trace-mapping'
import { parsedSize } from '../../platform/memory/parsed-size.ts'

const [comma, semicolon] = [0x2c, 0x3b]
/** A segment of its mappings, which are lists of numbers once they are decoded, and the list of a line. */
const mappingCosts = { segment: 100, line: 48 } as const

/** About what a map takes once it is parsed and decoded, in bytes. */
export function parsedMapSize(text: Uint8Array): number {
  let size = parsedSize(text)
  for (let at = 0; at < text.length; at++) {
    if (text[at] === comma) size += mappingCosts.segment
    else if (text[at] === semicolon) size += mappingCosts.line
  }
  return size
}

/** A map of version 3, with sections or without; nothing for anything else. */
export function parseSourceMap(bytes: Uint8Array): TraceMap | undefined {
  try {
    // Some tools put a line before it that keeps the text from being run as a script.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/^\)\]\}'[^\n]*\n/, '')
    const map: unknown = JSON.parse(text)
    return isSourceMap(map) ? new FlattenMap(map) : undefined
  } catch {
    // Broken JSON or broken mappings: not a map, which the caller says.
    return undefined
  }
}

type Encoded = ConstructorParameters<typeof FlattenMap>[0]

function isSourceMap(value: unknown): value is Encoded {
  if (typeof value !== 'object' || value === null || !('version' in value) || Number(value.version) !== 3)
    return false
  if ('sections' in value) return Array.isArray(value.sections)
  return (
    'mappings' in value &&
    typeof value.mappings === 'string' &&
    'sources' in value &&
    Array.isArray(value.sources)
  )
}
