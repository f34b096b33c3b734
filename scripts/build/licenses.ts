// The licences of npm packages whose code is in a file of ours.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './manifest.ts'
import { root } from './place.ts'

/** Of everything that the named folders take in, with what that needs itself. */
export function writeLicensesOf(places: readonly string[]): string {
  const wanted = new Set(places.flatMap((place) => dependenciesIn(place)))
  // The set grows during the iteration.
  for (const name of wanted) {
    for (const needed of Object.keys(readManifest(`node_modules/${name}`).dependencies ?? {}))
      wanted.add(needed)
  }
  return [...wanted].sort().map(licenseOf).join('\n')
}

/** Build tools are among these, too: a notice too many does no harm. */
function dependenciesIn(place: string): string[] {
  const { dependencies = {}, devDependencies = {} } = readManifest(place)
  return Object.keys({ ...devDependencies, ...dependencies }).filter(
    (name) => !name.startsWith('@telltale/') && existsSync(join(root, 'node_modules', name)),
  )
}

export function licenseOf(name: string): string {
  const folder = join(root, 'node_modules', name)
  const { version, license } = readManifest(`node_modules/${name}`)
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying|notice)/i.test(one))
  const text = file === undefined ? `License: ${license}\n` : readFileSync(join(folder, file), 'utf8')
  return `${name} ${version}\n\n${text}`
}
