import { use } from 'react'
import type { ReplayDetail } from '../../../api/replays.ts'
import { CodeBox } from '../../../ui/copy.tsx'
import { FactPart, Facts } from '../../../ui/facts.tsx'
import { bytesText, durationText, lengthText } from '../../../ui/text/measure-text.ts'
import { TimeZone } from '../../../ui/text/time.tsx'
import { clockText } from '../../../ui/text/time-text.ts'
import type { DetailEntry } from './detail-entries.ts'
import { bodyNote, formatJson } from './detail-words.ts'

type Message = NonNullable<ReplayDetail['request']>['request']

/** What the replay contains of a console message or a request. Recorded content is shown as text alone. */
export function RecordedDetail({ entry }: { entry: DetailEntry }) {
  const timeZone = use(TimeZone)
  const { detail, at, title, tone } = entry
  if (detail === undefined) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-16">
      {entry.moment === undefined && (
        <div className="grid gap-4">
          <p className="text-12 text-text-3">
            {detail.message ? `Console, ${detail.message.level}` : 'Request'}, {lengthText(at)} into the
            session, at {clockText(detail.at, timeZone)}
          </p>
          <p
            className={`whitespace-pre-wrap break-words font-medium text-14 ${tone === 'bad' ? 'text-bad' : ''}`}
          >
            {title}
          </p>
        </div>
      )}
      <FactPart title="Arguments" isEmpty={!detail.message?.args.length}>
        <CodeBox label="Arguments" code={(detail.message?.args ?? []).map(formatJson).join('\n')} />
      </FactPart>
      {detail.request && <RequestParts request={detail.request} isEvent={entry.moment !== undefined} />}
    </div>
  )
}

type RequestPartsProps = {
  request: NonNullable<ReplayDetail['request']>
  /** Its event, shown above, says the rest. */
  isEvent: boolean
}

function RequestParts({ request, isEvent }: RequestPartsProps) {
  const { method, url, status, duration } = request
  return (
    <>
      <FactPart title="Recorded request" isEmpty={isEvent}>
        <Facts
          facts={[
            ['URL', url],
            ['Method', method],
            ['Status', status === 0 ? 'no response' : String(status)],
            ['Duration', durationText(duration)],
          ]}
        />
      </FactPart>
      <MessagePart of="Request" message={request.request} />
      <MessagePart of="Response" message={request.response} />
    </>
  )
}

function MessagePart({ of, message: { headers, body } }: { of: 'Request' | 'Response'; message: Message }) {
  const size = body.size > 0 ? bytesText(body.size) : ''
  const about = [body.mime, size].filter(Boolean).join(', ')
  const note = bodyNote(body.state)
  return (
    <>
      <FactPart title={`${of} headers`}>
        {headers.length === 0 ? (
          <p className="text-text-2">None recorded.</p>
        ) : (
          <Facts facts={headers.map(({ name, value }) => [name, value])} />
        )}
      </FactPart>
      <FactPart title={`${of} body`}>
        {(about || note) && (
          <p className="break-words text-12 text-text-3">{[about, note].filter(Boolean).join('. ')}</p>
        )}
        {body.text !== '' && <CodeBox label={`${of} body`} code={formatJson(body.text)} />}
      </FactPart>
    </>
  )
}
