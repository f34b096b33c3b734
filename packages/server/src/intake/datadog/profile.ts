// A profile of the Datadog client: each one-minute profile becomes one profile per view in it, in our own tables.

import type { DropReason, IntakeReceipt } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import type { ProfileRows } from '@telltale/core/telemetry/attachment-rows'
import { convertProfile } from '@telltale/core/telemetry/datadog/convert-profile'
import { foldedSize } from '@telltale/core/telemetry/fold-profile'
import { idIn, type JsonObject, objectIn, textIn } from '@telltale/core/telemetry/json'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import { dropped, type TakenAttachment } from '../attachments/attachment.ts'
import { refuseReduced } from '../attachments/refuse-reduced.ts'
import { createStoreAttachment } from '../attachments/store-attachment.ts'
import { createStoreProfile, storedStacksSize } from '../attachments/store-profile.ts'
import { clockOf } from './clock-of.ts'
import { eventOf, readJson, readParts, unpackPart } from './read-parts.ts'
import { type AboutProfile, createRenderProfile } from './render-profile.ts'
import type { DatadogParts, DatadogRequest, TakeRequest } from './request.ts'
import { createTakeAttached } from './take-attached.ts'

const nothing: IntakeReceipt = { accepted: 0, dropped: [] }

export function createTakeProfile(parts: DatadogParts): TakeRequest {
  const { intake, sessions, erasedPeople } = parts
  const render = createRenderProfile(parts)
  const storeProfile = createStoreProfile(createStoreAttachment(intake))

  const take = async (request: DatadogRequest, arrivedAt: number): Promise<TakenAttachment> => {
    const { environment, waited, claim } = request
    const form = await readParts(request)
    const about = readAbout(await eventOf(form, claim))
    const trace = form.get('wall-time.json')
    if (about === undefined || trace === undefined) return dropped('invalid')
    const known = sessions.find(environment.id, about.session)
    const arrival = { arrivedAt: arrivedAt - waited, ageMaximum: limits.eventAgeMaximum }
    const offset = clockOf({ known: known?.offset, end: about.end, ...arrival })
    const refuse = (): DropReason | undefined => {
      // The client and its quota have already sampled; the environment decides only whether profiles are accepted.
      if (environment.sampling.profile === 0) return 'sampled_out'
      const reduced = refuseReduced(intake, environment, about.session)
      if (reduced !== undefined) return reduced
      if (erasedPeople.has(environment.id, known?.about ?? {}, waited)) return 'erased_person'
      return isLikely(about.start + offset, arrival) ? undefined : 'timestamp_out_of_range'
    }
    const reason = refuse()
    if (reason !== undefined) return dropped(reason)
    const text = await unpackPart(trace, limits.profileInflated, claim)
    const ofViews = convertProfile(await readJson(text, claim))
    // The tables of its views, rewritten.
    claim.grow(text.length)
    if (ofViews === undefined) return dropped('malformed')
    const profiles: ProfileRows[] = []
    for (const ofView of ofViews) {
      // It contains two clocks: the times of its samples must be as plausible as those in its metadata.
      if (!isLikely(ofView.startedAt + offset, arrival)) return dropped('timestamp_out_of_range')
      const profile = await render(request, { about, ofView, offset, arrivedAt })
      if (profile === undefined) return dropped('malformed')
      claim.grow(storedStacksSize(foldedSize(profile.stacks)))
      profiles.push(profile)
    }
    const receipts = await Promise.all(
      profiles.map((profile) =>
        storeProfile({
          environmentId: environment.id,
          arrivedAt,
          profile,
          identity: `profile ${about.session} ${about.start} ${profile.fields.context.view ?? ''}`,
        }),
      ),
    )
    // A profile with no samples left was idle throughout.
    const receipt = receipts.find(({ accepted }) => accepted > 0) ?? receipts[0] ?? nothing
    return { receipt, sizeBytes: text.length }
  }

  return createTakeAttached(parts, 'profile', take)
}

const versionTag = /(?:^|,)\s*version:([^,]+)/

function readAbout(event: JsonObject): AboutProfile | undefined {
  const session = idIn(objectIn(event, 'session'), 'id')
  const [start, end] = ['start', 'end'].map((name) => Date.parse(textIn(event, name) ?? ''))
  if (session === undefined || start === undefined || end === undefined) return undefined
  if (!Number.isFinite(start) || !Number.isFinite(end) || end < start) return undefined
  const version = versionTag.exec(textIn(event, 'tags_profiler') ?? '')?.[1] ?? ''
  return { session, start, end, version: version.trim() }
}
