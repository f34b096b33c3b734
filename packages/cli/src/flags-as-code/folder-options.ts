// The options and the calls that `plan` and `apply` share.

import { relative, resolve } from 'node:path'
import type { CodeDocument } from '@telltale/core/contract/code-document'
import type { CodeSource } from '@telltale/core/contract/flags-as-code'
import { Refusal } from '../api/refusal.ts'
import { git } from '../code/list-files.ts'
import { findLink } from '../code/repository-link.ts'
import { type CodeFolder, faultLine } from './read-folder.ts'

export const usualFolder = 'telltale'

export const folderOptions = {
  only: { value: 'ENV', does: 'leaves out the configurations of other environments', isMany: true },
  prune: { does: 'archives flags, and deletes other entries, that were removed from the folder' },
  repository: { value: 'NAME', does: 'the name of the repository, as in acme/shop' },
  link: {
    value: 'TEMPLATE',
    does: 'github, gitlab, bitbucket, or an address with {file}, {line}, {commit}, {branch}',
  },
} as const

export interface Sent {
  document: CodeDocument
  prune: boolean
  source: CodeSource
}

/** What is sent to the server, which checks it. */
export async function requestOf(
  place: string,
  folder: CodeFolder,
  { only, prune, repository, link }: { only: readonly string[]; prune: boolean } & Origin,
): Promise<Sent> {
  const document: CodeDocument =
    only.length === 0 ? folder.document : { ...folder.document, ...reduced(folder, only) }
  return { document, prune, source: await findSource(resolve(place), { repository, link }) }
}

function reduced({ document }: CodeFolder, only: readonly string[]): CodeDocument {
  const flags = Object.entries(document.flags ?? {}).map(([key, flag]) => {
    if (typeof flag !== 'object' || flag === null || !('environments' in flag)) return [key, flag]
    const { environments } = flag
    if (typeof environments !== 'object' || environments === null) return [key, flag]
    const kept = Object.entries(environments).filter(([env]) => only.includes(env))
    return [key, { ...flag, environments: Object.fromEntries(kept) }]
  })
  return { flags: Object.fromEntries(flags) }
}

interface Origin {
  repository: string | undefined
  link: string | undefined
}

async function findSource(folder: string, given: Origin): Promise<CodeSource> {
  const [remote, branch, commit, root] = await Promise.all([
    git(folder, 'remote', 'get-url', 'origin'),
    git(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
    git(folder, 'rev-parse', 'HEAD'),
    git(folder, 'rev-parse', '--show-toplevel'),
  ])
  const address = remote?.trim()
  const repository = given.repository ?? address?.match(/[:/]([^:/]+\/[^/]+?)(?:\.git)?\/?$/)?.[1] ?? ''
  const link = findLink(given.link, { remote: address, repository })
  const path = root === undefined ? '' : relative(root.trim(), folder)
  return {
    repository,
    path: path.split('\\').join('/'),
    branch: branch?.trim() ?? '',
    commit: commit?.trim() ?? '',
    ...(link !== undefined && { link }),
  }
}

/** Runs a call with the folder; faults of the document are printed with file, line and column. */
export async function withPlaces<Reply>(folder: CodeFolder, call: () => Promise<Reply>): Promise<Reply> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Refusal) || error.faults.length === 0) throw error
    const { code, status, lines, faults } = error
    const located = faults.map((fault) => faultLine(folder.locate(fault)))
    const others = lines.filter((line) => !line.startsWith('  '))
    throw new Refusal({
      code,
      status,
      lines: code === 'invalid-request' ? located : [...others, ...located],
      faults,
    })
  }
}
