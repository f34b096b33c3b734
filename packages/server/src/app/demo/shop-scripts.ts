// The built scripts of the demo's shop and their source maps, which give the position of a piece of source code
// in them.

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  GREATEST_LOWER_BOUND,
  generatedPositionFor,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  type TraceMap,
} from '@jridgewell/trace-mapping'
import { parseSourceMap } from '../../intake/source-maps/parse-source-map.ts'
import type { ShopScripts } from './demo.ts'

export interface BuiltShop {
  scripts: ShopScripts
  maps: BuiltMap[]
}

export interface BuiltMap {
  /** Relative to the shop's URL. */
  file: string
  content: Uint8Array
}

/** Undefined if it was not built. */
export async function readBuiltShop(folder: string): Promise<BuiltShop | undefined> {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return undefined
  const page = await readFile(index, 'utf8')
  const named = (ending: string) => new RegExp(`assets/[\\w.-]+\\.${ending}(?=")`).exec(page)?.[0] ?? ''
  const files = await readdir(join(folder, 'assets'))
  const maps = await Promise.all(
    files
      .filter((file) => file.endsWith('.js.map'))
      .map(async (file) => ({
        file: `assets/${file.replace(/\.map$/, '')}`,
        content: await readFile(join(folder, 'assets', file)),
      })),
  )
  const parsed = maps.flatMap(({ file, content }) => {
    const map = parseSourceMap(content)
    return map === undefined ? [] : [{ file, map }]
  })
  const scripts: ShopScripts = {
    script: named('js'),
    style: named('css'),
    locationOf: (source, code) => {
      for (const { file, map } of parsed) {
        const place = findPlace(map, source, code)
        if (place !== undefined) return { file, ...place }
      }
      return undefined
    },
  }
  return { scripts: { ...scripts, locationOf: remember(scripts.locationOf) }, maps }
}

/** The position of the throw, not only of its line, so that it maps back to the same line. */
function findPlace(
  map: TraceMap,
  ending: string,
  code: string,
): { line: number; column: number } | undefined {
  for (const [index, source] of map.sources.entries()) {
    if (!source?.endsWith(ending)) continue
    const lines = map.sourcesContent?.[index]?.split('\n') ?? []
    const line = lines.findIndex((text) => text.includes(code)) + 1
    const column = lines[line - 1]?.indexOf(code) ?? 0
    for (const bias of [LEAST_UPPER_BOUND, GREATEST_LOWER_BOUND] as const) {
      const found = generatedPositionFor(map, { source, line: Math.max(1, line), column, bias })
      if (line === 0 || found.line === null) continue
      if (originalPositionFor(map, found).line === line) return { line: found.line, column: found.column + 1 }
    }
  }
  return undefined
}

/** Cached, because thousands of errors are thrown in a few places. */
function remember(locationOf: ShopScripts['locationOf']): ShopScripts['locationOf'] {
  const known = new Map<string, ReturnType<ShopScripts['locationOf']>>()
  return (source, code) => {
    const key = `${source}\n${code}`
    if (!known.has(key)) known.set(key, locationOf(source, code))
    return known.get(key)
  }
}
