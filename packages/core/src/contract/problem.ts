import { Type } from 'typebox'

/** RFC 9457 problem details, as every refusal answers. */
export const ProblemDetails = Type.Object({
  type: Type.String({ description: 'The address of the page that explains the error: `/errors/<code>`.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.Optional(Type.String({ description: 'What to do about it.' })),
  instance: Type.String({ description: 'The path that was asked.' }),
  requestId: Type.String({ description: 'Under this id the server logged the request.' }),
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
  current: Type.Optional(Type.Unknown({ description: 'With `version-conflict`: what is saved now.' })),
  permission: Type.Optional(
    Type.String({ description: 'With `forbidden`: the permission that was missing.' }),
  ),
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
        description: 'With `guard-running`: what stands on what was to be changed, and on which parts of it.',
      },
    ),
  ),
})
