// Writes docs/reference from the code, the module diagram into docs/architecture.md, and the tables of the guide to scale
// from the results of the benchmarks.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drawModules, withPicture } from '../test/architecture/modules.ts'
import { readSources } from '../test/architecture/read-sources.ts'
import { renderReference } from './docs/pages.ts'
import { withScaleTables } from './docs/scale.ts'

const folder = new URL('../docs/reference/', import.meta.url)

await mkdir(folder, { recursive: true })
for (const [name, text] of renderReference()) await writeFile(new URL(name, folder), text)

const architecture = new URL('../docs/architecture.md', import.meta.url)
const picture = drawModules(readSources(fileURLToPath(new URL('..', import.meta.url))))
await writeFile(architecture, withPicture(await readFile(architecture, 'utf8'), picture))

const scale = new URL('../docs/guides/scale.md', import.meta.url)
const results = await readFile(new URL('../bench/results.md', import.meta.url), 'utf8')
await writeFile(scale, withScaleTables(await readFile(scale, 'utf8'), results))
