import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { DemoRecording } from './demo.ts'

const unpack = promisify(gunzip)

/** The recorded visits of a demo, by name; empty if none were built. */
export async function readRecordings(folder: string): Promise<DemoRecording[]> {
  if (!existsSync(folder)) return []
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json.gz')).sort()
  return Promise.all(
    files.map(async (file) => JSON.parse((await unpack(await readFile(join(folder, file)))).toString())),
  )
}
