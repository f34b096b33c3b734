// Source maps of an application's builds, which map the stack traces of its errors. They are applied when a stack is
// read, so a map that is uploaded late also helps with earlier errors.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Id, Instant, Nothing, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const Version = Type.String({ maxLength: limits.sourceMapVersionLength })
const File = Type.String({ minLength: 1, maxLength: limits.sourceMapFileLength })

export const SourceMap = Type.Object({
  id: Id,
  version: Type.String({ description: 'Application version; empty for any.' }),
  file: Type.String({ description: 'Path of the script in its URL.' }),
  debugId: Nullable(Type.String()),
  hash: Type.String({ description: 'SHA-256 of the map.' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes, as kept.' }),
  uploadedAt: Instant,
  uploadedBy: Type.String(),
})

export const uploadSourceMap = call({
  method: 'PUT',
  path: '/api/v1/projects/:project/source-maps',
  summary:
    'Upload the source map of one script, plain or gzip. Replaces the map of the same script and version.',
  permission: 'source-maps.manage',
  query: Strict({
    file: File,
    version: Type.Optional(Version),
    debugId: Type.Optional(Type.String({ format: 'uuid' })),
  }),
  upload: limits.sourceMapSize,
  reply: SourceMap,
  errors: ['malformed-body'],
})

export const listSourceMaps = call({
  method: 'GET',
  path: '/api/v1/projects/:project/source-maps',
  summary: 'List the source maps of a project, the newest first.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    version: Type.Optional(Version),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.nameLength, description: 'Text in the path.' }),
    ),
  }),
  reply: Page(SourceMap),
})

export const deleteSourceMap = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/source-maps/:sourceMap',
  summary: 'Delete a source map.',
  permission: 'source-maps.manage',
  status: 204,
  reply: Nothing,
})

export const sourceMapCalls = { uploadSourceMap, listSourceMaps, deleteSourceMap }
