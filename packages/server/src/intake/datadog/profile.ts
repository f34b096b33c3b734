// A profile by the Datadog client: one of its minutes becomes a profile of every view in it, in tables of our own.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { DropReason, EventContext, IntakeReceipt } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { readAddress } from '@telltale/core/telemetry/address'
import type { ProfileRows } from '@telltale/core/telemetry/attachment-rows'
import { cutLine, cutText } from '@telltale/core/telemetry/clean-text'
import { convertProfile, type ProfileOfView } from '@telltale/core/telemetry/datadog/convert-profile'
import { idIn, type JsonObject, objectIn, textIn } from '@telltale/core/telemetry/datadog/json'
import { foldProfile } from '@telltale/core/telemetry/fold-profile'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import { routeTemplate } from '@telltale/core/telemetry/route-template'
import { v7 as newId } from 'uuid'
import type { KnownEnvironment } from '../../delivery/known-keys.ts'
import { dropped, type TakenAttachment } from '../attachments/attachment.ts'
import { createStoreOnce, toStored } from '../attachments/store-once.ts'
import { createStoreProfile } from '../attachments/store-profile.ts'
import { readBrowser } from '../browsers.ts'
import { openContext } from '../steps/open-context.ts'
import { scrubOf } from '../steps/scrub-rules.ts'
import { clockOf } from './clock-of.ts'
import { eventOf, readJson, readParts, unpackPart } from './read-parts.ts'
import { type DatadogParts, type DatadogRequest, datadogSource, type TakeRequest } from './request.ts'
import { createTakeAttached } from './take-attached.ts'

const pack = promisify(gzip)
const nothing: IntakeReceipt = { accepted: 0, dropped: [] }

interface About {
  session: string
  start: number
  end: number
  version: string
}

export function createTakeProfile(parts: DatadogParts): TakeRequest {
  const { intake, sessions, erasedPeople, carryFlags } = parts
  const storeProfile = createStoreProfile(createStoreOnce(intake))

  const take = async (request: DatadogRequest, arrivedAt: number): Promise<TakenAttachment> => {
    const { environment } = request
    const form = await readParts(request)
    const about = readAbout(eventOf(form))
    const trace = form.get('wall-time.json')
    if (about === undefined || trace === undefined) return dropped('invalid')
    const known = sessions.find(environment.id, about.session)
    const arrival = { arrivedAt, ageMaximum: limits.eventAgeMaximum }
    const offset = clockOf({ known: known?.offset, end: about.end, ...arrival })
    const refuse = (): DropReason | undefined => {
      // How many are profiled was decided by the client and by its quota; none is the environment's word.
      if (environment.sampling.profile === 0) return 'sampled_out'
      if (erasedPeople.has(environment.id, known?.about ?? {})) return 'erased_person'
      return isLikely(about.start + offset, arrival) ? undefined : 'timestamp_out_of_range'
    }
    const reason = refuse()
    if (reason !== undefined) return dropped(reason)
    const text = await unpackPart(trace, limits.profileInflated)
    const ofViews = convertProfile(readJson(text))
    if (ofViews === undefined) return dropped('malformed')
    const profiles: ProfileRows[] = []
    for (const ofView of ofViews) {
      const profile = await render(request, { about, ofView, offset, arrivedAt })
      if (profile === undefined) return dropped('malformed')
      profiles.push(profile)
    }
    const receipts = await Promise.all(
      profiles.map((profile) =>
        storeProfile({
          ...{ environmentId: environment.id, arrivedAt, profile },
          identity: `profile ${about.session} ${about.start} ${profile.fields.context.view ?? ''}`,
        }),
      ),
    )
    // One of which nothing is left was idle from beginning to end.
    const receipt = receipts.find(({ accepted }) => accepted > 0) ?? receipts[0] ?? nothing
    return { receipt, sizeBytes: text.length }
  }

  const render = async (
    { environment, country, browser }: DatadogRequest,
    { about, ofView, offset, arrivedAt }: Rendered,
  ): Promise<ProfileRows | undefined> => {
    const scrub = scrubOf(environment.scrub)
    const stacks = foldProfile(ofView.tables, {
      interval: ofView.interval,
      cleanName: (name) => cutLine(name, limits.eventNameLength),
      cleanFile: (file) => scrub.hide(readAddress(cutText(file, limits.eventTextLength)).kept),
    })
    if (stacks === undefined) return undefined
    const origin = {
      ...{ environmentId: environment.id, projectId: environment.projectId, receivedAt: arrivedAt },
      ...{ source: datadogSource, country, ...readBrowser(browser) },
    }
    const context = contextOf(environment.id, about, ofView)
    const at = ofView.startedAt + ofView.duration
    const told = await readsOf(environment, context, { at, offset, arrivedAt })
    const { fields, reads } = openContext(
      { ...context, ...(told && { reads: told }) },
      {
        ...{ origin, share: environment.sampling.session / 100, clockOffset: offset, contexts: new Map() },
        ...{ ageMaximum: limits.eventAgeMaximum, boundName: intake.boundName, scrub, isErased: () => false },
      },
    )
    const body = toStored(await pack(JSON.stringify(ofView.tables)))
    return {
      ...{ id: newId(), at: ofView.startedAt + offset, duration: ofView.duration },
      ...{ origin, fields, reads, stacks, body },
    }
  }

  /** Of the flags it tells nothing: they are those that an event of the view would have. */
  const readsOf = async (
    environment: KnownEnvironment,
    { kind: _kind, index: _index, ...about }: EventContext,
    { at, offset, arrivedAt }: { at: number; offset: number; arrivedAt: number },
  ) => {
    const event = { kind: 'vital' as const, id: newId(), at, context: 0, name: 'LCP' as const, value: 0 }
    const traits = { usr: {}, account: {}, context: {} }
    const { events } = await carryFlags({
      ...{ environment, receivedAt: arrivedAt, offsetOf: () => offset },
      events: [{ event, about, traits, actions: [], flags: {} }],
    })
    return events[0]?.about.reads
  }

  /** It tells of a session and of views, and not of whose they are. */
  const contextOf = (
    environmentId: string,
    { session, version }: About,
    { view, name }: ProfileOfView,
  ): EventContext => {
    const known = sessions.find(environmentId, session)
    const isLast = view !== undefined && known?.about.view === view
    const { url: _url, page: _page, view: _view, ...whose } = known?.about ?? { session }
    return {
      ...{ kind: 'context' as const, index: 0, version, ...whose, session },
      ...(known !== undefined && { sessionUserKey: known.firstUserKey }),
      ...(view !== undefined && { view }),
      // An application names its views, or the client does it by their path.
      page: name.startsWith('/') ? routeTemplate(name) : name,
      ...(isLast && known.about.url !== undefined && { url: known.about.url }),
    }
  }

  return createTakeAttached(parts, 'profile', take)
}

interface Rendered {
  about: About
  ofView: ProfileOfView
  offset: number
  arrivedAt: number
}

const versionTag = /(?:^|,)\s*version:([^,]+)/

function readAbout(event: JsonObject): About | undefined {
  const session = idIn(objectIn(event, 'session'), 'id')
  const [start, end] = ['start', 'end'].map((name) => Date.parse(textIn(event, name) ?? ''))
  if (session === undefined || start === undefined || end === undefined) return undefined
  if (!Number.isFinite(start) || !Number.isFinite(end) || end < start) return undefined
  const version = versionTag.exec(textIn(event, 'tags_profiler') ?? '')?.[1] ?? ''
  return { session, start, end, version: version.trim() }
}
