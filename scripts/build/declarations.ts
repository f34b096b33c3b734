// The published types of a package.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './place.ts'

interface Declarations {
  target: string
  entries: readonly string[]
}

/** Writes the declarations that the entries reach, as configured in the package's `tsconfig.types.json`. */
export async function writeDeclarations(folder: string, { target, entries }: Declarations): Promise<void> {
  const all = mkdtempSync(join(tmpdir(), 'telltale-types-'))
  try {
    const args = ['-p', join(folder, 'tsconfig.types.json'), '--outDir', all]
    await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), args)
    copyReached(all, target, new Set(entries))
  } finally {
    rmSync(all, { recursive: true, force: true })
  }
}

const relativeImport = /(["'])(\.{1,2}\/[^"']+)\.ts\1/g

function copyReached(all: string, target: string, wanted: Set<string>): void {
  // The set grows during the iteration.
  for (const name of wanted) {
    const text = readFileSync(join(all, `${name}.d.ts`), 'utf8')
    const copied = text.replace(relativeImport, (_, quote: string, path: string) => {
      wanted.add(join(dirname(name), path))
      return `${quote}${path}.js${quote}`
    })
    mkdirSync(dirname(join(target, name)), { recursive: true })
    writeFileSync(join(target, `${name}.d.ts`), copied)
  }
}
