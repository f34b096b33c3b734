// Flags as code: the difference between the files of a repository and a project, and its application.

import { type Static, Type } from 'typebox'
import { codeKinds } from '../code-kinds.ts'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { CodeDocument } from './code-document.ts'
import type { FlagConfigDraft } from './flag-config.ts'
import { EndsEvidenceOf, Id, Instant, Key, Nullable, Strict } from './parameters.ts'

const Text = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: '^[^\\u0000]*$', description })

export const CodeSource = Strict({
  repository: Text(limits.nameLength, 'As its host names it: `acme/shop`. Empty without a repository.'),
  path: Text(limits.codePathLength, 'The folder in the repository.'),
  branch: Text(limits.nameLength, 'The branch, or empty.'),
  commit: Text(64, 'The hash of the commit, or empty.'),
  link: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^https?://[^\\s\\u0000]+$',
      description: 'The address of a file at its host, with `{file}`, `{line}`, `{commit}` and `{branch}`.',
    }),
  ),
})

export type CodeSource = Static<typeof CodeSource>

const Kind = Type.Enum([...codeKinds])

export const CodeChange = Type.Object({
  kind: Kind,
  key: Type.String({ description: 'The key, or the name of an alert or a dashboard.' }),
  env: Nullable(Key),
  action: Type.Enum(['create', 'change', 'restore', 'remove', 'forget'], {
    description: '`forget`: it is no longer in the folder, and stays. `remove` needs `prune`.',
  }),
  lines: Type.Array(Type.Object({ kind: Type.Enum(['same', 'less', 'more']), text: Type.String() }), {
    description: 'The difference in words.',
  }),
  approval: Type.Boolean({ description: 'The environment requires approval: a change request is opened.' }),
  waiting: Nullable(
    Type.Object({ id: Id }, { description: 'The change request that proposes this already.' }),
  ),
  draft: Type.Optional(
    Type.Unsafe<FlagConfigDraft>(
      Type.Object(
        {},
        { additionalProperties: true, description: 'The configuration to save, for a preview.' },
      ),
    ),
  ),
})

export type CodeChange = Static<typeof CodeChange>

const Plan = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Identifies these changes to this state. An application with it does exactly this.',
})

const target = {
  document: CodeDocument,
  prune: Type.Optional(
    Type.Boolean({
      description:
        'Archive the flags, and delete everything else, that this source applied before and that is no longer in it.',
    }),
  ),
  source: Type.Optional(CodeSource),
}

const codePath = '/api/v1/projects/:project/code' as const

export const exportCode = call({
  method: 'GET',
  path: `${codePath}/export`,
  summary:
    'Export the active flags, segments, metrics, rollout templates, alerts and dashboards of a project as code, without secrets.',
  permission: 'project.view',
  reply: Type.Object({
    document: Type.Unsafe<CodeDocument>(Type.Object({}, { additionalProperties: true })),
    leftOut: Type.Array(Type.String(), { description: 'What cannot be expressed as code, and why.' }),
  }),
})

export const planCode = call({
  method: 'POST',
  path: `${codePath}/plan`,
  summary: 'Compare a document with the project. Saves nothing.',
  permission: 'project.view',
  large: limits.codeDocumentSize,
  body: Strict(target),
  reply: Type.Object({ plan: Plan, changes: Type.Array(CodeChange) }),
})

export const applyCode = call({
  method: 'POST',
  path: `${codePath}/apply`,
  summary:
    'Apply a document to the project, all or nothing. Where approval is required, it opens change requests instead.',
  permission: 'flags.change',
  large: limits.codeDocumentSize,
  body: Strict({
    ...target,
    plan: Type.Optional(Plan),
    files: Type.Optional(
      Type.Record(Type.String({ maxLength: limits.codePathLength }), Text(limits.codePathLength, 'A file.'), {
        description: 'The file of each entry, by its pointer in the document: `/flags/checkout`.',
      }),
    ),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: limits.descriptionLength })),
    endsEvidenceOf: Type.Optional(EndsEvidenceOf),
  }),
  reply: Type.Object({
    changes: Type.Array(CodeChange),
    changeRequests: Type.Array(Type.Object({ id: Id, env: Key, flag: Key })),
  }),
  errors: ['plan-outdated', 'in-use', 'guard-running', 'managed', 'prerequisite-cycle'],
})

const Origin = Type.Object({
  repository: Type.String(),
  path: Type.String(),
  branch: Type.String(),
  commit: Type.String(),
  appliedAt: Instant,
  appliedBy: Type.String(),
})

export const getCodeState = call({
  method: 'GET',
  path: codePath,
  summary: 'Show where the project is managed in code, and what was changed since elsewhere.',
  permission: 'project.view',
  reply: Type.Object({
    sources: Type.Array(Type.Object({ ...Origin.properties, entries: Type.Integer({ minimum: 0 }) })),
    drift: Type.Array(CodeChange, { description: 'What an application of the same files would change.' }),
    moreDrift: Type.Integer({ minimum: 0 }),
  }),
})

export const getCodeOrigin = call({
  method: 'GET',
  path: `${codePath}/origin`,
  summary: 'Show where an entry is managed in code, and what was changed since elsewhere.',
  permission: 'project.view',
  query: Strict({
    kind: Kind,
    key: Type.String({
      minLength: 1,
      maxLength: limits.nameLength,
      pattern: '^[^\\u0000]*$',
      description: 'The key, or the name of an alert or a dashboard.',
    }),
  }),
  reply: Type.Object({
    origin: Nullable(
      Type.Object({
        ...Origin.properties,
        file: Type.String({ description: 'Its path in the repository.' }),
        url: Nullable(Type.String({ description: 'The file at the host of the repository.' })),
      }),
    ),
    drift: Type.Array(CodeChange, { description: 'What an application of the same file would change.' }),
  }),
})

export const flagsAsCodeCalls = { exportCode, planCode, applyCode, getCodeState, getCodeOrigin }
