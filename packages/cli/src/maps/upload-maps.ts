// `telltale upload-maps`: uploads the source maps of a build, without prompts, for pipelines. Skips maps that the
// server already has; a map that fails does not stop the others, and the exit code reports the failure.

import { existsSync, statSync } from 'node:fs'
import { bar, type Progress, startProgress } from '../output/progress.ts'
import { type FoundMap, findMaps } from './find-maps.ts'
import { listMaps, type Place, putMap, Refused } from './source-map-calls.ts'

export interface UploadOptions {
  folder: string
  url: string | undefined
  project: string | undefined
  token: string | undefined
  version: string
  /** The URL at which the folder's files are served. */
  prefix: string
  isDryRun: boolean
  /** Prints one result as JSON in place of lines. */
  isJson: boolean
}

interface Ready extends Place {
  folder: string
  version: string
  prefix: string
  isDryRun: boolean
  isJson: boolean
}

/** Paths of scripts, as the server stores them. */
interface Result {
  uploaded: string[]
  failed: string[]
  /** Maps that the server had already. */
  there: number
}

const atOnce = 4
const [done, failed, misused] = [0, 1, 2]

export async function uploadMaps(options: UploadOptions): Promise<number> {
  const ready = checkOptions(options)
  if (typeof ready === 'string') {
    console.error(ready)
    return misused
  }
  const { maps, faults, bare } = await findMaps(ready.folder)
  for (const fault of faults) console.error(fault)
  if (maps.length === 0) {
    console.error(
      bare.length === 0
        ? `There are neither scripts nor source maps in ${ready.folder}.`
        : `None of the ${bare.length} scripts in ${ready.folder} has a source map: does the build make them?`,
    )
    return failed
  }
  if (bare.length > 0 && !ready.isJson)
    console.log(`${bare.length} without a map: ${bare.slice(0, 5).join(', ')}${bare.length > 5 ? ' …' : ''}`)
  try {
    const result = await uploadAll(maps, ready)
    const { version, isDryRun } = ready
    if (ready.isJson) console.log(JSON.stringify({ version, isDryRun, ...result, withoutMap: bare }, null, 2))
    else console.log(summaryOf(result, ready))
    return result.failed.length + faults.length === 0 ? done : failed
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(`Nothing was uploaded: ${error.message}.`)
    return failed
  }
}

async function uploadAll(maps: readonly FoundMap[], place: Ready): Promise<Result> {
  const { version } = place
  const known = new Set((await listMaps(place, version)).map(({ file, hash }) => `${hash} ${file}`))
  const wanted = maps.filter((map) => !known.has(`${map.hash} ${fileOf(map, place)}`))
  const queue = [...wanted]
  const progress = startProgress()
  const result: Result = { uploaded: [], failed: [], there: maps.length - wanted.length }
  const work = async () => {
    for (let map = queue.shift(); map !== undefined; map = queue.shift()) {
      const isUploaded = await uploadOne(map, { place, progress })
      result[isUploaded ? 'uploaded' : 'failed'].push(fileOf(map, place))
      progress.show(bar(wanted.length - queue.length, wanted.length, 'source maps'))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  progress.end()

  return result
}

function summaryOf({ uploaded, failed: refused, there }: Result, { version, isDryRun }: Ready): string {
  const named = version === '' ? 'of any version' : `of version ${version}`
  const did = isDryRun ? 'would be uploaded' : 'uploaded'
  const failures = refused.length > 0 ? `, ${refused.length} failed` : ''
  return `${isDryRun ? 'A dry run: ' : ''}${count(uploaded.length)} ${did} ${named}, ${there} there already${failures}.`
}

async function uploadOne(
  map: FoundMap,
  { place, progress }: { place: Ready; progress: Progress },
): Promise<boolean> {
  const file = fileOf(map, place)
  try {
    const { version } = place
    if (!place.isDryRun) await putMap(place, { version, file, debugId: map.debugId, content: map.content })
    progress.end()
    if (!place.isJson) console.log(`${place.isDryRun ? 'would upload' : 'uploaded'} ${file} (${map.from})`)
    return true
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    progress.end()
    console.error(`${file} failed: ${error.message}.`)
    return false
  }
}

const count = (maps: number) => (maps === 1 ? '1 source map' : `${maps} source maps`)

/** As stored by the server: the path of the script's URL. */
function fileOf({ script }: FoundMap, { prefix }: Ready): string {
  const path = prefix.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  return `/${[...path.split('/'), ...script.split('/')].filter((part) => part !== '').join('/')}`
}

/** The missing arguments, as text, or all that are required. */
function checkOptions({
  folder,
  url,
  project,
  token,
  version,
  prefix,
  isDryRun,
  isJson,
}: UploadOptions): Ready | string {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return `There is no folder ${folder}.`
  if (!url) return 'Where to? Say --url https://telltale.example, or set TELLTALE_URL.'
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) return `--url is not a valid URL: ${url}`
  if (!project) return 'For which project? Say --project KEY, or set TELLTALE_PROJECT.'
  if (!token) return 'A token is needed: set TELLTALE_TOKEN (or say --token), with the role editor.'
  return { folder, url: url.replace(/\/+$/, ''), project, token, version, prefix, isDryRun, isJson }
}
