// Reads a folder and asks the server what applying it would change: all of `plan`, and the first half of `apply`.

import { relative, resolve } from 'node:path'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type { CodeDocument } from '@telltale/core/contract/code-document'
import type { CodeSource } from '@telltale/core/contract/flags-as-code'
import { limits } from '@telltale/core/limits'
import { Refusal } from '../api/refusal.ts'
import type { Server } from '../api/server.ts'
import { readCheckout } from '../code/checkout.ts'
import { findLink } from '../code/repository-link.ts'
import type { Given } from '../command/verb.ts'
import { type folderOptions, usualFolder } from './folder-options.ts'
import type { FileFault } from './parse-file.ts'
import { type CodeFolder, faultLine, readFolder } from './read-folder.ts'

interface PlannedFolder {
  folder: CodeFolder
  /** What was sent; the server checks it. */
  body: { document: CodeDocument; prune: boolean; source: CodeSource }
  planned: ReplyOf<(typeof calls)['flags-as-code']['planCode']>
}

type Asked = { server: Server; project: string } & Pick<
  Given<typeof folderOptions>,
  'argument' | 'text' | 'texts' | 'isSet'
>

/** Throws a `Failure` with the places of all faults, of the files or of what they say. */
export async function planFolder(asked: Asked): Promise<PlannedFolder> {
  const { server, project, argument, text, texts, isSet } = asked
  const place = argument(0) || usualFolder
  const folder = await readFolder(place)
  const only = texts('only')
  const body = {
    document: only.length === 0 ? folder.document : { ...folder.document, ...reduced(folder, only) },
    prune: isSet('prune'),
    source: await findSource(resolve(place), { repository: text('repository'), link: text('link') }),
  }
  const planned = await withPlaces(folder, () =>
    server.request(calls['flags-as-code'].planCode, { params: { project }, body }, limits.codeApplyTimeout),
  )
  return { folder, body, planned }
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
  const { remote, branch = '', commit = '', root, ...checkout } = await readCheckout(folder)
  const repository = given.repository ?? checkout.repository ?? ''
  const link = findLink(given.link, { remote, repository })
  const path = root === undefined ? '' : relative(root, folder)
  return {
    repository,
    path: path.split('\\').join('/'),
    branch,
    commit,
    ...(link !== undefined && { link }),
  }
}

const byPlace = (one: FileFault, other: FileFault) =>
  one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column

/** Runs a call with the folder; faults of the document are printed with file, line and column. */
export async function withPlaces<Reply>(folder: CodeFolder, call: () => Promise<Reply>): Promise<Reply> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Refusal) || error.faults.length === 0) throw error
    const { code, status, lines, faults } = error
    const located = faults
      .map((fault) => folder.locate(fault))
      .sort(byPlace)
      .map(faultLine)
    const others = lines.filter((line) => !line.startsWith('  '))
    throw new Refusal({
      code,
      status,
      lines: code === 'invalid-request' ? located : [...others, ...located],
      faults,
    })
  }
}
