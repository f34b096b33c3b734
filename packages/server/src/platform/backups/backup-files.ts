// The backups in a folder: file names contain their purpose and time. Only the newest of each kind are kept.
import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { listFolder } from '../data-folder/list-folder.ts'

const backupKinds = ['hourly', 'before-migration', 'before-restore', 'before-upgrade', 'manual'] as const
export type BackupKind = (typeof backupKinds)[number]
type BackupFile = { file: string; kind: BackupKind; at: Date }

const ending = '.backup.gz'
const unfinishedEnding = '.unfinished'
/** Writing a backup never takes this long: an older unfinished file was left by a killed server. */
const longestWrite = 24 * 3_600_000

/** Some file systems do not allow colons in names. */
export function backupName(kind: BackupKind, at: Date): string {
  return `${kind}-${at.toISOString().replaceAll(':', '-')}${ending}`
}

/** In the same folder, so that it can be renamed; unique per writer. */
export function unfinishedName(file: string): string {
  return join(dirname(file), `${basename(file)}.${randomUUID()}${unfinishedEnding}`)
}

/** Newest first. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const found = (await listFolder(folder)).flatMap((name) => {
    const backup = parseName(name)
    return backup === undefined ? [] : [{ file: join(folder, name), ...backup }]
  })
  return found.sort((a, b) => b.at.getTime() - a.at.getTime())
}

export async function keepNewestBackups(folder: string, kind: BackupKind, kept: number): Promise<void> {
  const ofKind = (await listBackups(folder)).filter((backup) => backup.kind === kind)
  for (const { file } of ofKind.slice(kept)) await rm(file, { force: true })
  await removeUnfinished(folder)
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await listFolder(folder)) {
    if (!name.endsWith(unfinishedEnding)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > longestWrite) await rm(path, { force: true })
  }
}

function parseName(name: string): { kind: BackupKind; at: Date } | undefined {
  const kind = backupKinds.find((candidate) => name.startsWith(`${candidate}-`))
  if (kind === undefined || !name.endsWith(ending)) return undefined
  const [, day, hour, minute, second] =
    /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})Z$/.exec(name.slice(kind.length + 1, -ending.length)) ?? []
  const at = new Date(`${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at.getTime()) ? undefined : { kind, at }
}
