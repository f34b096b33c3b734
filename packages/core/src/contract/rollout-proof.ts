// What a rollout after a rollback has to prove: that what explained the rollback is gone.

import { Type } from 'typebox'
import { GapExplanation } from './gap-evidence.ts'
import { Count } from './measured.ts'
import { Id, Key, Nullable } from './parameters.ts'

const Affected = Type.Object(
  { hits: Count, total: Count },
  { description: 'Affected users, of all exposed ones.' },
)
const Arms = Type.Object({ treatment: Affected, control: Affected })
const Interval = Type.Object({ lower: Type.Number(), estimate: Type.Number(), upper: Type.Number() })

export const RolloutProof = Type.Object({
  of: Type.Unsafe<string>({ ...Id, description: 'The rollout that was rolled back.' }),
  verdict: Type.Enum(['fixed', 'not-fixed', 'moved', 'undecided'], {
    description:
      '`fixed`: at least 80% of each harm is surely gone. `not-fixed`: surely less of one of them. `moved`: all are gone, but a metric of the plan regressed again.',
  }),
  harms: Type.Array(
    Type.Object({
      kind: Type.Enum(['issue', 'failing-request']),
      issue: GapExplanation.properties.issue,
      request: GapExplanation.properties.request,
      metric: Type.Unsafe<string>({ ...Key, description: 'The metric that regressed.' }),
      before: Type.Object(
        {
          affected: Arms,
          excess: Type.Object(Interval.properties, {
            description: 'Excess share of affected users in the treatment.',
          }),
        },
        { description: 'Frozen as it was measured in the rollout that was rolled back.' },
      ),
      now: Nullable(Arms),
      state: Type.Enum(['fixed', 'not-fixed', 'undecided']),
      gone: Nullable(
        Type.Object(Interval.properties, {
          description: 'The part of the harm that is gone: 0.97 is 97%. Valid at any time.',
        }),
      ),
      units: Nullable(
        Type.Integer({
          description:
            'Users in each arm with which a true fix is called fixed in 80% of cases. Null: no number is enough.',
        }),
      ),
    }),
    { description: 'Each is required: no stage ends before enough of it is gone.' },
  ),
  leftOut: Type.Integer({
    minimum: 0,
    description: 'Contributors that are not measured as affected users, or had no harm surely above zero.',
  }),
})
