// The reference pages, generated from the code. `scripts/docs.ts` writes them, `test/docs.test.ts` compares them.

import { attributionLimits } from '@telltale/core/attribution-limits'
import { errorsOf } from '@telltale/core/contract/call'
import { callList } from '@telltale/core/contract/calls'
import { describeCodeDocument } from '@telltale/core/contract/code-document'
import { describeSetupFile } from '@telltale/core/contract/setup-file'
import { edgeLimits } from '@telltale/core/edge-limits'
import { errors } from '@telltale/core/errors'
import { ledgerLimits } from '@telltale/core/ledger-limits'
import type { Limit } from '@telltale/core/limit'
import { limitTable } from '@telltale/core/limits'
import { narrowLimits } from '@telltale/core/narrow-limits'
import {
  installationPermissions,
  isAtLeast,
  projectPermissions,
  projectRoles,
} from '@telltale/core/permissions'
import { recordingLimits } from '@telltale/core/recording-limits'
import { replayTestLimits } from '@telltale/core/replay-test-limits'
import { sampleLimits } from '@telltale/core/sample-limits'
import { edgeSettings } from '../../packages/server/src/app/edge/edge-config.ts'
import { settings } from '../../packages/server/src/platform/process/config.ts'
import type { SettingsTable } from '../../packages/server/src/platform/process/read-settings.ts'
import { renderCommand } from './command.ts'
import { describeEntities } from './entities.ts'
import { page, table } from './markdown.ts'

/** Every generated file below `docs/reference`, by name. */
export function renderReference(): Map<string, string> {
  return new Map([
    ['routes.md', renderRoutes()],
    ['permissions.md', renderPermissions()],
    ['errors.md', renderErrors()],
    ['limits.md', renderLimits()],
    ['configuration.md', renderConfiguration()],
    ['cli.md', renderCommand()],
    ['entities.md', describeEntities()],
    ['flags-as-code.schema.json', `${JSON.stringify(describeCodeDocument(), null, 2)}\n`],
    ['setup-file.schema.json', `${JSON.stringify(describeSetupFile(), null, 2)}\n`],
  ])
}

function renderRoutes(): string {
  const words = [...new Set(callList.map(({ word }) => word))]
  const sections = words.flatMap((word) => [
    `## ${word}`,
    table(
      ['call', 'what it does', 'permission', 'answers', 'errors'],
      callList
        .filter((named) => named.word === word)
        .map(({ call }) => [
          `\`${call.method} ${call.path}\``,
          [
            call.summary,
            ...(call.versioned ? ['`ETag`.'] : []),
            ...(call.idempotent ? ['`Idempotency-Key`.'] : []),
          ].join(' '),
          `\`${call.permission}\``,
          [String(call.status ?? 200), ...(call.accepted ? ['202'] : [])].join(', '),
          errorsOf(call)
            .filter((code) => !everywhere.includes(code))
            .map((code) => `[${code}](errors.md#${code})`)
            .join(', '),
        ]),
    ),
  ])
  const everywhereText = everywhere.map((code) => `[${code}](errors.md#${code})`).join(', ')
  return page('Management API', [
    'JSON in and out, with a session cookie or `Authorization: Bearer <API token>`. The same table with every schema is served at `/api/openapi.json`.',
    `Every call can also answer ${everywhereText}.`,
    'Where 202 is listed too, the environment may ask for approval: a change request was opened instead, and `Location` names it.',
    ...sections,
  ])
}

const everywhere: readonly string[] = ['invalid-request', 'rate-limited', 'engine-unavailable', 'internal']

function renderPermissions(): string {
  return page('Roles and permissions', [
    '## In a project',
    table(
      ['permission', 'allows to', ...projectRoles],
      Object.entries(projectPermissions).map(([name, { from, allows }]) => [
        `\`${name}\``,
        allows,
        ...projectRoles.map((role) => (isAtLeast(role, from) ? 'yes' : '')),
      ]),
    ),
    '## In the installation',
    'Owners hold these, and every permission in every project.',
    table(
      ['permission', 'allows to'],
      Object.entries(installationPermissions).map(([name, { allows }]) => [`\`${name}\``, allows]),
    ),
    'An API token has one role, in one project or in the whole installation, and never does more than its owner may do at that moment. Projects that one cannot see answer `not-found`.',
  ])
}

function renderErrors(): string {
  const sections = Object.entries(errors).flatMap(([code, { status, title, explanation }]) => [
    `## ${code}`,
    `**${status}. ${title}.** ${explanation}`,
  ])
  return page('Errors', [
    'Every refusal is an RFC 9457 problem: `type` is `/errors/<code>`, a page of the server; `requestId` names the line in its log; `errors` lists every fault with a JSON pointer.',
    ...sections,
  ])
}

function renderLimits(): string {
  return page('Limits', [
    table(
      ['limit', 'value', 'unit', 'why', 'setting'],
      Object.entries({
        ...limitTable,
        ...edgeLimits,
        ...attributionLimits,
        ...ledgerLimits,
        ...recordingLimits,
        ...narrowLimits,
        ...sampleLimits,
        ...replayTestLimits,
      }).map(([name, limit]: [string, Limit]) => [
        `\`${name}\``,
        limit.value.toLocaleString('en').replaceAll(',', ' '),
        limit.unit,
        limit.reason,
        limit.setting ? `\`${limit.setting}\`` : '',
      ]),
    ),
  ])
}

function renderConfiguration(): string {
  const rowsOf = (declared: SettingsTable) =>
    Object.values(declared).map(({ variable, flag, default: usual, meaning }) => [
      `\`${variable}\``,
      flag ? `\`--${flag}\`` : '',
      usual ? `\`${usual}\`` : '',
      meaning,
    ])
  const head = ['variable', 'flag', 'default', 'meaning']
  return page('Configuration', [
    'A flag of the command line wins over its environment variable. An empty variable counts as not set.',
    table(head, rowsOf(settings)),
    '## telltale edge',
    'The settings of [an edge](../guides/edge.md), which has no other ones. `--key` can be given several times.',
    table(head, rowsOf(edgeSettings)),
  ])
}
