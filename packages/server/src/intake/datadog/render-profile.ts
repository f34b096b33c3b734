// Converts a view's profile to our own tables, with what is known of its session: the client sends neither user nor
// flags with profiles.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { EventContext } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { readAddress } from '@telltale/core/telemetry/address'
import type { ProfileRows } from '@telltale/core/telemetry/attachment-rows'
import { cutLine, cutText } from '@telltale/core/telemetry/clean-text'
import type { ProfileOfView } from '@telltale/core/telemetry/datadog/convert-profile'
import { foldProfile } from '@telltale/core/telemetry/fold-profile'
import { v7 as newId } from 'uuid'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { toStored } from '../attachments/store-attachment.ts'
import { readBrowser } from '../events/browsers.ts'
import type { RoutedEnvironment } from '../events/learned-routes.ts'
import { userCheckOf } from '../events/steps/check-users.ts'
import { openContext } from '../events/steps/open-context.ts'
import { scrubOf } from '../events/steps/scrub-rules.ts'
import { type DatadogParts, type DatadogRequest, datadogSource } from './request.ts'

const pack = promisify(gzip)

export interface AboutProfile {
  session: string
  start: number
  end: number
  version: string
}

interface ProfileToRender {
  about: AboutProfile
  ofView: ProfileOfView
  /** Added to client times. */
  offset: number
  arrivedAt: number
}

/** Undefined when its tables are inconsistent. */
type RenderProfile = (
  request: Pick<DatadogRequest, 'environment' | 'country' | 'browser' | 'waited'>,
  profile: ProfileToRender,
) => Promise<ProfileRows | undefined>

export function createRenderProfile({
  intake,
  sessions,
  carryFlags,
}: Pick<DatadogParts, 'intake' | 'sessions' | 'carryFlags'>): RenderProfile {
  /** Profiles contain no flags: use those that an event of the view would have. */
  const readsOf = async (
    environment: KnownEnvironment,
    { kind: _kind, index: _index, ...about }: EventContext,
    { at, offset, arrivedAt }: { at: number; offset: number; arrivedAt: number },
  ) => {
    const event = { kind: 'vital' as const, id: newId(), at, context: 0, name: 'LCP' as const, value: 0 }
    const traits = { usr: {}, account: {}, context: {} }
    const { events } = await carryFlags({
      environment,
      arrivedAt,
      offsetOf: () => offset,
      events: [{ event, about, traits, actions: [], flags: {} }],
    })
    return events[0]?.about.reads
  }

  /** A profile contains the IDs of its session and views, but no user. */
  const contextOf = (
    environment: RoutedEnvironment,
    { session, version }: AboutProfile,
    { view, name }: ProfileOfView,
  ): EventContext => {
    const known = sessions.find(environment.id, session)
    const isLast = view !== undefined && known?.about.view === view
    const { url: _url, page: _page, view: _view, ...whose } = known?.about ?? { session }
    return {
      kind: 'context' as const,
      index: 0,
      version,
      ...whose,
      session,
      ...(known !== undefined && { sessionUserKey: known.firstUserKey }),
      ...(view !== undefined && { view }),
      // The application names its views, or else the client names them by path.
      page: name.startsWith('/') ? intake.routeOf(environment, name) : name,
      ...(isLast && known.about.url !== undefined && { url: known.about.url }),
    }
  }

  return async ({ environment, country, waited, browser }, { about, ofView, offset, arrivedAt }) => {
    const scrub = scrubOf(environment.scrub)
    const stacks = foldProfile(ofView.tables, {
      interval: ofView.interval,
      cleanName: (name) => cutLine(name, limits.eventNameLength),
      cleanFile: (file) => scrub.hide(readAddress(cutText(file, limits.eventTextLength)).kept),
    })
    if (stacks === undefined) return undefined
    const origin = {
      environmentId: environment.id,
      projectId: environment.projectId,
      receivedAt: arrivedAt,
      source: datadogSource,
      country,
      ...readBrowser(browser),
    }
    const context = contextOf(environment, about, ofView)
    const at = ofView.startedAt + ofView.duration
    const reported = await readsOf(environment, context, { at, offset, arrivedAt: arrivedAt - waited })
    const { fields, reads } = openContext(
      { ...context, ...(reported && { reads: reported }) },
      {
        origin,
        share: environment.sampling.session / 100,
        isSampledApart: true,
        clockOffset: offset,
        contexts: new Map(),
        ageMaximum: limits.eventAgeMaximum + waited,
        boundName: intake.boundName,
        scrub,
        userCheck: userCheckOf({ ...origin, waited, environment, counts: intake.signedUserCounts }),
        isErased: () => false,
        routeOf: (path) => intake.routeOf(environment, path),
      },
    )
    const body = toStored(await pack(JSON.stringify(ofView.tables)))
    return {
      id: newId(),
      at: ofView.startedAt + offset,
      duration: ofView.duration,
      origin,
      fields,
      reads,
      stacks,
      body,
    }
  }
}
