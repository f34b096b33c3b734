// The tables of docs/guides/scale.md, from the figures of the benchmarks.

import { readMeasured } from '../../bench/scale/measured.ts'
import { installationTable, measuredTable, usualMachines, usualSites } from '../../bench/scale/tables.ts'

/** The guide with its tables made anew. */
export function withScaleTables(guide: string, results: string): string {
  const measured = readMeasured(results)
  const sizes = installationTable(usualSites, usualMachines, measured)
  return replace(replace(guide, 'measured', measuredTable(measured)), 'sizes', sizes)
}

function replace(guide: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: written by npm run docs -->`, `<!-- end of ${name} -->`]
  const [before, rest] = guide.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new Error(`the guide to scale has no table "${name}"`)
  return `${before}${begin}\n\n${table}\n\n${end}${after}`
}
