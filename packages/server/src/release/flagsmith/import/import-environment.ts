// Imports an environment of Flagsmith in one transaction. An earlier import with the same key is replaced;
// users keep their variations unless the document changes them.

import type { FlagsmithDocument, FlagsmithEnvironment } from '@telltale/core/contract/flagsmith'
import { problem } from '@telltale/core/errors'
import { importDocument } from '@telltale/core/evaluation/flagsmith/import-document'
import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import type { KnownCaller } from '../../../access/caller.ts'
import { lockProject } from '../../../access/find-project.ts'
import { change, type EntityChange } from '../../../platform/engines/postgres/change.ts'
import { environments } from '../../../platform/engines/postgres/schema.ts'
import type { ReviewConfig } from '../../flags/policy.ts'
import { findKnown } from './find-known.ts'
import { findTarget } from './find-target.ts'
import { retireMissing } from './retire-missing.ts'
import { writeFlags } from './write-flags.ts'
import { writeOverrides } from './write-overrides.ts'
import { writeSegments } from './write-segments.ts'

interface FlagsmithImport {
  review: ReviewConfig
  document: FlagsmithDocument
  /** The target, unless the document's key is already known. */
  project: string | undefined
  env: string | undefined
  /** Text values that contain objects or lists become JSON flags. */
  parsesJson: boolean
  caller: KnownCaller
}

export const importEnvironment = change(async (context, given: FlagsmithImport) => {
  const { db } = context
  const { document } = given
  const target = await findTarget(context, given)
  const { project, environment } = target
  await lockProject(db, project.id)
  const known = await findKnown(db, { projectId: project.id, environmentId: environment.id })
  const { segments, flags, faults } = importDocument(document, known, { parsesJson: given.parsesJson })
  if (faults.length > 0) throw problem('invalid-request', { errors: faults.slice(0, limits.faultsListed) })

  const place = { review: given.review, project, environment, apiKey: document.api_key }
  const changes: EntityChange[] = [...target.changes]
  changes.push(...(await writeSegments(context, project, segments)))
  const written = await writeFlags(context, place, flags)
  changes.push(...written.changes)
  changes.push(...(await writeOverrides(context, place, written.flags)))
  const retired = await retireMissing(context, place, { features: flags.map(({ feature }) => feature.id) })
  changes.push(...retired.changes)
  await db
    .update(environments)
    .set({ flagsmith: settingsOf(document) })
    .where(eq(environments.id, environment.id))
  changes.push({
    action: 'environment.import',
    entity: { kind: 'environment', id: environment.id, name: environment.key },
    project,
    environment,
    after: { from: 'Flagsmith', flags: flags.length, segments: segments.length },
  })

  return {
    reply: {
      project: project.key,
      env: environment.key,
      clientKey: document.api_key,
      replaced: environment.flagsmith !== null,
      flags: flags.length,
      segments: segments.length,
      overrides: flags.reduce((sum, { overrides }) => sum + overrides.size, 0),
      notes: [...written.notes, ...retired.notes],
    },
    changes,
  }
})

function settingsOf(document: FlagsmithDocument): FlagsmithEnvironment {
  const { project } = document
  return {
    apiKey: document.api_key,
    id: document.id ?? null,
    name: document.name ?? '',
    projectId: project.id ?? null,
    projectName: project.name ?? '',
    // The environment's setting overrides the project's.
    hidesDisabled: document.hide_disabled_flags ?? project.hide_disabled_flags ?? false,
    hidesSensitive: document.hide_sensitive_data ?? false,
    takesClientTraits: document.allow_client_traits ?? true,
    keepsTraits: project.organisation?.persist_trait_data ?? true,
  }
}
