import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseSync } from 'vite'
import type { Import, Source } from './source.ts'
import { findQuestions, findTypeImports } from './syntax.ts'

/** Every TypeScript file of packages/<name>/src and of the demo, with what it imports, read by a real parser. */
export function readSources(root: string): Source[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)
  return [...packages, 'demo'].flatMap((place) => {
    const folder = join(root, place)
    if (!existsSync(folder)) return []
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return paths
      .map((path) => path.split(sep).join('/'))
      .filter((path) => /\.tsx?$/.test(path) && !/^(dist|\.ready|node_modules)\//.test(path))
      .map((path) => readSource(`${place}/${path}`, readFileSync(join(folder, path), 'utf8')))
  })
}

/** Walking every syntax tree took longer than parsing it, and few files have these words. */
const mayAsk = /\b(Date|Math|performance|crypto|globalThis)\b/

export function readSource(file: string, text: string): Source {
  const { module, program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)

  const exported = module.staticExports.flatMap(({ entries }) => entries)
  return {
    file,
    imports: [
      ...module.staticImports.map(({ moduleRequest, entries }) => ({
        specifier: moduleRequest.value,
        typesOnly: entries.length > 0 && entries.every(({ isType }) => isType),
      })),
      ...exported.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, typesOnly: isType }] : [],
      ),
      ...module.dynamicImports.flatMap(({ moduleRequest }) =>
        dynamicImport(text.slice(moduleRequest.start, moduleRequest.end)),
      ),
      ...(text.includes('import(') ? findTypeImports(program) : []).map((specifier) => ({
        specifier,
        typesOnly: true,
      })),
    ],
    lines: text.split('\n').length - 1,
    exportsDefault: exported.some(({ exportName }) => exportName.kind === 'Default'),
    onlyPassesOn: program.body.length > 0 && program.body.every(passesOn),
    asksTheWorld: mayAsk.test(text) ? findQuestions(program) : [],
  }
}

/** `import(name)` with a computed name says nothing that could be checked here. */
function dynamicImport(request: string): Import[] {
  const specifier = request.match(/^(['"`])([^$]*)\1$/)?.[2]
  return specifier ? [{ specifier, typesOnly: false }] : []
}

function passesOn(statement: { type: string; source?: unknown }): boolean {
  return (
    statement.type === 'ExportAllDeclaration' ||
    (statement.type === 'ExportNamedDeclaration' && !!statement.source)
  )
}
