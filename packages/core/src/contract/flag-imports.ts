// Imports of flags and segments from other products, one environment at a time, and the report of what differs.

import { type Static, Type } from 'typebox'
import { importSources } from '../import-sources.ts'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Key, Nullable, Strict } from './parameters.ts'

export const importOutcomes = ['reassigned', 'approximated', 'left-out'] as const

export const ImportNote = Type.Object({
  flag: Nullable(Type.String({ description: 'Key of the flag in the document.' })),
  segment: Nullable(Type.String({ description: 'Key or id of the segment in the document.' })),
  outcome: Type.Enum([...importOutcomes], {
    description:
      'reassigned: shares are kept, users are assigned again; approximated: some users can get another value; left-out: not imported.',
  }),
  code: Type.String({ description: 'The kind of difference.' }),
  what: Type.String({ description: 'The part of the flag or segment.' }),
  why: Type.String({ description: 'The difference, as a sentence.' }),
})

export type ImportNote = Static<typeof ImportNote>

const Imported = Type.Object({
  source: Type.String({ description: 'Its key in the document.' }),
  key: Key,
  action: Type.Enum(['create', 'update', 'keep'], { description: 'keep: it is the same already.' }),
})

export const importFlags = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/import',
  summary:
    'Import flags and segments from a document of LaunchDarkly, Unleash, GrowthBook or PostHog into an environment, all or nothing, with a report of every difference. Where approval is required, flags become change requests.',
  permission: 'flags.change',
  large: limits.importSize,
  body: Strict({
    source: Type.Enum([...importSources]),
    document: Type.Unknown({ description: 'As exported from the product, or as its API returns it.' }),
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.nameLength,
        description: 'The environment in the document. Required if there are several.',
      }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'Report only, and change nothing. Default: false.' })),
  }),
  reply: Type.Object({
    dryRun: Type.Boolean(),
    from: Nullable(Type.String({ description: 'The environment in the document.' })),
    flags: Type.Array(
      Type.Object({
        ...Imported.properties,
        outcome: Type.Enum(['carried', ...importOutcomes], { description: 'The worst of its differences.' }),
        proposed: Type.Boolean({ description: 'Waits for approval as a change request.' }),
      }),
    ),
    segments: Type.Array(Imported),
    notes: Type.Array(ImportNote),
    notesInAll: Count,
  }),
  errors: [
    'already-exists',
    'in-use',
    'managed',
    'guard-running',
    'invalid-rule',
    'invalid-weights',
    'prerequisite-cycle',
  ],
})

export const flagImportCalls = { importFlags }
