// A profile of a view: aggregated into self time by stack, and kept as received for its own timeline. Inconsistent
// tables are dropped.

import { Profile, ProfileHeader } from '@telltale/core/contract/attachments'
import type { DropReason } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { readAddress } from '@telltale/core/telemetry/address'
import { cutLine, cutText } from '@telltale/core/telemetry/clean-text'
import type { Origin } from '@telltale/core/telemetry/context-row'
import { foldedSize, foldProfile } from '@telltale/core/telemetry/fold-profile'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import { Compile } from 'typebox/compile'
import { v7 as newId } from 'uuid'
import { inclusionsIn } from '../../organisation/recording-plans/inclusion-of.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { unpackWhole } from '../../platform/memory/unpack.ts'
import { readBrowser } from '../events/browsers.ts'
import { userCheckOf } from '../events/steps/check-users.ts'
import { openContext } from '../events/steps/open-context.ts'
import { scrubOf } from '../events/steps/scrub-rules.ts'
import { dropped, type GivenAttachment, type TakenAttachment, type TakeParts } from './attachment.ts'
import { checkHeader } from './check-header.ts'
import { readAttachment } from './read-attachment.ts'
import { refuseReduced } from './refuse-reduced.ts'
import { type StoreAttachment, storedSize, toStored } from './store-attachment.ts'
import { createStoreProfile, storedStacksSize } from './store-profile.ts'

const check = checkHeader(ProfileHeader)
const profile = Compile(Profile)

export function createTakeProfile({ intake, erasedPeople }: TakeParts, storeAttachment: StoreAttachment) {
  const storeProfile = createStoreProfile(storeAttachment)

  return async (given: GivenAttachment): Promise<TakenAttachment> => {
    const { environment, offset, arrival, claim } = given
    const mostBytes = limits.intakeCompressedSize
    const { header, bytes } = await readAttachment(given.body, { mostBytes, claim })
    const { context: sent, profile: about } = check(header)
    const startedAt = about.startedAt + offset
    const inclusion = inclusionsIn(environment, intake.recordingPlans)(sent).profile
    const refuse = (): DropReason | undefined => {
      if (inclusion === 0) return 'sampled_out'
      const reduced = given.isBackfill ? undefined : refuseReduced(intake, environment, sent.session)
      if (reduced !== undefined) return reduced
      if (erasedPeople.has(environment.id, sent, given.waited)) return 'erased_person'
      return isLikely(startedAt, arrival) ? undefined : 'timestamp_out_of_range'
    }
    const reason = refuse()
    if (reason !== undefined) return dropped(reason)
    const text = await unpackWhole(bytes, { packing: 'gzip', mostBytes: limits.profileInflated }, claim)
    claim.grow(parsedSize(text) + storedSize(bytes))
    await takeParseTurn(text.length)
    const scrub = scrubOf(environment.scrub)
    const tables = readTables(text)
    const stacks =
      tables &&
      foldProfile(tables, {
        interval: about.interval,
        cleanName: (name) => cutLine(name, limits.eventNameLength),
        cleanFile: (file) => scrub.hide(readAddress(cutText(file, limits.eventTextLength)).kept),
      })
    if (stacks === undefined) return dropped('malformed')
    claim.grow(storedStacksSize(foldedSize(stacks)))

    const origin = describeOrigin(given)
    const { fields, reads } = openContext(sent, {
      origin,
      share: environment.sampling.session / 100,
      clockOffset: offset,
      contexts: new Map(),
      ageMaximum: arrival.ageMaximum,
      boundName: intake.boundName,
      scrub,
      userCheck: userCheckOf({
        ...origin,
        waited: given.waited ?? 0,
        environment,
        counts: intake.signedUserCounts,
      }),
      isErased: () => false,
      routeOf: (path) => intake.routeOf(environment, path),
    })
    const receipt = await storeProfile({
      environmentId: environment.id,
      arrivedAt: arrival.arrivedAt,
      identity: `profile ${sent.session} ${sent.tab ?? ''} ${about.startedAt}`,
      profile: {
        id: given.batchId ?? newId(),
        at: startedAt,
        duration: about.duration,
        origin,
        fields,
        reads,
        stacks,
        body: toStored(bytes),
        inclusion,
      },
    })
    return { receipt, sizeBytes: text.length, application: fields.context.service ?? '' }
  }
}

function readTables(text: Buffer): Profile | undefined {
  try {
    const found: unknown = JSON.parse(text.toString('utf8'))
    return profile.Check(found) ? found : undefined
  } catch {
    return undefined
  }
}

function describeOrigin({ environment, browser, country, arrival, source }: GivenAttachment): Origin {
  return {
    environmentId: environment.id,
    projectId: environment.projectId,
    receivedAt: arrival.arrivedAt,
    source,
    country,
    ...readBrowser(browser),
  }
}
