import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type ChannelRef,
  channelsKey,
  type Delivery,
  deliveryQuery,
  redeliver,
} from '../../../api/channels.ts'
import { toProblem } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { FactPart, Facts } from '../../../ui/facts.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Peek } from '../../../ui/overlay/peek.tsx'
import { Async } from '../../../ui/states.tsx'
import { Time, TimeUntil } from '../../../ui/text/time.tsx'
import { DeliveryState } from './delivery-state.tsx'

type DeliveryPeekProps = { place: ChannelRef & { delivery: string }; onClose: () => void }

/** The exact payload, and every attempt with its response. */
export function DeliveryPeek({ place, onClose }: DeliveryPeekProps) {
  const delivery = useQuery(deliveryQuery(place))
  const queryClient = useQueryClient()
  const sending = useMutation({
    mutationFn: redeliver,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: channelsKey(place.project) }),
  })
  const problem = sending.error && toProblem(sending.error)
  return (
    <Peek
      title={delivery.data?.summary ?? 'Delivery'}
      open={
        <Button
          size="small"
          busy={sending.isPending}
          disabled={delivery.data === undefined || delivery.data.state === 'waiting'}
          onClick={() => sending.mutate(place)}
        >
          Send again
        </Button>
      }
      onClose={onClose}
    >
      <ProblemNotice problem={problem} />
      <Async of={delivery}>{(found) => <Detail delivery={found} />}</Async>
    </Peek>
  )
}

function Detail({ delivery }: { delivery: Delivery }) {
  const { event, noticeId, state, tries, nextAt, createdAt, attempts, body } = delivery
  return (
    <div className="grid gap-16">
      <Facts
        facts={[
          ['State', <DeliveryState key="state" state={state} tries={tries} />],
          ['Event', event],
          ['ID', noticeId],
          ['Occurred', <Time key="at" at={createdAt} />],
          ...(nextAt === null ? [] : [['Next attempt', <TimeUntil key="next" at={nextAt} />] as const]),
        ]}
      />
      <FactPart title="Attempts" isEmpty={attempts.length === 0}>
        <ol className="grid gap-8">
          {attempts.map(({ id, at, duration, status, failure, answer }) => (
            <li key={id} className="grid gap-4 rounded-panel border border-line px-12 py-8">
              <span className="flex flex-wrap justify-between gap-8">
                <span className={failure === null ? '' : 'text-bad'}>
                  {failure ??
                    (status === null ? 'Accepted by the mail server.' : `Responded with ${status}.`)}
                </span>
                <span className="text-12 text-text-3">
                  <Time at={at} /> · {duration} ms
                </span>
              </span>
              {answer !== '' && <Text label="Response" text={answer} />}
            </li>
          ))}
        </ol>
      </FactPart>
      <FactPart title="Payload">
        <Text label="Body" text={pretty(body)} />
      </FactPart>
    </div>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label} className="min-w-0 rounded-control bg-sunken">
      <pre className="whitespace-pre-wrap break-all p-8 font-code text-12">{text}</pre>
    </section>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // An e-mail is not JSON: it is shown as is.
    return body
  }
}
