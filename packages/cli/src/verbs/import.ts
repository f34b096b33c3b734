// `telltale import SOURCE FILE`: flags and segments of another product. The import is all or nothing, and prints every
// difference; with --dry-run it prints them and changes nothing.

import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { importSources } from '@telltale/core/import-sources'
import { limits } from '@telltale/core/limits'
import { UsageError } from '../command/read-arguments.ts'
import { environmentVerb } from '../command/remote-verb.ts'
import { renderTable } from '../output/table.ts'
import { bold, type Terminal } from '../output/terminal.ts'

type Imported = ReplyOf<(typeof calls)['flag-imports']['importFlags']>
type Note = Imported['notes'][number]

export const importVerb = environmentVerb({
  name: 'import',
  group: 'moving',
  does: 'imports flags and segments of another product; - reads the document from a pipe',
  more: 'SOURCE is launchdarkly, unleash, growthbook or posthog. See [import flags](../guides/import-flags.md).',
  takes: [{ name: 'SOURCE' }, { name: 'FILE' }],
  options: {
    from: { value: 'NAME', does: 'the environment in the document, if it has several' },
    'dry-run': { does: 'prints the differences and changes nothing' },
  },
  async run({ server, project, env, argument, text, isSet, show }) {
    const source = importSources.find((each) => each === argument(0))
    if (source === undefined) throw new UsageError(`SOURCE is one of ${importSources.join(', ')}.`)
    const from = text('from')
    const body = {
      source,
      document: await readDocument(argument(1)),
      ...(from !== undefined && { from }),
      dryRun: isSet('dry-run'),
    }
    const imported = await server.request(
      calls['flag-imports'].importFlags,
      { params: { project, env }, body },
      limits.codeApplyTimeout,
    )
    show(imported, (terminal) => describe(imported, terminal))
    return undefined
  },
})

async function readDocument(file: string): Promise<unknown> {
  const content = await readContent(file)
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

async function readContent(file: string): Promise<string> {
  try {
    return file === '-' ? await readText(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function describe({ dryRun, flags, segments, notes, notesInAll }: Imported, terminal: Terminal): string {
  const rows = flags.map(({ key, action, outcome, proposed }) => {
    return [key, proposed ? `${action} (needs approval)` : action, outcome]
  })
  const done = dryRun ? 'Would import' : 'Imported'
  const more =
    notesInAll > notes.length ? [`${notesInAll - notes.length} more differences are not listed.`] : []
  return [
    `${done} ${flags.length} flags and ${segments.length} segments.`,
    ...(rows.length > 0 ? ['', renderTable(['flag', 'action', 'outcome'], rows, terminal)] : []),
    ...describeNotes(notes, terminal),
    ...more,
  ].join('\n')
}

/** By kind, because one kind often concerns many flags. */
function describeNotes(notes: readonly Note[], terminal: Terminal): string[] {
  const kinds = new Map<string, Note[]>()
  for (const note of notes) kinds.set(note.code, [...(kinds.get(note.code) ?? []), note])
  return [...kinds.values()].flatMap((its) => [
    '',
    bold(`${its[0]?.outcome}: ${its[0]?.why}`, terminal),
    ...its.map(({ flag, segment, what }) => `  ${flag ?? `segment ${segment}`}: ${what}`),
  ])
}
