import { Link } from '@tanstack/react-router'
import { telltaleLabels } from '@telltale/core/states/telltale'
import { HoverCard } from 'radix-ui'
import { type ReactNode, use } from 'react'
import type { FlagTelltale as DescribedTelltale } from '../../api/telltales.ts'
import { Telltale } from '../../charts/telltale.tsx'
import { Verdict, VerdictGlyph } from '../../charts/verdict.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { TimeZone, useNow } from '../../ui/text/time.tsx'
import { timeText } from '../../ui/text/time-text.ts'
import { comparisonOf, TelltaleCard } from './telltale-card.tsx'
import {
  evidenceOfTelltale,
  isOldTelltale,
  lastWordOf,
  noGuard,
  stateOfTelltale,
  tagOf,
  telltaleText,
} from './telltale-words.ts'
import { UnguardedTag } from './unguarded-tag.tsx'
import { useTelltale } from './use-telltale.ts'

type FlagTelltaleProps = {
  flag: string
  env?: string
  /** `line`: with its text in two lines. `small`: with its mark. `mark`: only the mark, if there is a guard. */
  look?: 'line' | 'small' | 'mark'
}

/** Shows whether a flag harms users more than its limit. On hover and focus: the numbers behind it. */
export function FlagTelltale({ flag, env, look = 'line' }: FlagTelltaleProps) {
  const telltale = useTelltale(flag, env)
  if (telltale === undefined && look === 'mark') return null
  return <TelltaleView telltale={telltale} look={look} />
}

export function TelltaleView({
  telltale,
  look,
}: {
  telltale: DescribedTelltale | undefined
  look: NonNullable<FlagTelltaleProps['look']>
}) {
  const now = useNow()
  const timeZone = use(TimeZone)
  const state = stateOfTelltale(telltale)
  const isOld = isOldTelltale(telltale, now)
  const text = wordsOf(telltale, { isOld, now, timeZone })
  const word = lastWordOf(telltale)

  if (telltale === undefined) {
    return (
      <span className="flex items-center gap-8 whitespace-nowrap">
        <Telltale evidence={noGuard} size={look === 'line' ? 'md' : 'sm'} />
        <Verdict state="none" />
      </span>
    )
  }
  if (look === 'mark') {
    return (
      <WithCard
        telltale={telltale}
        label={[word ?? telltaleLabels[state], tagOf(telltale), text].filter(Boolean).join('. ')}
      >
        <VerdictGlyph state={state} />
      </WithCard>
    )
  }
  return (
    <WithCard telltale={telltale}>
      {look === 'small' ? (
        <TelltalePicture telltale={telltale} />
      ) : (
        <>
          <Telltale
            evidence={evidenceOfTelltale(telltale)}
            isOld={isOld}
            word={word}
            text={labelOf(telltale, text)}
          />
          <span aria-hidden="true" className="grid min-w-0">
            <span className="flex items-center gap-6">
              <Verdict state={state} word={word} />
              <UnguardedTag telltale={telltale} />
            </span>
            {text && (
              <span className="truncate text-12 text-text-2" title={text}>
                {text}
              </span>
            )}
          </span>
        </>
      )}
    </WithCard>
  )
}

/** Small, with its mark and without a link. */
export function TelltalePicture({ telltale }: { telltale: DescribedTelltale }) {
  const now = useNow()
  const timeZone = use(TimeZone)
  const isOld = isOldTelltale(telltale, now)
  const text = wordsOf(telltale, { isOld, now, timeZone })
  return (
    <span className="inline-flex shrink-0 items-center gap-8">
      <Telltale
        evidence={evidenceOfTelltale(telltale)}
        size="sm"
        isOld={isOld}
        word={lastWordOf(telltale)}
        text={labelOf(telltale, text)}
      />
      <VerdictGlyph state={stateOfTelltale(telltale)} />
      <span aria-hidden="true" className="contents">
        <UnguardedTag telltale={telltale} />
      </span>
    </span>
  )
}

const labelOf = (telltale: DescribedTelltale, text: string | undefined) =>
  [tagOf(telltale), text].filter(Boolean).join(', ')

interface Moment {
  isOld: boolean
  now: number
  timeZone: string | undefined
}

/** Frozen or stale telltales show their time. */
function wordsOf(
  telltale: DescribedTelltale | undefined,
  { isOld, now, timeZone }: Moment,
): string | undefined {
  const text = telltaleText(telltale)
  if (telltale === undefined) return text
  const { checkedAt } = telltale
  if (telltale.kind === 'guarded' && telltale.state === 'completed' && telltale.endedAt !== null)
    return [timeText(Date.parse(telltale.endedAt), now, timeZone), text].filter(Boolean).join(', ')
  if (!isOld || checkedAt === null) return text
  return [text, `as of ${timeText(Date.parse(checkedAt), now, timeZone)}`].filter(Boolean).join(', ')
}

const cardAfter = 300

/**
 * The whole telltale is one link that is also reachable by keyboard; its card repeats what the linked screen
 * shows.
 */
function WithCard({
  telltale,
  label,
  children,
}: {
  telltale: DescribedTelltale
  label?: string
  children: ReactNode
}) {
  const { project } = useScope()
  return (
    <HoverCard.Root openDelay={cardAfter} closeDelay={100}>
      <HoverCard.Trigger asChild>
        <Link
          to="/p/$project/flags/$flag/impact"
          params={{ project, flag: telltale.flag }}
          search={comparisonOf(telltale)}
          {...(label === undefined ? {} : { 'aria-label': label })}
          className={`inline-flex min-h-24 min-w-24 max-w-full items-center gap-10 rounded-chip align-middle ${label === undefined ? '' : 'justify-center'}`}
        >
          {children}
        </Link>
      </HoverCard.Trigger>
      <HoverCard.Portal>
        <HoverCard.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-40 w-[300px] animate-open rounded-panel border border-line-strong bg-surface p-12 shadow-menu"
        >
          <TelltaleCard telltale={telltale} />
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  )
}
