// Maintains bench/results.md: one section per benchmark with the date of the measurement and the command.

import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }

const root = new URL('..', import.meta.url)
const file = new URL('bench/results.md', root)
const heading = '# Results\n\nRatios carry over to other machines, absolute times do not.\n'

export async function writeSection(title: string, text: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => heading)
  const [intro = heading, ...sections] = before.split(/^(?=## )/m)
  const day = new Date().toISOString().slice(0, 10)
  const about = `${day}, Node ${process.version.slice(1)}, ${cpus().length} cores; ${nameCommand()}.`
  const section = `## ${title}\n\n${about}\n\n${text}`
  const others = sections.filter((each) => !each.startsWith(`## ${title}\n`))
  const all = [intro, ...others, section].map((each) => each.trim())
  await writeFile(file, `${all.join('\n\n')}\n`)
}

/** The script of package.json that runs this benchmark, however it was started: under `npx`, npm names another. */
function nameCommand(): string {
  const path = relative(fileURLToPath(root), process.argv[1] ?? '')
  const name = path.replace(/^bench\/|\.ts$/g, '')
  const runs = Object.entries<string>(manifest.scripts).find(
    ([, command]) => command.endsWith(`tsx ${path}`) || command.endsWith(`ready.mjs bench ${name}`),
  )
  const given = process.argv.slice(2).filter((argument) => argument !== '--write')
  const begin = runs ? `npm run ${runs[0]}` : `npx tsx ${path}`
  return `\`${[begin, ...(given.length > 0 ? ['--', ...given] : [])].join(' ')}\``
}
