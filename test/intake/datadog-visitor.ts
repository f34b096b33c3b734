// A browser with the Datadog client, as its intake sees it: events in that client's words, joined to batches.

import { v4 as newId } from 'uuid'
import type { Line } from './visitor.ts'

const nanoseconds = 1_000_000
const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

/** One session of one browser, whose pages follow each other. */
export class DatadogVisitor {
  readonly session: string
  readonly anonymousId = newId()
  usr: Line = {}
  account: Line | undefined
  readonly #tab = newId()

  constructor(session = newId()) {
    this.session = session
  }

  /** What every event says. */
  event(type: string, view: string, { at = Date.now(), flags, ...more }: EventDraft = {}): Line {
    return {
      type,
      date: at,
      application: { id: 'shop' },
      session: { id: this.session, type: 'user' },
      view: { id: view, url: `https://shop.example/page/${view}`, referrer: '' },
      service: 'shop',
      version: '1.0.0',
      source: 'browser',
      ddtags: 'sdk_version:7.16.2,env:test',
      usr: { anonymous_id: this.anonymousId, ...this.usr },
      ...(this.account && { account: this.account }),
      tab: { id: this.#tab },
      _dd: { format_version: 2, drift: 0, configuration: { session_sample_rate: 100 } },
      ...(flags && { feature_flags: flags }),
      ...more,
    }
  }

  view(view: string, draft: ViewDraft = {}): Line {
    const { version = 1, isActive = true, spent = 1_000, lcp, loading = 'initial_load', ...more } = draft
    const count = { count: 0 }
    const event = this.event('view', view, more)
    return {
      ...event,
      view: {
        id: view,
        url: `https://shop.example/page/${view}`,
        referrer: '',
        loading_type: loading,
        is_active: isActive,
        time_spent: spent * nanoseconds,
        action: count,
        error: count,
        resource: count,
        long_task: count,
        frustration: count,
        ...(lcp !== undefined && {
          largest_contentful_paint: lcp * nanoseconds,
          first_byte: 20 * nanoseconds,
        }),
      },
      _dd: { ...(event._dd ?? {}), document_version: version },
    }
  }

  action(view: string, draft: EventDraft = {}): Line {
    const action = { id: newId(), type: 'click', target: { name: 'Pay' }, frustration: { type: [] } }
    return this.event('action', view, { action, ...draft })
  }

  error(view: string, draft: EventDraft = {}): Line {
    const error = { id: newId(), message: 'It broke', type: 'Error', source: 'source', handling: 'unhandled' }
    return this.event('error', view, { error, ...draft })
  }
}

export interface EventDraft extends Line {
  at?: number
  flags?: Record<string, unknown>
}

export interface ViewDraft extends EventDraft {
  version?: number
  isActive?: boolean
  /** Milliseconds. */
  spent?: number
  lcp?: number
  loading?: string
}

export async function sendDatadog(
  { url, key }: { url: string; key: string },
  events: readonly Line[],
  parameters: Record<string, string> = {},
): Promise<number> {
  const requested = new URLSearchParams({
    ddsource: 'browser',
    'dd-api-key': key,
    'dd-evp-origin-version': '7.16.2',
    'dd-request-id': newId(),
    batch_time: String(Date.now()),
    '_dd.api': 'fetch',
    ...parameters,
  })
  const forward = encodeURIComponent(`/api/v2/rum?${requested}`)
  const body = events.map((event) => JSON.stringify(event)).join('\n')
  const answer = await fetch(`${url}/intake/datadog?ddforward=${forward}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': browser },
  })
  await answer.arrayBuffer()
  return answer.status
}
