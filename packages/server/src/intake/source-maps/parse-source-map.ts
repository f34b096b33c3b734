import { FlattenMap, type TraceMap } from '@jridgewell/trace-mapping'
import { parsedSize } from '../../platform/memory/parsed-size.ts'

const [comma, semicolon] = [0x2c, 0x3b]
/** Memory of a segment of the mappings, decoded into lists of numbers, and of the list for a line. */
const mappingCosts = { segment: 100, line: 48 } as const

/** Approximate memory of a parsed and decoded map, in bytes. */
export function parsedMapSize(text: Uint8Array): number {
  let size = parsedSize(text)
  for (let at = 0; at < text.length; at++) {
    if (text[at] === comma) size += mappingCosts.segment
    else if (text[at] === semicolon) size += mappingCosts.line
  }
  return size
}

/** A map of version 3, with or without sections; undefined for anything else. */
export function parseSourceMap(bytes: Uint8Array): TraceMap | undefined {
  try {
    // Some tools prepend a line that prevents the text from being run as a script.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/^\)\]\}'[^\n]*\n/, '')
    const map: unknown = JSON.parse(text)
    return isSourceMap(map) ? new FlattenMap(map) : undefined
  } catch {
    // Broken JSON or broken mappings: not a source map; the caller reports it.
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
