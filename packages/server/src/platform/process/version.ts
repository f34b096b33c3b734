import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from './own-folder.ts'

export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ownFolder, 'package.json'), 'utf8'))
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isNamed ? String(manifest.version) : 'unknown'
}
