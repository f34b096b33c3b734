// The ledger of harm: users of a month who were affected because of a flag variation, harm that rollbacks prevented, and
// the budget of harm. Only variations that a percentage split assigned are compared.

import { type Static, Type } from 'typebox'
import { harmKinds } from '../guard/ledger/ledger-counts.ts'
import { ledger } from '../ledger-limits.ts'
import { call } from './call.ts'
import { Count, Share } from './measured.ts'
import { Id, Instant, Key, Nothing, Nullable, Reason, Strict } from './parameters.ts'

const Users = (description: string) => Type.Number({ description })

const month = Type.String({
  pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
  description: 'A calendar month in the time zone of the environment, such as `2026-11`.',
})

export const ExcessHarm = Type.Object({
  affected: Type.Unsafe<number>({ ...Count, description: 'Users with the variation who were affected.' }),
  controlAffected: Count,
  estimate: Users(
    'Users with the variation who would not have been affected with the control. Negative: fewer were affected.',
  ),
  lower: Users('Holds at any time with 95%, as `upper`.'),
  upper: Type.Number(),
  confirmed: Users(
    'At least this many; 0 if nothing is shown. Holds with 95% together with those of all other variations, so that they can be added.',
  ),
})
export type ExcessHarm = Static<typeof ExcessHarm>

const compared = { flag: Key, variation: Key, control: Key, split: Type.String() }

export const LedgerEntry = Type.Object({
  ...compared,
  by: Type.String({ description: 'The attribute that the split buckets on: a user is a value of it.' }),
  users: Type.Unsafe<number>({
    ...Count,
    description: 'Users who had the variation in this month while it could be compared.',
  }),
  controlUsers: Count,
  together: Type.Array(Type.Object(compared), {
    description: 'Other variations with nearly the same users: the figures are of all of them together.',
  }),
  fault: Nullable(
    Type.Enum(['too-few-users', 'split-wrong', 'reassigned'], {
      description:
        'Why there is no estimate. `split-wrong`: sample ratio mismatch. `reassigned`: users lost the variation during the month.',
    }),
  ),
  harm: Type.Object(
    {
      any: Nullable(ExcessHarm),
      error: Nullable(ExcessHarm),
      'failed-request': Nullable(ExcessHarm),
      'blank-view': Nullable(ExcessHarm),
      'server-error': Nullable(ExcessHarm),
    },
    { description: 'By kind of harm; null with too few affected users. `any`: at least one of the kinds.' },
  ),
})
export type LedgerEntry = Static<typeof LedgerEntry>

export const LedgerRollback = Type.Object({
  rollout: Id,
  flag: Key,
  treatment: Key,
  metric: Nullable(Key),
  kind: Type.Enum([...harmKinds]),
  at: Instant,
  until: Type.Unsafe<string>({
    ...Instant,
    description: 'The end of the planned stages, or of the figures before it.',
  }),
  prevented: Nullable(
    Type.Object(
      {
        spared: Users('Users who would have got the treatment in the remaining planned stages.'),
        lower: Users('Of them, at least this many were kept from harm.'),
        estimate: Type.Number(),
        upper: Type.Number(),
      },
      { description: 'Holds at any time with 95%. Null with too few users.' },
    ),
  ),
})
export type LedgerRollback = Static<typeof LedgerRollback>

const amount = Type.Number({
  minimum: 0,
  maximum: ledger.budgetUsers,
  description: 'Affected users in a month, or their share of all users who read a flag, from 0 to 1.',
})
const settings = {
  amount,
  unit: Type.Enum(['users', 'share']),
  policy: Type.Enum(['warn', 'wait'], {
    description: '`wait`: while the budget is spent, rollouts do not advance. They are still rolled back.',
  }),
}

export const HarmBudget = Type.Object({
  ...settings,
  allowed: Users('In users of the shown month.'),
  spent: Users('Confirmed harm of any kind, of all variations of the shown month.'),
  isSpent: Type.Boolean(),
  updatedBy: Type.String(),
  updatedAt: Instant,
})
export type HarmBudget = Static<typeof HarmBudget>

export const Ledger = Type.Object({
  month,
  months: Type.Array(month, { description: 'With figures, the latest first.' }),
  timeZone: Type.String(),
  figures: Nullable(
    Type.Object(
      {
        at: Instant,
        from: Instant,
        to: Instant,
        isComplete: Type.Boolean({ description: 'Whether the whole month was counted.' }),
        users: Type.Unsafe<number>({ ...Count, description: 'Users who read a flag.' }),
        confirmed: Users('Sum of the confirmed harm of any kind.'),
        entries: Type.Array(LedgerEntry, { description: 'The most confirmed harm first.' }),
        rollbacks: Type.Array(LedgerRollback),
        unsplit: Type.Object(
          { flags: Type.Array(Key), count: Count },
          { description: 'Flags that were served without a split: their users were not assigned at random.' },
        ),
        leftOut: Type.Unsafe<number>({ ...Count, description: 'Splits beyond the limit of one estimate.' }),
      },
      { description: 'Null until the month was computed, and without any split.' },
    ),
  ),
  sampling: Type.Unsafe<number>({
    ...Share,
    description: 'Share of sessions that clients send: only their users are counted.',
  }),
  budget: Nullable(HarmBudget),
  waiting: Type.Array(Type.Object({ rollout: Id, flag: Key }), {
    description: 'Rollouts that wait now because the budget is spent.',
  }),
})
export type Ledger = Static<typeof Ledger>

const path = '/api/v1/projects/:project/environments/:env/ledger'
const query = Strict({ month: Type.Optional(month) })

export const getLedger = call({
  method: 'GET',
  path,
  summary:
    'Show the excess affected users of flag variations in a month, the harm that rollbacks prevented, and the budget of harm. Default: the current month.',
  permission: 'project.view',
  query,
  reply: Ledger,
})

export const exportLedger = call({
  method: 'GET',
  path: `${path}/export`,
  summary: 'Export the excess affected users of a month as CSV, one line per variation and kind of harm.',
  permission: 'project.view',
  query,
  download: 'text/csv',
  reply: Type.String(),
})

export const setHarmBudget = call({
  method: 'PUT',
  path: `${path}/budget`,
  summary: 'Set the budget of harm of an environment, and whether rollouts wait while it is spent.',
  permission: 'environments.manage',
  status: 204,
  body: Strict({ ...settings, reason: Type.Optional(Reason) }),
  reply: Nothing,
})

export const deleteHarmBudget = call({
  method: 'DELETE',
  path: `${path}/budget`,
  summary: 'Remove the budget of harm of an environment.',
  permission: 'environments.manage',
  status: 204,
  reply: Nothing,
})

export const ledgerCalls = { getLedger, exportLedger, setHarmBudget, deleteHarmBudget }
