import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { CodeFile, RemovedFlag } from '@telltale/code/remove-from-files'
import { readCodeNames } from '../code/code-names.ts'
import { git, listFiles, readText } from '../code/list-files.ts'
import { findWinner, readValue, type Winner } from '../code/winning-value.ts'
import { UsageError } from '../command/read-arguments.ts'
import { inProject } from '../command/remote-verb.ts'
import { projectOptions } from '../command/target.ts'
import { exitCodes, verb } from '../command/verb.ts'

export const removeFlag = verb({
  name: 'remove-flag',
  group: 'code',
  does: 'removes a flag from TypeScript and JavaScript',
  more: 'See [code references](../guides/code-references.md#remove-a-flag).',
  takes: [{ name: 'KEY' }],
  options: {
    ...projectOptions,
    value: { value: 'VALUE', does: 'the value to keep, as JSON or text; the default is what everyone gets' },
    variation: { value: 'KEY', does: 'the variation to keep, read from the server' },
    folder: { value: 'FOLDER', does: 'the folder of the code' },
    config: { value: 'FILE', does: 'names wrappers and constants; the default is telltale.code.json' },
    patch: { value: 'FILE', does: 'writes a patch and changes no file' },
    branch: { value: 'NAME', does: 'commits the change to a new branch' },
    'dry-run': { does: 'prints the patch and changes no file' },
    json: { does: 'prints what changed and what is left as JSON, with the patch of a dry run' },
  },
  run: async (given) => {
    const { argument, text, isSet } = given
    const key = argument(0)
    const folder = resolve(text('folder') ?? '.')
    const value = text('value')
    const winner: Winner =
      value === undefined
        ? await findWinner({ ...inProject(given), key }, text('variation'))
        : { value: readValue(value), variation: text('variation'), otherVariations: [] }
    const names = await readCodeNames(folder, text('config'))
    const files = await readCode(folder)
    const { removeFromFiles } = await import('@telltale/code/remove-from-files')
    const removed = removeFromFiles([...files.values()], { key, ...winner, names })
    const target = { folder, key, patch: text('patch'), branch: text('branch'), isDryRun: isSet('dry-run') }
    const patch = await patchOf(files, removed.changed)
    const printsPatch = target.isDryRun && !isSet('json')
    if (printsPatch) process.stdout.write(patch)
    const code = target.isDryRun ? exitCodes.done : await write(removed, { ...target, text: patch })
    if (code !== exitCodes.done) return code
    if (isSet('json')) {
      const changed = removed.changed.map(({ path }) => path)
      console.log(JSON.stringify({ changed, left: removed.left, ...(target.isDryRun && { patch }) }))
    } else report(removed, { isPatch: target.isDryRun || target.patch !== undefined })
    return exitCodes.done
  },
})

async function readCode(folder: string): Promise<Map<string, CodeFile>> {
  const { isCode } = await import('@telltale/code/syntax/parse')
  const files = new Map<string, CodeFile>()
  for (const path of await listFiles(folder)) {
    if (!isCode(path) || /\.d\.[mc]?ts$/.test(path)) continue
    const text = await readText(folder, path)
    if (text !== undefined) files.set(path, { path, text })
  }
  return files
}

async function patchOf(files: ReadonlyMap<string, CodeFile>, changed: readonly CodeFile[]): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY }
  return changed
    .map(({ path, text }) => {
      const before = files.get(path)?.text ?? ''
      const names = [`a/${path}`, `b/${path}`] as const
      return createTwoFilesPatch(...names, before, text, undefined, undefined, options)
    })
    .join('')
}

interface Target {
  folder: string
  key: string
  text: string
  patch: string | undefined
  branch: string | undefined
}

async function write(
  { changed }: RemovedFlag,
  { folder, key, text, patch, branch }: Target,
): Promise<number> {
  if (patch !== undefined) {
    await mkdir(dirname(resolve(patch)), { recursive: true })
    await writeFile(patch, text)
    return exitCodes.done
  }
  const paths = changed.map(({ path }) => path)
  if (branch !== undefined) {
    const status = await git(folder, 'status', '--porcelain', '--', ...paths)
    if (status === undefined) throw new UsageError('--branch needs a repository of git.')
    if (status !== '') throw new UsageError('Commit or stash the changes in these files first.')
    if ((await git(folder, 'switch', '--create', branch)) === undefined) {
      throw new UsageError(`The branch "${branch}" could not be created. Does it exist already?`)
    }
  }
  for (const { path, text: content } of changed) await writeFile(join(folder, path), content)
  if (branch === undefined || paths.length === 0) return exitCodes.done
  await git(folder, 'add', '--', ...paths)
  if ((await git(folder, 'commit', '--message', `Remove the flag ${key}`)) !== undefined)
    return exitCodes.done
  console.error('git could not commit. The files are changed and added, on the new branch.')
  return exitCodes.failed
}

function report({ changed, left }: RemovedFlag, { isPatch }: { isPatch: boolean }): void {
  const print = isPatch ? console.error : console.log
  const count = changed.length === 1 ? '1 file' : `${changed.length} files`
  print(`${isPatch ? 'Would change' : 'Changed'} ${count}.`)
  if (!isPatch) for (const { path } of changed) print(`  ${path}`)
  if (left.length > 0) print('Left to you:')
  for (const { path, line, column, reason } of left) print(`  ${path}:${line}:${column} ${reason}`)
}
