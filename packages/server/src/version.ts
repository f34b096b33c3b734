import { createRequire } from 'node:module'

/** The version of the product. `../package.json` is the server's, seen from the source as from the bundle. */
export function readVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('../package.json')
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isNamed ? String(manifest.version) : 'unknown'
}
