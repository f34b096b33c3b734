// The OpenAPI 3.1 document, from the contract table.

import { type Call, errorsOf, parameterNames } from '@telltale/core/contract/call'
import { callList, type NamedCall } from '@telltale/core/contract/calls'
import { pathParameters } from '@telltale/core/contract/parameters'
import { ProblemDetails } from '@telltale/core/contract/problem'
import { type ErrorCode, errors } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { TSchema } from 'typebox'

export function describeApi(version: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Telltale management API',
      version,
      description:
        'JSON in, JSON out. Errors are RFC 9457 problem details; every `type` is a page of this server.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [...new Set(callList.map(({ word }) => word))].map((name) => ({ name })),
    paths: describePaths(),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'telltale_session',
          description: 'The session of the console.',
        },
      },
      schemas: { Problem: ProblemDetails },
    },
  }
}

function describePaths(): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const named of callList) {
    const path = named.call.path.replaceAll(/:([a-zA-Z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [named.call.method.toLowerCase()]: describeCall(named) }
  }
  return paths
}

function describeCall({ word, name, call }: NamedCall): object {
  const status = String(call.status ?? 200)
  const contentType = call.stream ? 'text/event-stream' : (call.download ?? 'application/json')
  return {
    operationId: name,
    tags: [word],
    summary: call.summary,
    'x-permission': call.permission,
    security: securityOf(call),
    parameters: [...describePath(call), ...describeQuery(call), ...describeHeaders(call)],
    ...(call.upload === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
          },
        }),
    ...(call.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: call.body } } } }
      : {}),
    responses: {
      [status]: {
        description: call.summary,
        ...(call.versioned ? { headers: { etag: { schema: { type: 'string' } } } } : {}),
        ...(status === '204' ? {} : { content: { [contentType]: { schema: call.reply } } }),
      },
      ...(call.accepted === undefined ? {} : { '202': describeAccepted(call.accepted) }),
      ...describeErrors(errorsOf(call)),
    },
  }
}

function describeAccepted(schema: TSchema): object {
  return {
    description: 'The environment requires approval: a change request was opened instead.',
    headers: { location: { schema: { type: 'string' } } },
    content: { 'application/json': { schema } },
  }
}

function securityOf(call: Call): object[] {
  if (call.permission === 'anyone') return []
  return call.permission === 'person' ? [{ session: [] }] : [{ token: [] }, { session: [] }]
}

function describePath(call: Call): object[] {
  return parameterNames(call.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: pathParameters[name],
  }))
}

function describeQuery(call: Call): object[] {
  const required: readonly string[] = call.query?.required ?? []
  return Object.entries(call.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function describeHeaders(call: Call): object[] {
  const header = (name: string, description: string, schema: object = { type: 'string' }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  })
  return [
    ...(call.idempotent
      ? [
          header(
            'idempotency-key',
            'A repeated request with the same key gets the first response, for a day.',
            {
              type: 'string',
              maxLength: limits.idempotencyKeyLength,
            },
          ),
        ]
      : []),
    ...(call.versioned && call.method !== 'GET' && call.method !== 'POST'
      ? [
          header(
            'if-match',
            'The ETag the edit is based on; fails with `version-conflict` if someone else saved in between.',
          ),
        ]
      : []),
  ]
}

function describeErrors(codes: ErrorCode[]): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes)
    byStatus.set(errors[code].status, [...(byStatus.get(errors[code].status) ?? []), code])

  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((code) => `\`${code}\`: ${errors[code].title}.`).join(' '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}
