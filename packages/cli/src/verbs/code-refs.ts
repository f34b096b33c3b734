import { resolve } from 'node:path'
import type { CodeReference, Search } from '@telltale/code/find-references'
import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { readAllFlags } from '../api/read-all-flags.ts'
import { readCheckout } from '../code/checkout.ts'
import { pathOfNames, readCodeNames } from '../code/code-names.ts'
import { leaveOutDeclared } from '../code/declared-files.ts'
import { listFiles, readText } from '../code/list-files.ts'
import { findLink } from '../code/repository-link.ts'
import { UsageError } from '../command/read-arguments.ts'
import { projectVerb } from '../command/remote-verb.ts'

const usualContext = 2
const mostContext = 5

export const codeRefs = projectVerb({
  name: 'code-refs',
  group: 'code',
  does: 'finds the uses of flags in code and uploads them',
  more: 'See [code references](../guides/code-references.md).',
  options: {
    folder: { value: 'FOLDER', does: 'the folder of the code' },
    config: { value: 'FILE', does: 'names wrappers and constants; the default is telltale.code.json' },
    repository: { value: 'NAME', does: 'the name of the repository, as in acme/shop' },
    branch: { value: 'NAME', does: 'the branch; the default is the current one' },
    'default-branch': { value: 'NAME', does: 'the default branch; the default is main or master' },
    commit: { value: 'HASH', does: 'the commit; the default is the current one' },
    link: {
      value: 'TEMPLATE',
      does: 'github, gitlab, bitbucket, or an address with {file}, {line}, {commit}, {branch}',
    },
    context: { value: 'LINES', does: 'lines before and after each use, 0 to 5; none uploads no code' },
    'dry-run': { does: 'lists the uses and uploads nothing' },
  },
  async run({ server, project, text, isSet, show }) {
    const folder = resolve(text('folder') ?? '.')
    const listed = { paths: await listFiles(folder), names: pathOfNames(folder, text('config')) }
    const found = await search(folder, await leaveOutDeclared(folder, listed), {
      keys: new Set((await readAllFlags(server, project)).map(({ key }) => key)),
      names: await readCodeNames(folder, text('config')),
      contextLines: readContext(text('context')),
    })
    if (isSet('dry-run')) {
      show(found, () => [count(found), ...found.references.map(inOneLine)].join('\n'))
      return
    }
    const { remote, ...place } = await findPlace(folder, {
      repository: text('repository'),
      branch: text('branch'),
      defaultBranch: text('default-branch'),
      commit: text('commit'),
    })
    const link = findLink(text('link'), { remote, repository: place.repository })
    const { files, references } = found
    await server.request(calls['code-references'].uploadCodeReferences, {
      params: { project },
      body: { ...place, ...(link !== undefined && { link }), files, references },
    })
    show(found, () => `${count(found)}\nUploaded for ${place.repository}, branch ${place.branch}.`)
  },
})

interface Found {
  references: CodeReference[]
  /** Number of files that were searched. */
  files: number
  /** Number of uses that were left out. */
  more: number
}

async function search(folder: string, paths: readonly string[], given: Search): Promise<Found> {
  const { findReferences } = await import('@telltale/code/find-references')
  const { typesHeader } = await import('@telltale/code/types/write-types')
  const references: CodeReference[] = []
  for (const path of paths) {
    const text = path.length > limits.codePathLength ? undefined : await readText(folder, path)
    if (text !== undefined && !text.startsWith(typesHeader))
      references.push(...findReferences(path, text, given))
  }
  const kept = references.slice(0, limits.codeReferences)
  return { references: kept, files: paths.length, more: references.length - kept.length }
}

function readContext(text: string | undefined): number | undefined {
  if (text === undefined) return usualContext
  if (text === 'none') return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 0 && count <= mostContext) return count
  throw new UsageError(`--context takes "none" or a number from 0 to ${mostContext}.`)
}

interface Given {
  repository: string | undefined
  branch: string | undefined
  defaultBranch: string | undefined
  commit: string | undefined
}

async function findPlace(folder: string, given: Given) {
  const checkout = await readCheckout(folder)
  const {
    repository = checkout.repository,
    branch = checkout.branch,
    commit = checkout.commit,
    defaultBranch,
  } = given
  if (!repository) throw new UsageError('Set --repository: there is no remote "origin" to read it from.')
  if (!branch || branch === 'HEAD') throw new UsageError('Set --branch: no branch is checked out.')
  if (!commit) throw new UsageError('Set --commit: the folder is not in a git repository.')
  const isDefault = defaultBranch === undefined ? /^(main|master)$/.test(branch) : branch === defaultBranch
  return { repository, branch, commit, isDefault, remote: checkout.remote }
}

function count({ references, files, more }: Found): string {
  const flags = new Set(references.map(({ flag }) => flag)).size
  const number = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
  const uses = number(references.length, 'use')
  const found = `${uses} of ${number(flags, 'flag')} in ${number(files, 'searched file')}.`
  return more > 0
    ? `${found}\n${more} more were left out: an upload has at most ${limits.codeReferences}.`
    : found
}

const inOneLine = ({ flag, file, line, kind }: CodeReference) => `  ${file}:${line} ${flag} (${kind})`
