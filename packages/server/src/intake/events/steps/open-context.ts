import type { EventContext } from '@telltale/core/contract/events'
import { holdoutArmOf, holdoutEpoch } from '@telltale/core/evaluation/holdout'
import { samplePosition } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import type { RecordingRates } from '@telltale/core/recording/chance'
import { aaTestArmOf, aaTestSplit } from '@telltale/core/telemetry/aa-test-arm'
import { readAddress } from '@telltale/core/telemetry/address'
import { cutLine, cutText } from '@telltale/core/telemetry/clean-text'
import {
  type ContextFields,
  contextRow,
  flagsOfContext,
  userHash,
  userHashOnServer,
} from '@telltale/core/telemetry/context-row'
import { viewContextRow } from '@telltale/core/telemetry/event-row'
import { hiddenArmText } from '@telltale/core/telemetry/hidden-split-rows'
import { floatText } from '@telltale/core/telemetry/row-text'
import { checkUsers } from './check-users.ts'
import { scrubAttributes } from './scrub-event.ts'
import type { Batch, BatchContext } from './step.ts'

const { eventNameLength, eventTextLength, targetingKeyLength } = limits

/** Computes once per context what all of its events share: scrubbed texts, page, flags, common columns. */
export function openContext(sent: EventContext, batch: Batch): BatchContext {
  const given = checkUsers(sent, batch.userCheck)
  const { origin, share, boundName, scrub } = batch
  const { environmentId } = origin
  const bound = (field: 'service' | 'version', text = '') =>
    text === '' ? '' : boundName(environmentId, field, cutLine(text, eventNameLength))
  const context: EventContext = {
    ...given,
    anonymousId: cutText(given.anonymousId ?? '', targetingKeyLength),
    userKey: cutText(given.userKey ?? '', targetingKeyLength),
    sessionUserKey: cutText(given.sessionUserKey ?? '', targetingKeyLength),
    service: bound('service', given.service),
    version: bound('version', given.version),
    connection: cutLine(given.connection ?? '', limits.keyLength),
  }
  const address = readAddress(cutText(given.url ?? '', eventTextLength))
  const page = given.page ?? (given.url === undefined ? '' : batch.routeOf(scrub.hide(address.path)))
  const fields: ContextFields = {
    context,
    page: boundName(environmentId, 'page', scrub.text(cutLine(page, eventNameLength))),
    url: scrub.hide(address.kept),
    // Of the referring site, only the origin is stored; its pages are private.
    referrer: readAddress(cutText(given.referrer ?? '', eventTextLength)).origin,
    weight: weightOf(given, batch),
    userHash: origin.isServer ? userHashOnServer(environmentId, context) : userHash(environmentId, context),
  }
  const reads = given.reads?.map((read) => ({
    ...read,
    flag: cutText(read.flag, limits.keyLength),
    variation: cutText(read.variation, limits.keyLength),
  }))
  const hidden = hiddenOf(fields, batch)
  return {
    context,
    fields,
    reads,
    isServer: origin.isServer,
    shared: contextRow(origin, fields),
    sharedByViews: viewContextRow(origin, fields),
    flags: flagsOfContext(environmentId, reads, hidden.map(hiddenArmText).join(',')),
    hidden,
    inclusion: inclusionText(origin.isServer ? undefined : batch.inclusionOf?.(given)),
    attributes: given.attributes === undefined ? undefined : scrubAttributes(given.attributes, scrub),
    // Sessions are sampled, and a server has none.
    isSampledOut: !origin.isServer && samplePosition(context.session) >= share,
    // Also of one that it may not name.
    isErased: batch.isErased(context) || (given !== sent && batch.isErased(sent)),
  }
}

const inclusionText = ({ replay, profile }: RecordingRates = { replay: 0, profile: 0 }): string =>
  `${floatText(replay)},${floatText(profile)}`

/** Programs and servers are in no arm: what is evaluated does not contain them. */
function hiddenOf(
  { context, userHash: unit }: ContextFields,
  { origin, aaTestEpoch: epoch, holdouts = [] }: Batch,
): BatchContext['hidden'] {
  if (origin.bot || origin.isServer) return []
  const { sessionUserKey = '', anonymousId = '' } = context
  // What the flags of the session were evaluated with, as in `userHash`.
  const targetingKey = sessionUserKey === '' ? anonymousId : sessionUserKey
  const held = holdouts.flatMap(({ split, ...holdout }) => {
    const arm = targetingKey === '' ? undefined : holdoutArmOf(holdout, targetingKey)
    return arm === undefined ? [] : [{ split, epoch: holdoutEpoch, unit, arm }]
  })
  if (epoch === undefined) return held
  return [{ split: aaTestSplit, epoch, unit, arm: aaTestArmOf(origin.environmentId, epoch, unit) }, ...held]
}

const largestWeight = 1e6

/**
 * Our client and the server sample by the same position: the lower share holds, and the client may sample less than the
 * environment requires, never more. Other clients choose in their own way.
 */
function weightOf({ weight = 1 }: EventContext, { origin, share, isSampledApart = false }: Batch): number {
  const sampled = origin.isServer || share <= 0 ? 1 : 1 / share
  return Math.min(largestWeight, isSampledApart ? weight * sampled : Math.max(weight, sampled))
}
