// Removes a flag from the files of a project: text in, text out.

import type { Node } from '@babel/types'
import { findLeftovers } from './clean/leftovers.ts'
import { removeTests } from './clean/tests.ts'
import { exportOf, removeUnused } from './clean/unused.ts'
import { constantOf, importOf } from './fold/constants.ts'
import { isInlined } from './fold/known.ts'
import { findValue, returnedBy } from './fold/names.ts'
import { createReducer } from './fold/reduce.ts'
import { createUnit, type Fact, type Leftover, type Removal, type Unit } from './fold/unit.ts'
import { visit } from './fold/visit.ts'
import { resolveImport } from './resolve-import.ts'
import { parseCode } from './syntax/parse.ts'
import type { Binding } from './syntax/scopes.ts'

export interface CodeFile {
  /** With slashes, relative to the folder of the project. */
  path: string
  text: string
}

interface FileLeftover extends Leftover {
  path: string
}

export interface RemovedFlag {
  changed: CodeFile[]
  left: FileLeftover[]
}

type Facts = Map<string, Map<string, Fact>>

/** Files that are no programs, or would be none afterwards, are left and listed. */
export function removeFromFiles(files: readonly CodeFile[], removal: Removal): RemovedFlag {
  const left: FileLeftover[] = []
  const paths = new Set(files.map(({ path }) => path))
  const facts: Facts = new Map()
  let units = new Map<string, Unit>()
  for (let round = 0; round < longestChain; round++) {
    const before = JSON.stringify([...facts].map(([path, known]) => [path, [...known]]))
    units = openUnits(files, removal, { facts, paths, left: round === 0 ? left : [] })
    for (const [path, unit] of units) facts.set(path, factsOf(unit))
    if (JSON.stringify([...facts].map(([path, known]) => [path, [...known]])) === before) break
  }
  // A file with tests of the other side is changed, whatever else it holds.
  for (const unit of units.values()) {
    unit.visit(unit.program)
    removeTests(unit)
  }
  cleanAll(units, files)

  const changed: CodeFile[] = []
  for (const [path, unit] of units) {
    const text = unit.edits.size === 0 ? unit.text : unit.edits.render()
    const after = text === unit.text ? unit : parseCode(path, text)
    const isBroken = typeof after === 'string' || after.faults > unit.faults
    if (isBroken) {
      const why = typeof after === 'string' ? after : 'the result could not be read'
      left.push({ path, line: 1, column: 1, reason: `The file was left, because ${why}.` })
      continue
    }
    left.push(...findLeftovers(unit).map((each) => ({ path, ...each })))
    if (text !== unit.text) changed.push({ path, text })
  }
  return { changed, left }
}

/** Constants and functions that pass the flag on from file to file. */
const longestChain = 6

function openUnits(
  files: readonly CodeFile[],
  removal: Removal,
  { facts, paths, left }: { facts: Facts; paths: ReadonlySet<string>; left: FileLeftover[] },
): Map<string, Unit> {
  const units = new Map<string, Unit>()
  const marks = [removal.key, ...markedNames(removal)]
  const related = [...facts].filter(([, known]) => known.size > 0).map(([path]) => stemOf(path))
  for (const { path, text } of files) {
    const isRelated = marks.some((mark) => text.includes(mark)) || related.some((stem) => text.includes(stem))
    if (!isRelated) continue
    const parsed = parseCode(path, text)
    if (typeof parsed === 'string') {
      left.push({ path, line: 1, column: 1, reason: `The file could not be read: ${parsed}.` })
      continue
    }
    const importedFact = (source: string, name: string) => {
      const from = resolveImport(path, source, paths)
      return from === undefined ? undefined : facts.get(from)?.get(name)
    }
    units.set(path, createUnit(path, parsed, { removal, importedFact, reduce: createReducer(), visit }))
  }
  return units
}

function markedNames({ names, key }: Removal): string[] {
  const constants = Object.entries(names.constants).filter(([, value]) => value === key)
  return [
    ...constants.map(([name]) => name),
    ...names.wrappers.filter(({ flag }) => flag === key).map(({ name }) => name),
  ]
}

