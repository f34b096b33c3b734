import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const skipped = new Set(['node_modules', 'dist', '.ready'])

/** Changes when a file below `paths` is added, removed or written; fast, because it reads only names and times. */
export function hashFiles(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths) addToHash(hash, root, path)
  return hash.digest('hex')
}

function addToHash(hash, root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found) return
  if (!found.isDirectory()) {
    hash.update(`${path} ${found.size} ${found.mtimeMs}\n`)
    return
  }
  for (const name of readdirSync(join(root, path)).sort()) {
    if (skipped.has(name) || /\.test\.tsx?$/.test(name)) continue
    addToHash(hash, root, `${path}/${name}`)
  }
}

export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).stamp
  } catch {
    return undefined
  }
}

export function writeStamp(file, stamp) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ stamp })}\n`)
}
