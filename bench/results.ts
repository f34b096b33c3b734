// Keeps bench/results.md: one section for each benchmark, each with the day it was measured.

import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'

const file = new URL('./results.md', import.meta.url)
const heading = '# Results\n\nRatios carry over to other machines, absolute times do not.\n'

export async function writeSection(title: string, text: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => heading)
  const [intro = heading, ...sections] = before.split(/^(?=## )/m)
  const day = new Date().toISOString().slice(0, 10)
  const section = `## ${title}\n\n${day}, Node ${process.version.slice(1)}, ${cpus().length} cores.\n\n${text.trim()}\n\n`
  const others = sections.filter((each) => !each.startsWith(`## ${title}\n`))
  await writeFile(file, `${[intro, ...others, section].join('').trim()}\n`)
}
