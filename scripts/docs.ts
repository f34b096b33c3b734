// Writes docs/reference from what the code knows.

import { mkdir, writeFile } from 'node:fs/promises'
import { renderReference } from './docs/pages.ts'

const folder = new URL('../docs/reference/', import.meta.url)

await mkdir(folder, { recursive: true })
for (const [name, text] of renderReference()) await writeFile(new URL(name, folder), text)
