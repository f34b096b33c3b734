// Code references: where the code of a project names its flags, as pipelines upload it.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Instant, Key, Nothing, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const noNull = '^[^\\u0000]*$'
const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: noNull, description })

const Repository = Text(limits.nameLength, 'As its host names it: `acme/shop`.')
const Branch = Text(limits.nameLength, 'The branch that was searched.')

const reference = {
  file: Text(limits.codePathLength, 'The path in the repository.'),
  line: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  kind: Type.Union([Type.Literal('read'), Type.Literal('key'), Type.Literal('name'), Type.Literal('text')], {
    description:
      '`read`: a call that reads the flag. `key`: its key as a string. `name`: a constant or a wrapper of it. `text`: found by text.',
  }),
  context: Type.String({
    maxLength: limits.codeContextLength,
    pattern: noNull,
    description: 'The lines around it; empty if they are not uploaded.',
  }),
}

const upload = {
  repository: Repository,
  branch: Branch,
  isDefault: Type.Boolean({
    description: 'Whether this is the default branch: what is deleted there is gone.',
  }),
  commit: Text(64, 'The hash of the commit that was searched.'),
}

export const CodeUpload = Type.Object({
  ...upload,
  uploadedAt: Instant,
  uploadedBy: Type.String(),
  files: Type.Integer({ minimum: 0, description: 'Files that were searched.' }),
  references: Type.Integer({ minimum: 0, description: 'References to this flag.' }),
  cleanSince: Nullable(Instant),
})

export const uploadCodeReferences = call({
  method: 'PUT',
  path: '/api/v1/projects/:project/code-references',
  summary: 'Upload the code references of a branch. Replaces those of the same repository and branch.',
  permission: 'code-references.manage',
  large: limits.codeUploadSize,
  body: Strict({
    ...upload,
    link: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: '^https?://[^\\s\\u0000]+$',
        description: 'The address of a line at its host, with `{file}`, `{line}`, `{commit}` and `{branch}`.',
      }),
    ),
    files: Type.Integer({ minimum: 0, maximum: limits.codeFiles }),
    references: Type.Array(Strict({ ...reference, flag: Key }), { maxItems: limits.codeReferences }),
  }),
  status: 204,
  reply: Nothing,
})

export const listCodeReferences = call({
  method: 'GET',
  path: '/api/v1/projects/:project/flags/:flag/code-references',
  summary: 'List the code references of a flag, those of default branches first.',
  permission: 'project.view',
  query: Strict(pageQuery),
  reply: Type.Object({
    ...Page(
      Type.Object({
        ...reference,
        repository: Repository,
        branch: Branch,
        isDefault: Type.Boolean(),
        url: Nullable(Type.String({ description: 'The line at the host of the repository.' })),
      }),
    ).properties,
    uploads: Type.Array(CodeUpload, {
      description: 'The branches that were searched, also those without a reference to this flag.',
    }),
  }),
})

export const deleteCodeReferences = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/code-references',
  summary: 'Delete the code references of a branch.',
  permission: 'code-references.manage',
  query: Strict({ repository: Repository, branch: Branch }),
  status: 204,
  reply: Nothing,
})

export const codeReferenceCalls = { uploadCodeReferences, listCodeReferences, deleteCodeReferences }
