// Writes a document as the files of a folder: one per flag, and one for each other kind.

import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeKinds } from '@telltale/core/code-kinds'
import { type CodeDocument, describeCodeDocument } from '@telltale/core/contract/code-document'
import { stringify } from 'yaml'
import { UsageError } from '../command/read-arguments.ts'

type Format = 'yaml' | 'json'

interface Writing {
  format: Format
  /** Overwrite files of the same names. */
  force: boolean
}

/** Beside the files, so that editors complete them without a network. Hidden, so that it is not read as one of them. */
export const schemaFile = '.schema.json'

/** The paths written. Throws `UsageError` if the folder is not empty, unless forced. */
export async function writeFolder(
  folder: string,
  document: CodeDocument,
  { format, force }: Writing,
): Promise<string[]> {
  const existing = await readdir(folder).catch(() => [])
  if (existing.length > 0 && !force)
    throw new UsageError(`${folder} is not empty. Say --force to overwrite files.`)
  const files = filesOf(document)
  await writeInside(folder, schemaFile, `${JSON.stringify(describeCodeDocument(), null, 2)}\n`)
  for (const [path, content] of files)
    await writeInside(folder, `${path}.${format}`, printFile(path, content, format))
  return files.map(([path]) => `${path}.${format}`)
}

function filesOf(document: CodeDocument): [string, CodeDocument][] {
  return codeKinds.flatMap((kind): [string, CodeDocument][] => {
    if (kind !== 'flags') return document[kind] === undefined ? [] : [[kind, { [kind]: document[kind] }]]
    return Object.entries(document.flags ?? {}).map(([key, flag]) => [
      `flags/${key}`,
      { flags: { [key]: flag } },
    ])
  })
}

function printFile(path: string, content: CodeDocument, format: Format): string {
  const schema = path.includes('/') ? `../${schemaFile}` : schemaFile
  if (format === 'json') return `${JSON.stringify({ $schema: schema, ...content }, null, 2)}\n`
  return `# yaml-language-server: $schema=${schema}\n${printYaml(content)}`
}

/** Texts that older readers of YAML take for something else, such as `on`, are quoted. */
function printYaml(content: unknown): string {
  return stringify(content, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
}

async function writeInside(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
