import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { writeTypes } from '@telltale/code/types/write-types'
import { readAllFlags } from '../api/read-all-flags.ts'
import { projectVerb } from '../command/remote-verb.ts'
import { exitCodes } from '../command/verb.ts'

export const types = projectVerb({
  name: 'types',
  group: 'code',
  does: 'writes the keys and types of flags as a TypeScript declaration',
  more: 'See [typed flags](../guides/typed-flags.md).',
  options: {
    out: { value: 'FILE', does: 'the file; the default is telltale-flags.d.ts' },
    openfeature: { does: 'declares the keys for the clients of OpenFeature as well' },
    check: { does: 'writes nothing, and exits with 1 if the file is out of date' },
  },
  async run({ server, project, text, isSet, show }) {
    const file = text('out') ?? 'telltale-flags.d.ts'
    const flags = await readAllFlags(server, project)
    const written = writeTypes(flags, { openFeature: isSet('openfeature') })
    const isCurrent = (await readIfThere(resolve(file))) === written
    const reply = { file, flags: flags.length, isCurrent }
    if (isSet('check')) {
      show(reply, () =>
        isCurrent ? `${file} is up to date.` : `${file} is out of date: run "telltale types".`,
      )
      return isCurrent ? exitCodes.done : exitCodes.failed
    }
    if (!isCurrent) await writeFile(resolve(file), written)
    show(reply, () =>
      isCurrent ? `${file} is up to date.` : `Wrote the types of ${flags.length} flags to ${file}.`,
    )
    return exitCodes.done
  },
})

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