/** The part of the path by which another file may import it. */
function stemOf(path: string): string {
  const stem = path.replace(/\.[^./]+$/, '')
  const name = stem.slice(stem.lastIndexOf('/') + 1)
  return name === 'index' ? '.' : name
}

function factsOf(unit: Unit): Map<string, Fact> {
  const found = new Map<string, Fact>()
  for (const binding of unit.scopes.bindings) {
    const name = exportedName(unit, binding)
    const fact = name === undefined ? undefined : factOf(unit, binding)
    if (name !== undefined && fact !== undefined) found.set(name, fact)
  }
  return found
}

function exportedName(unit: Unit, binding: Binding): string | undefined {
  const own = exportOf(unit, binding)?.name
  if (own !== undefined) return own
  for (const { node } of binding.references) {
    const specifier = unit.scopes.links.get(node)?.parent
    if (specifier?.type !== 'ExportSpecifier') continue
    return specifier.exported.type === 'Identifier' ? specifier.exported.name : specifier.exported.value
  }
  return undefined
}

function factOf(unit: Unit, binding: Binding): Fact | undefined {
  const value = findValue(unit, binding)
  if (value !== undefined) {
    return isInlined(value) && value.value !== undefined ? { kind: 'value', value: value.value } : undefined
  }
  const returned = returnedBy(unit, binding)
  if (returned?.value !== undefined) {
    return { kind: 'function', value: returned.value, isAsync: returned.isPromise === true }
  }
  const constant = constantOf(unit, binding.identifier)
  // Only what may lead to a read of this flag.
  const holds = constant !== undefined && JSON.stringify(constant).includes(JSON.stringify(unit.removal.key))
  return holds ? { kind: 'constant', value: constant } : undefined
}

/** Exports that other files used go when those files do not use them any more. */
function cleanAll(units: ReadonlyMap<string, Unit>, files: readonly CodeFile[]): void {
  const paths = new Set(files.map(({ path }) => path))
  // Files that were not read by their syntax may import from those that were.
  const unread = files.filter(({ path }) => !units.has(path))
  const isOpen = (path: string) => !unread.some(({ text }) => text.includes(stemOf(path)))
  for (let round = 0; round < longestChain; round++) {
    const uses = usesOf(units, paths)
    const sizes = [...units.values()].map(({ edits }) => edits.size)
    for (const [path, unit] of units) {
      if (unit.edits.size === 0 && !uses.lost(path)) continue
      removeUnused(unit, (name) => uses.isLost(path, name) && isOpen(path))
    }
    if ([...units.values()].every(({ edits }, index) => edits.size === sizes[index])) return
  }
}

function usesOf(units: ReadonlyMap<string, Unit>, paths: ReadonlySet<string>) {
  const before = new Set<string>()
  const now = new Set<string>()
  for (const [path, unit] of units) {
    const alive = unit.edits.alive()
    const use = (source: string, name: string, node: Node) => {
      const from = resolveImport(path, source, paths)
      if (from === undefined) return
      before.add(`${from}\n${name}`)
      if (alive[node.start ?? 0] === 1) now.add(`${from}\n${name}`)
    }
    for (const binding of unit.scopes.bindings) {
      const from = binding.kind === 'import' ? importOf(unit.scopes, binding) : undefined
      if (from !== undefined) use(from.source, from.name, binding.identifier)
    }
    for (const statement of unit.program.body) {
      if (statement.type === 'ExportAllDeclaration') use(statement.source.value, '*', statement)
      if (statement.type !== 'ExportNamedDeclaration' || !statement.source) continue
      for (const specifier of statement.specifiers) {
        const isNamed = specifier.type === 'ExportSpecifier'
        use(statement.source.value, isNamed ? specifier.local.name : '*', specifier)
      }
    }
  }
  return {
    isLost: (path: string, name: string) =>
      before.has(`${path}\n${name}`) && !now.has(`${path}\n${name}`) && !now.has(`${path}\n*`),
    lost: (path: string) => [...before].some((use) => use.startsWith(`${path}\n`) && !now.has(use)),
  }
}
