// Maintains bench/results.md: one section per benchmark with the date of the measurement and the command.

import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { relative } from 'node:path'

const file = new URL('./results.md', import.meta.url)
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

/** The command as called: npm passes the script's name in the environment. */
function nameCommand(): string {
  const { npm_lifecycle_event: script } = process.env
  const given = process.argv.slice(2).filter((argument) => argument !== '--write')
  const begin =
    script === undefined ? `npx tsx ${relative(process.cwd(), process.argv[1] ?? '')}` : `npm run ${script}`
  return `\`${[begin, ...(given.length > 0 ? ['--', ...given] : [])].join(' ')}\``
}
