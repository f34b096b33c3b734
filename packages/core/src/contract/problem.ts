import { Type } from 'typebox'

/** RFC 9457 problem details, the body of every error response. */
export const ProblemDetails = Type.Object({
  type: Type.String({ description: 'URL of the page about the error: `/errors/<code>`.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.Optional(Type.String({ description: 'What to do about it.' })),
  instance: Type.String({ description: 'Path of the request.' }),
  requestId: Type.String({ description: 'Id of the request in the server log.' }),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        pointer: Type.String({
          description: 'JSON pointer into the body, or `?name` for a query parameter.',
        }),
        message: Type.String(),
      }),
    ),
  ),
  current: Type.Optional(Type.Unknown({ description: 'With `version-conflict`: the saved state.' })),
  permission: Type.Optional(Type.String({ description: 'With `forbidden`: the missing permission.' })),
  shorter: Type.Optional(
    Type.Object(
      { from: Type.String(), to: Type.String() },
      { description: 'With `query-too-large`: a period that may be short enough.' },
    ),
  ),
  rollouts: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        env: Type.String(),
        flag: Type.String(),
        parts: Type.Array(Type.String()),
      }),
      {
        description: 'With `guard-running`: the rollouts that depend on it, and on which parts.',
      },
    ),
  ),
})
