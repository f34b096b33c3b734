import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './place.ts'

/** What a package of npm wants to have said where it is taken in. */
export function licenseOf(name: string): string {
  const place = join(root, 'node_modules', name)
  const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  return `${name} ${version}\n\n${readFileSync(join(place, 'LICENSE'), 'utf8')}`
}
