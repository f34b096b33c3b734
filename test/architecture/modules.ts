import { type Place, placeOf, type Source, type Target, targetOf } from './source.ts'

/** The modules of the server, top-down. Each may import those after it, and none before it, types included. */
export const modules = [
  'app',
  'reports',
  'notify',
  'guard',
  'monitoring',
  'intake',
  'release',
  'organisation',
  'access',
  'platform',
] as const

/** The packages in which no folder may lead back to itself by way of another. */
const foldered = ['server', 'core', 'sdk']

/** Why the server may not import it from there. */
export function findUpward(from: Place, to: Target): string | undefined {
  if (from.package !== 'server' || to.kind !== 'ours' || to.package !== 'server') return undefined
  const [here, there] = [from, to].map(({ folder }) => modules.findIndex((module) => module === folder))
  if (here === -1) return `${from.path} is in no module`
  if (there === -1) return `${to.path} is in no module`
  return here !== undefined && there !== undefined && there < here
    ? `${from.folder} is below ${to.folder}`
    : undefined
}

/** Of the files that are not tests: which folders each folder imports. Files directly in `src` stand for themselves. */
export function foldersOf(sources: readonly Source[], name: string): Map<string, string[]> {
  const folders = new Map<string, Set<string>>()
  for (const { file, imports } of sources) {
    const from = placeOf(file)
    if (from?.package !== name || isTest(file)) continue
    const here = folderOf(from.path)
    const found = folders.get(here) ?? new Set()
    folders.set(here, found)
    for (const { specifier } of imports) {
      const to = targetOf(file, specifier)
      if (to.kind === 'ours' && to.package === name && folderOf(to.path) !== here)
        found.add(folderOf(to.path))
    }
  }
  return new Map([...folders].map(([folder, found]) => [folder, [...found]]))
}

export function folderGraphs(sources: readonly Source[]): Map<string, string[]>[] {
  return foldered.map((name) => {
    const graph = foldersOf(sources, name)
    return new Map(
      [...graph].map(([from, to]) => [`${name}/${from}`, to.map((folder) => `${name}/${folder}`)]),
    )
  })
}

/** Which modules each module imports. */
export function drawModules(sources: readonly Source[]): string {
  const edges = foldersOf(sources, 'server')
  const moduleIn = (folder: string) => folder.split('/', 1)[0] ?? ''
  const width = Math.max(...modules.map(({ length }) => length))
  const lines = modules.flatMap((module) => {
    const own = [...edges].filter(([folder]) => moduleIn(folder) === module)
    const used = new Set(own.flatMap(([, to]) => to.map(moduleIn)))
    const below = modules.filter((other) => other !== module && used.has(other))
    const folders = own.flatMap(([folder]) => folder.split('/')[1] ?? []).toSorted()
    const arrows = below.length === 0 ? '' : `  ──▶  ${below.join(' · ')}`
    const line = `${module.padEnd(width)}${arrows}`.trimEnd()
    return folders.length === 0 ? [line] : [line, `    ${[...new Set(folders)].join(' ')}`]
  })
  return lines.join('\n')
}

export const pictureMarks = ['<!-- modules: drawn by npm run docs -->', '<!-- end of modules -->'] as const

/** The text with the picture in the place of the one before. */
export function withPicture(text: string, picture: string): string {
  const [begin, end] = pictureMarks
  const [first, last] = [text.indexOf(begin), text.indexOf(end)]
  if (first === -1 || last < first) throw new Error('docs/architecture.md has no place for the modules.')
  return `${text.slice(0, first)}${begin}\n\n\`\`\`text\n${picture}\n\`\`\`\n\n${text.slice(last)}`
}

/** And what tests of a folder share. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(file)
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path
}
