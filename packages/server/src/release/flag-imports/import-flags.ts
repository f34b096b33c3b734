// Imports flags and segments of another product into an environment, in one transaction. Existing ones with the same key
// are changed; what the document does not name stays. Where approval is required, configurations become change requests.

import { isDeepStrictEqual } from 'node:util'
import type { ReplyOf } from '@telltale/core/contract/call'
import type { ImportNote, importFlags as importCall } from '@telltale/core/contract/flag-imports'
import { importOutcomes } from '@telltale/core/contract/flag-imports'
import type { ImportedDefinitions } from '@telltale/core/flag-imports/imported'
import type { ImportSource } from '@telltale/core/import-sources'
import { limits } from '@telltale/core/limits'
import type { Grant } from '@telltale/core/rights'
import { lockProject } from '../../access/find-project.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Proposer } from '../change-requests/insert-change-request.ts'
import { checkMayChange } from '../flags/config-ref.ts'
import type { ReleasePolicy } from '../flags/policy.ts'
import { findSegment } from '../segments/queries.ts'
import { planFlag } from './plan-flag.ts'
import { writeFlags } from './write-flags.ts'
import { writeSegments } from './write-segments.ts'

type Reply = ReplyOf<typeof importCall>

export interface FlagImport {
  policy: ReleasePolicy
  project: { id: string; key: string }
  grant: Grant
  env: string
  author: Proposer
  source: ImportSource
  definitions: ImportedDefinitions
}

export const importFlags = change(async (context, given: FlagImport) => {
  const { db } = context
  const { project, definitions, grant } = given
  await lockProject(db, project.id)
  const environment = await getEnvironment(db, { projectId: project.id, key: given.env })
  if (!environment.approvalRequired) checkMayChange(environment, grant)
  const reply = await describeImport(db, { ...given, dryRun: false })
  const place = { ...given, environment, reason: `Imported from ${productNames[given.source]}` }
  const changes: EntityChange[] = [...(await writeSegments(context, place, definitions.segments))]
  const written = await writeFlags(context, place, definitions.flags)
  changes.push(...written.changes, {
    action: 'environment.import',
    entity: { kind: 'environment', id: environment.id, name: environment.key },
    project,
    environment,
    after: {
      from: productNames[given.source],
      flags: definitions.flags.length,
      segments: definitions.segments.length,
    },
  })
  const flags = reply.flags.map((flag) => ({ ...flag, proposed: written.proposed.has(flag.key) }))
  return { reply: { ...reply, flags }, changes }
})

const productNames: Record<ImportSource, string> = {
  launchdarkly: 'LaunchDarkly',
  unleash: 'Unleash',
  growthbook: 'GrowthBook',
  posthog: 'PostHog',
}

/** What the import does, before it does it. Throws `invalid-request` for flags that cannot be changed to it. */
export async function describeImport(
  db: Queryable,
  {
    project,
    env,
    definitions,
    dryRun,
  }: Pick<FlagImport, 'project' | 'env' | 'definitions'> & { dryRun: boolean },
): Promise<Reply> {
  const { from, notes } = definitions
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  const worst = worstOutcomes(notes)
  const flags: Reply['flags'] = []
  for (const flag of definitions.flags) {
    const { action } = await planFlag(db, { project, environment, flag })
    const { source, key } = flag
    const proposed = dryRun && environment.approvalRequired && action !== 'keep'
    flags.push({ source, key, action, outcome: worst.get(source) ?? 'carried', proposed })
  }
  const segments: Reply['segments'] = []
  for (const { source, key, when } of definitions.segments) {
    const found = await findSegment(db, project.id, key)
    const isSame = found !== undefined && isDeepStrictEqual(found.conditions, when)
    segments.push({ source, key, action: found === undefined ? 'create' : isSame ? 'keep' : 'update' })
  }
  const listed = notes.slice(0, limits.importNotesListed)
  return { dryRun, from: from ?? null, flags, segments, notes: listed, notesInAll: notes.length }
}

function worstOutcomes(notes: readonly ImportNote[]): Map<string, ImportNote['outcome']> {
  const worst = new Map<string, ImportNote['outcome']>()
  for (const { flag, outcome } of notes) {
    if (flag === null) continue
    const known = worst.get(flag)
    const isWorse = known === undefined || importOutcomes.indexOf(outcome) > importOutcomes.indexOf(known)
    if (isWorse) worst.set(flag, outcome)
  }
  return worst
}
